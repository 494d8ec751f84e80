#include "solvers/set_similarity_join/blocks.hpp"

#include <algorithm>
#include <iterator>

#include "device/integers.hpp"

namespace warpbench::similarity {

std::vector<SetRange> blocks_of(SetRange sets, std::int64_t block_size) {
  std::vector<SetRange> blocks;
  for (std::int64_t begin = sets.begin; begin < sets.end; begin += block_size) {
    blocks.push_back({begin, std::min(begin + block_size, sets.end)});
  }
  return blocks;
}

bool can_be_similar(const OrderedSets& sets, const Bounds& bounds, const BlockPair& pair) {
  if (pair.is_diagonal()) return true;
  // Of all sizes of two blocks in order, these two differ least.
  const auto largest = static_cast<std::uint32_t>(sets.sets.size(pair.smaller.end - 1));
  const auto smallest = static_cast<std::uint32_t>(sets.sets.size(pair.larger.begin));
  return largest >= bounds.min_size(smallest);
}

void append_block_pairs(std::vector<BlockPair>& pairs, const OrderedSets& sets, const Bounds& bounds,
                        std::span<const SetRange> blocks) {
  for (std::size_t smaller = blocks.size(); smaller-- > 0;) {
    const BlockPair pair{blocks[smaller], blocks.back()};
    if (!can_be_similar(sets, bounds, pair)) return;  // blocks before hold smaller sets still
    pairs.push_back(pair);
  }
}

std::vector<BlockPair> block_pairs(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size) {
  return block_pairs_behind(0, sets, bounds, block_size);
}

std::vector<BlockPair> block_pairs_behind(std::int64_t split, const OrderedSets& sets, const Bounds& bounds,
                                          std::int64_t block_size) {
  const std::int64_t next_block = std::min(round_up(split, block_size), sets.count());
  std::vector<SetRange> blocks = blocks_of({0, split}, block_size);
  auto larger = std::ssize(blocks);
  if (split < next_block) blocks.push_back({split, next_block});
  std::ranges::copy(blocks_of({next_block, sets.count()}, block_size), std::back_inserter(blocks));
  std::vector<BlockPair> pairs;
  while (larger < std::ssize(blocks))
    append_block_pairs(pairs, sets, bounds, {blocks.begin(), blocks.begin() + ++larger});
  return pairs;
}

}  // namespace warpbench::similarity
