#include "baselines/set_similarity_join/skj/size_block_index.hpp"

#include <numeric>

namespace warpbench::similarity::skj {
namespace {

using datasets::Token;

/// Makes room for blocks and postings. Returns where the postings of each list begin.
std::vector<std::uint64_t> count_postings(const OrderedSets& sets, SizeBlockIndex& index) {
  const auto tokens = static_cast<std::size_t>(sets.distinct_tokens);
  std::vector<std::uint64_t> begins(tokens + 1);
  std::vector<std::uint32_t> last_size(tokens);
  index.lists.resize(tokens + 1);
  for (std::int64_t set = 0; set < sets.count(); ++set) {
    const auto size = static_cast<std::uint32_t>(sets.sets.size(set));
    for (const Token token : sets.sets.set(set)) {
      ++begins[token + 1];
      if (last_size[token] == size) continue;
      last_size[token] = size;
      ++index.lists[token + 1];
    }
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::partial_sum(index.lists.begin(), index.lists.end(), index.lists.begin());
  index.blocks.resize(index.lists.back() + 1);
  index.blocks.back() = {begins.back(), 0, 0};
  index.postings.resize(begins.back());
  return begins;
}

/// Sets of one size after the other, position by position: each block is written in its final order.
void fill(const OrderedSets& sets, const Bounds& bounds, std::vector<std::uint64_t> next_posting,
          SizeBlockIndex& index) {
  std::vector<std::uint64_t> next_block = index.lists;
  std::vector<std::uint32_t> last_size(index.lists.size() - 1);
  for (std::int64_t first = 0, last = 0; first < sets.count(); first = last) {
    const auto size = static_cast<std::uint32_t>(sets.sets.size(first));
    while (last < sets.count() && sets.sets.size(last) == size) ++last;
    const std::uint32_t prefix = bounds.probe_prefix(size);
    for (std::uint32_t position = 0; position < size; ++position) {
      for (std::int64_t set = first; set < last; ++set) {
        const Token token = sets.sets.set(set)[position];
        if (last_size[token] != size) {
          last_size[token] = size;
          index.blocks[next_block[token]++] = {next_posting[token], size, 0};
        }
        if (position < prefix) ++index.blocks[next_block[token] - 1].prefix;
        index.postings[next_posting[token]++] = {static_cast<std::uint32_t>(set), position};
      }
    }
  }
}

}  // namespace

std::int64_t SizeBlockIndex::bytes() const {
  return static_cast<std::int64_t>(std::span(lists).size_bytes() + std::span(blocks).size_bytes() +
                                   std::span(postings).size_bytes());
}

SizeBlockIndex size_block_index(const OrderedSets& sets, const Bounds& bounds) {
  SizeBlockIndex index;
  fill(sets, bounds, count_postings(sets, index), index);
  return index;
}

}  // namespace warpbench::similarity::skj
