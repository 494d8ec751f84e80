// The oriented graph as the counting kernels see it (oriented.hpp).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/orientation_kernels.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// The graph, its oriented edges and their counts.
struct OutGraph {
  View<const std::uint64_t> row_offsets;
  View<const std::uint32_t> rows;
  ForwardSlots forward;
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  View<std::uint32_t> counts;

  /// The edges from v, as places in neighbors and counts.
  __device__ Extent<std::uint32_t> out_list(std::uint32_t v) const { return segment(offsets, v); }
};

/// The next `count` of something that the lanes of a warp share out with others; called by the whole warp.
__device__ inline std::uint32_t fetch(std::uint32_t* next, std::uint32_t count) {
  std::uint32_t first = 0;
  if (warp::lane() == 0) first = atomicAdd(next, count);
  return __shfl_sync(kFullMask, first, 0);
}

}  // namespace warpbench::common_neighbors
