// The vectorized block-wise merge (che2019, slide 'Improving Scalar Merge'): load a block of each list, compare all
// pairs by shuffling, count the matches, advance the list whose last block element is smaller. Blocks are 8 wide with
// AVX2 and 16 wide with AVX-512; which of them this CPU runs is asked at run time.
#pragma once

#include "baselines/common_neighbors/intersect.hpp"
#include "problems/simd.hpp"

namespace warpbench::common_neighbors {

/// |a ∩ b|; both ascending, without duplicates, elements below 2^32 - 1 (datasets::kMaxVertex), which pads the last
/// blocks. O((|a| + |b|) / width) block pairs, each of width² comparisons in registers. Adds the number of block
/// pairs to *block_pairs where the pointer is not null.
using BlockMerge = std::uint32_t (*)(List a, List b, std::uint64_t* block_pairs);

/// The block merge for `simd`, counting block pairs or not; `none` has none (nullptr).
BlockMerge block_merge(Simd simd, bool counting);

}  // namespace warpbench::common_neighbors
