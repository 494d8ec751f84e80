// Vectorised intersection of sorted integers after Lemire, Boytsov and Kurz ("SIMD compression and the intersection of
// sorted integers", §6), the SIMD of bellas2022 §6.2.3: each token of the shorter list is compared at once with a block
// of the longer one. That block is found in one of three ways: V1 passes over blocks (lists of like length), V3 over
// groups of four blocks (a list 50 times as long), SIMD Galloping gallops over groups (1000 times as long).
#pragma once

#include <cstddef>

#include "solvers/sets/set_lists.hpp"
#include "solvers/simd.hpp"

namespace warpbench::cpu_sets {

/// The ratios of the lists' lengths from which V3, and galloping, are used: the publication's numbers.
inline constexpr std::size_t kGroupRatio = 50;
inline constexpr std::size_t kGallopRatio = 1000;

/// |a ∩ b|; the common tokens too, ascending, where `common` is not null: it has room for min(|a|, |b|). Any tokens.
/// O(min + max / width) or, of very unlike lengths, O(min log(max / min)).
using IntersectFunction = std::size_t (*)(List a, List b, Token* common);
/// Without vectors a galloping merge.
[[nodiscard]] IntersectFunction intersect_function(Simd simd);

}  // namespace warpbench::cpu_sets
