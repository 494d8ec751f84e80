// The oriented graph as the counting kernels see it (oriented.hpp).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/oriented/hubs.cuh"
#include "algorithms/common_neighbors/oriented/ranked_bits.cuh"
#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// The counts of `size` edges from `first` on, of 32 bits or of 16, two in a word.
struct EdgeCounts {
  View<std::uint32_t> words;
  std::uint32_t first;
  std::uint32_t size;
  int two_in_a_word;  ///< 0 or 1

  [[nodiscard]] static std::int64_t words_for(std::int64_t edges, bool are_short) {
    return are_short ? ceil_div(edges, std::int64_t{2}) : edges;
  }
  /// Whether some edge of an out-list is counted here.
  __device__ bool has_any_of(Extent<std::uint32_t> list) const {
    return list.end > first && list.begin - std::int64_t{first} < size;
  }
  __device__ bool has(std::uint32_t edge) const { return edge - first < size; }
  /// Of an edge that is counted here.
  __device__ std::uint32_t of(std::uint32_t edge) const {
    const std::uint32_t place = edge - first;
    const std::uint32_t word = words[place >> two_in_a_word];
    return two_in_a_word == 0 ? word : word >> shift_of(place) & 0xffffU;
  }
  /// Adds to the count of an edge, if it is counted here.
  __device__ void add(std::uint32_t edge, std::uint32_t found) const {
    const std::uint32_t place = edge - first;  // huge where the edge lies before
    if (place < size) atomicAdd(&words[place >> two_in_a_word], found << shift_of(place));
  }

 private:
  __device__ std::uint32_t shift_of(std::uint32_t place) const {
    return 16 * (place & static_cast<std::uint32_t>(two_in_a_word));
  }
};

/// The graph, its oriented edges and the counts of some of them.
struct OutGraph {
  View<const std::uint64_t> row_offsets;
  View<const std::uint32_t> rows;  ///< on the device, or in mapped host memory
  RankedBits forward;              ///< empty where the rows are in host memory
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  EdgeCounts counts;
  HubSet hubs = {};  ///< edges between two of them are not for the kernels of lists

  /// The edges from v, as places in neighbors.
  __device__ Extent<std::uint32_t> out_list(std::uint32_t v) const { return segment(offsets, v); }
  /// The place of edge (u,v), which is in `of_u`, the list N+(u).
  __device__ std::uint32_t find(Extent<std::uint32_t> of_u, std::uint32_t v) const {
    return of_u.begin + lower_bound(&neighbors[of_u.begin], of_u.size(), v);
  }
  /// Whether the edge of slot e(u,v) is from u.
  __device__ bool is_from_first(std::int64_t slot, std::uint32_t u, std::uint32_t v) const {
    if (!forward.bits.empty()) return forward.test(slot);
    return comes_before(segment(row_offsets, v).size(), v, segment(row_offsets, u).size(), u);
  }
  /// The edge of slot e(u,v), whichever way it points.
  __device__ std::uint32_t edge_of(std::int64_t slot, std::uint32_t u, std::uint32_t v) const {
    if (!is_from_first(slot, u, v)) return find(out_list(v), u);
    return forward.bits.empty() ? find(out_list(u), v) : forward.rank(slot);
  }
};

/// The next `count` of something that the lanes of a warp share out with others; called by the whole warp.
__device__ inline std::uint32_t fetch(std::uint32_t* next, std::uint32_t count) {
  std::uint32_t first = 0;
  if (warp::lane() == 0) first = atomicAdd(next, count);
  return __shfl_sync(kFullMask, first, 0);
}

}  // namespace warpbench::common_neighbors
