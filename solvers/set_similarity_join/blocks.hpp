// Blocks of consecutive sets, and the pairs of blocks that a join has to look at (bellas2022 §5.1.1, Figure 5.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// Sets [begin, end) of the ordered collection.
struct SetRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] constexpr std::int64_t count() const { return end - begin; }
  friend bool operator==(const SetRange&, const SetRange&) = default;
};

/// The pairs (i, j), i < j, with i in `smaller` and j in `larger`. The ranges are equal, or `smaller` lies before.
struct BlockPair {
  SetRange smaller;
  SetRange larger;

  [[nodiscard]] constexpr bool is_diagonal() const { return smaller == larger; }
  friend bool operator==(const BlockPair&, const BlockPair&) = default;
};

/// All sets, `block_size` in each block but the last.
[[nodiscard]] std::vector<SetRange> blocks_of(SetRange sets, std::int64_t block_size);

/// Whether a set of one block can be similar to one of the other by their sizes alone: the length filter of blocks.
[[nodiscard]] bool can_be_similar(const OrderedSets& sets, const Bounds& bounds, const BlockPair& pair);

/// Adds the pairs of the last block with itself and with the blocks before that can_be_similar(), nearest first.
void append_block_pairs(std::vector<BlockPair>& pairs, const OrderedSets& sets, const Bounds& bounds,
                        std::span<const SetRange> blocks);

/// Those pairs of blocks that can_be_similar(), by their larger block, the diagonal pair of each first.
[[nodiscard]] std::vector<BlockPair> block_pairs(const OrderedSets& sets, const Bounds& bounds,
                                                 std::int64_t block_size);

/// Those of the sets from `split` on with all sets before each. Blocks end where those of all sets do, and at `split`.
[[nodiscard]] std::vector<BlockPair> block_pairs_behind(std::int64_t split, const OrderedSets& sets,
                                                        const Bounds& bounds, std::int64_t block_size);

}  // namespace warpbench::similarity
