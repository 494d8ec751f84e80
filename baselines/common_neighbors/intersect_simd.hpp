// The vectorized block-wise merge (che2019, "Improving Scalar Merge"): load a block of each list, compare all pairs by
// shuffling, count the matches, advance the list whose last block element is smaller. A block is a vector of the
// instruction set chosen at run time: 8 elements with AVX2, 16 with AVX-512.
#pragma once

#include "baselines/common_neighbors/intersect.hpp"
#include "solvers/simd.hpp"

namespace warpbench::common_neighbors {

/// |a ∩ b|; both ascending, without duplicates, elements below 2^32 - 1 (datasets::kMaxVertex), which pads the last
/// blocks. O((|a| + |b|) / width) block pairs, each of width² comparisons in registers. Adds the number of block
/// pairs to *block_pairs where it counts them.
using BlockMerge = std::uint32_t (*)(List a, List b, std::uint64_t* block_pairs);

/// The block merge for `simd`, counting block pairs or not; kNoSimd has none (nullptr).
BlockMerge block_merge(Simd simd, bool counting);

}  // namespace warpbench::common_neighbors
