#include "baselines/sets/lcjoin/prefix_tree.hpp"

namespace warpbench::cpu_sets {
namespace {

/// The number of tokens from `depth` on that two sets share. In sorted order, all sets between them share those too.
std::size_t shared_from(List a, List b, std::size_t depth) {
  const List from_a = a.subspan(depth);
  return static_cast<std::size_t>(std::ranges::mismatch(from_a, b.subspan(depth)).in1 - from_a.begin());
}

}  // namespace

PrefixTree::PrefixTree(const SetCollection& sets, std::span<const std::uint32_t> order) : order_(order) {
  struct Group {
    std::uint32_t first;
    std::uint32_t last;
  };
  std::vector<Group> groups{{0, static_cast<std::uint32_t>(order.size())}};  // by node: the sets below it
  nodes_.push_back({order[0], 0, 0, 0, 0, 0, 0});
  const auto set = [&](std::uint32_t at) { return sets.set(order[at]); };
  for (std::size_t n = 0; n < nodes_.size(); ++n) {  // breadth first: children are appended together
    const Group group = groups[n];
    const std::size_t begin = nodes_[n].begin;
    const auto end = static_cast<std::uint32_t>(begin + shared_from(set(group.first), set(group.last - 1), begin));
    std::uint32_t at = group.first;
    while (at < group.last && set(at).size() == end) ++at;
    nodes_[n].end = end;
    nodes_[n].first_ending = group.first;
    nodes_[n].last_ending = at;
    nodes_[n].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (at < group.last) {
      const std::uint32_t first = at;
      const Token token = set(first)[end];
      while (at < group.last && set(at)[end] == token) ++at;
      nodes_.push_back({order[first], end, 0, 0, 0, 0, 0});
      groups.push_back({first, at});
    }
    nodes_[n].last_child = static_cast<std::uint32_t>(nodes_.size());
  }
}

}  // namespace warpbench::cpu_sets
