// The oriented graph as the counting kernels see it (oriented.hpp).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/forward_slots.cuh"
#include "device/search.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// The graph, its oriented edges and the counts of some of them.
struct OutGraph {
  View<const std::uint64_t> row_offsets;
  View<const std::uint32_t> rows;  ///< on the device, or in mapped host memory
  ForwardSlots forward;            ///< empty where the rows are in host memory
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  View<std::uint32_t> counts;  ///< of the edges from first_counted on
  std::uint32_t first_counted;

  /// The edges from v, as places in neighbors.
  __device__ Extent<std::uint32_t> out_list(std::uint32_t v) const { return segment(offsets, v); }
  /// The place of edge (u,v) in N+(u); past the end of that list where the edge is not from u.
  __device__ std::uint32_t find(Extent<std::uint32_t> of_u, std::uint32_t v) const {
    if (of_u.size() == 0) return of_u.end;
    const std::uint32_t place = of_u.begin + lower_bound(&neighbors[of_u.begin], of_u.size(), v);
    return place < of_u.end && neighbors[place] == v ? place : of_u.end;
  }
  /// The edge of slot e(u,v), whichever way it points.
  __device__ std::uint32_t edge_of(std::int64_t slot, std::uint32_t u, std::uint32_t v) const {
    if (forward.bits.empty()) {
      const Extent<std::uint32_t> of_u = out_list(u);
      const std::uint32_t place = find(of_u, v);
      return place < of_u.end ? place : find(out_list(v), u);
    }
    return forward.is_forward(slot) ? forward.rank(slot) : find(out_list(v), u);
  }
  /// Adds to the count of an edge, if it is counted here.
  __device__ void add(std::uint32_t edge, std::uint32_t found) const {
    const std::uint32_t place = edge - first_counted;  // huge where the edge lies before
    if (place < counts.size()) atomicAdd(&counts[place], found);
  }
};

/// The next `count` of something that the lanes of a warp share out with others; called by the whole warp.
__device__ inline std::uint32_t fetch(std::uint32_t* next, std::uint32_t count) {
  std::uint32_t first = 0;
  if (warp::lane() == 0) first = atomicAdd(next, count);
  return __shfl_sync(kFullMask, first, 0);
}

}  // namespace warpbench::common_neighbors
