// The overlap of two sets by a warp.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::similarity {

/// The number of common tokens, in all lanes, or less than `required` as soon as that is out of reach. `whole`: else it
/// stops when it has reached `required`, too. Lanes take tokens of `a` and search for them in `b`: give the shorter set
/// first. O(|a| / 32 log |b|).
__device__ __forceinline__ std::uint32_t warp_overlap(View<const datasets::Token> a, View<const datasets::Token> b,
                                                      std::uint32_t required, bool whole) {
  std::uint32_t overlap = 0;
  for (const auto [k, inside] : warp::rounds(a.size())) {
    const bool common = inside && binary_search(b, a[k]);
    overlap += static_cast<std::uint32_t>(__popc(__ballot_sync(kFullMask, common ? 1 : 0)));
    if (overlap >= required && !whole) break;
    const std::int64_t left = a.size() - (k - warp::lane()) - kWarpSize;
    if (left > 0 && overlap + static_cast<std::uint64_t>(left) < required) break;
  }
  return overlap;
}

}  // namespace warpbench::similarity
