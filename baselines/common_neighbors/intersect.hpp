// Counting the common elements of two ascending lists without duplicates, one element at a time: the scalar merge
// (che2019, "MPS's Edge-Centric Unit Computation"), and the pivot-skip merge for lists of very different length ("Pivot
// Skip Merge"). The vectorized merge is in intersect_simd.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "baselines/common_neighbors/operations.hpp"
#include "solvers/gallop.hpp"

namespace warpbench::common_neighbors {

using List = std::span<const std::uint32_t>;

/// |a ∩ b| by one pass over both lists: O(|a| + |b|).
template <bool kCounting>
std::uint32_t count_merge(List a, List b, Meter<kCounting>& meter) {
  std::uint32_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    meter.add(&Operations::merge_steps);
    if (a[i] < b[j]) {
      ++i;
    } else if (b[j] < a[i]) {
      ++j;
    } else {
      ++count;
      ++i;
      ++j;
    }
  }
  return count;
}

/// |a ∩ b|, skipping in turn in each list to the other's current element: O(min(|a|, |b|) log(average skip)).
template <bool kCounting>
std::uint32_t count_pivot_skip(List a, List b, Meter<kCounting>& meter) {
  std::uint32_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto probe = [&meter] { meter.add(&Operations::probes); };
  while (i < a.size() && j < b.size()) {
    j = gallop(b, j, a[i], probe);
    if (j == b.size()) break;
    i = gallop(a, i, b[j], probe);
    if (i == a.size()) break;
    if (a[i] == b[j]) {
      ++count;
      ++i;
      ++j;
    }
  }
  return count;
}

}  // namespace warpbench::common_neighbors
