#include "baselines/subgraph_matching/cfl/leaves.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "device/integers.hpp"

namespace warpbench::matching::cfl {
namespace {

Ways times(Ways a, Ways b) {
  if (a == 0U || b == 0U) return 0;
  std::uint64_t product = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &product)) return std::nullopt;
  return product;
}

Ways plus(Ways a, Ways b) {
  std::uint64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

/// n (n - 1) … (n - k + 1): the ways to give k leaves different ones of n vertices.
Ways falling(std::uint64_t n, std::uint64_t k) {
  Ways ways = 1;
  for (std::uint64_t i = 0; i < k; ++i) ways = times(ways, n > i ? n - i : 0);
  return ways;
}

/// The kinds of a query's leaves, contested candidates left open.
std::vector<LeafKind> leaf_kinds(const IndexedQuery& query, const CompactPathIndex& index) {
  using Key = std::tuple<Vertex, std::vector<Label>, std::vector<Label>>;
  std::map<Key, LeafKind> kinds;
  for (const Vertex u : index.order) {
    if (index.nodes[u].region != Region::leaf) continue;
    const auto labels = query.graph->labels_of(u);
    const Key key{index.nodes[u].parent, query.edges[u][0].labels, {labels.begin(), labels.end()}};
    ++kinds.try_emplace(key, LeafKind{u, 0, {}}).first->second.leaves;
  }
  std::vector<LeafKind> all;
  all.reserve(kinds.size());
  for (auto& [key, kind] : kinds) all.push_back(std::move(kind));
  return all;
}

}  // namespace

std::vector<LeafGroup> leaf_groups(const IndexedQuery& query, const CompactPathIndex& index,
                                   std::int64_t data_vertices) {
  std::vector<LeafKind> kinds = leaf_kinds(query, index);
  // For each data vertex a later kind that may take it.
  std::vector<std::uint32_t> later(static_cast<std::size_t>(data_vertices), kNone<std::uint32_t>);
  std::vector<std::uint32_t> group(kinds.size());
  for (std::uint32_t i = static_cast<std::uint32_t>(kinds.size()); i-- > 0;) {
    group[i] = i;
    for (const Vertex v : index.nodes[kinds[i].leaf].candidates) {
      const std::uint32_t other = later[v];
      kinds[i].contested.push_back(other != kNone<std::uint32_t>);
      later[v] = i;
      if (other == kNone<std::uint32_t> || group[other] == i) continue;
      const std::uint32_t old = group[other];  // a copy: its place is among those replaced
      std::ranges::replace(group, old, i);
    }
  }
  std::map<std::uint32_t, LeafGroup> groups;
  for (std::size_t i = 0; i < kinds.size(); ++i) groups[group[i]].push_back(std::move(kinds[i]));
  std::vector<LeafGroup> all;
  all.reserve(groups.size());
  for (auto& [number, members] : groups) all.push_back(std::move(members));
  std::ranges::stable_sort(all, {}, [](const LeafGroup& one) { return one.size(); });
  return all;
}

LeafMatching::LeafMatching(const IndexedQuery& query, const CompactPathIndex& index, std::span<const LeafGroup> groups,
                           std::vector<std::uint8_t>& used, const std::function<bool()>& alive)
    : query_(query), index_(index), groups_(groups), used_(used), alive_(alive) {}

Ways LeafMatching::count(std::span<const std::uint32_t> places) {
  places_ = places;
  Ways ways = 1;
  for (const LeafGroup& group : groups_) {
    ways = times(ways, query_.injective ? from(group, 0) : homomorphisms(group));
    if (ways == 0U) break;
  }
  return ways;
}

std::span<const std::uint32_t> LeafMatching::below(Vertex leaf) const {
  const CompactPathIndex::Node& node = index_.nodes[leaf];
  return node.below_of(places_[node.parent]);
}

Ways LeafMatching::homomorphisms(const LeafGroup& group) const {
  Ways ways = 1;
  for (const LeafKind& kind : group) {
    for (std::uint64_t i = 0; i < kind.leaves; ++i) ways = times(ways, below(kind.leaf).size());
  }
  return ways;
}

LeafMatching::Free LeafMatching::free_of(const LeafKind& kind) const {
  Free free;
  for (const std::uint32_t place : below(kind.leaf)) {
    const Vertex v = index_.nodes[kind.leaf].candidates[place];
    if (used_[v] != 0) continue;
    if (kind.contested[place]) {
      free.contested.push_back(v);
    } else {
      ++free.alone;
    }
  }
  return free;
}

/// The ways of the group's kinds from this one on.
Ways LeafMatching::from(const LeafGroup& group, std::size_t kind) {
  const Free free = free_of(group[kind]);
  if (kind + 1 == group.size()) return falling(free.alone + free.contested.size(), group[kind].leaves);
  return choose(group, kind, free, 0, 0);
}

/// The ways where `chosen` of the contested vertices are taken and those from `next` on may be. Which leaf has which
/// vertex is counted at the end, so that each set of contested vertices is met once.
Ways LeafMatching::choose(const LeafGroup& group, std::size_t kind, const Free& free, std::size_t next,
                          std::uint64_t chosen) {
  if (!alive_()) return 0;
  const std::uint64_t leaves = group[kind].leaves;
  Ways ways = 0;
  if (leaves - chosen <= free.alone) {
    const Ways own = times(falling(leaves, chosen), falling(free.alone, leaves - chosen));
    ways = times(own, from(group, kind + 1));
  }
  if (chosen == leaves) return ways;
  for (std::size_t i = next; i < free.contested.size(); ++i) {
    used_[free.contested[i]] = 1;
    ways = plus(ways, choose(group, kind, free, i + 1, chosen + 1));
    used_[free.contested[i]] = 0;
  }
  return ways;
}

}  // namespace warpbench::matching::cfl
