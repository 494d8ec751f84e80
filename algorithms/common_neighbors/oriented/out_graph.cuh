// The oriented graph as the counting kernels see it (oriented.hpp).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
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
  /// The place of edge (u,v), which is in `of_u`, the list N+(u).
  __device__ std::uint32_t find(Extent<std::uint32_t> of_u, std::uint32_t v) const {
    return of_u.begin + lower_bound(&neighbors[of_u.begin], of_u.size(), v);
  }
  /// Whether the edge of slot e(u,v) is from u.
  __device__ bool is_from_first(std::int64_t slot, std::uint32_t u, std::uint32_t v) const {
    if (!forward.bits.empty()) return forward.is_forward(slot);
    return comes_before(segment(row_offsets, v).size(), v, segment(row_offsets, u).size(), u);
  }
  /// The edge of slot e(u,v), whichever way it points.
  __device__ std::uint32_t edge_of(std::int64_t slot, std::uint32_t u, std::uint32_t v) const {
    if (!is_from_first(slot, u, v)) return find(out_list(v), u);
    return forward.bits.empty() ? find(out_list(u), v) : forward.rank(slot);
  }
  /// Whether some edge of an out-list is counted here.
  __device__ bool counts_any(Extent<std::uint32_t> list) const {
    return list.end > first_counted && list.begin - std::int64_t{first_counted} < counts.size();
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
