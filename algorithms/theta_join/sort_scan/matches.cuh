// Which tuples of a sorted relation satisfy a condition: a range of places, found by binary search.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "problems/theta_join/predicate.hpp"

namespace warpbench::theta {

/// Places in a sorted relation: those of `range`, or all others.
struct Matches {
  Extent<std::int64_t> range;
  bool all_others;
};

/// The places of keys k in the ascending `sorted` with `r comparison k`. O(log).
__device__ __forceinline__ Matches matches_of(Comparison comparison, std::int32_t r, View<const std::int32_t> sorted) {
  const std::int64_t size = sorted.size();
  const bool needs_upper = comparison != Comparison::less_equal && comparison != Comparison::greater;
  const bool needs_lower = comparison != Comparison::less && comparison != Comparison::greater_equal;
  const std::int64_t lower = needs_lower ? lower_bound(sorted, r) : 0;
  const std::int64_t upper = needs_upper ? upper_bound(sorted.data(), size, r) : size;
  switch (comparison) {
    case Comparison::less:
      return {{upper, size}, false};
    case Comparison::less_equal:
      return {{lower, size}, false};
    case Comparison::greater:
      return {{0, lower}, false};
    case Comparison::greater_equal:
      return {{0, upper}, false};
    case Comparison::equal:
      return {{lower, upper}, false};
    default:
      return {{lower, upper}, true};
  }
}

}  // namespace warpbench::theta
