// What every search on a GPU is given: the points, the graph, its own shape and a query, and where its time goes.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/lanes.cuh"
#include "device/half.hpp"
#include "device/kernel.hpp"

namespace warpbench::nearest_neighbors {

inline constexpr int kMaxLayers = 8;

/// Rows of `stride` coordinates, a multiple of 16 bytes; zero beyond the dimension. Cosine: all rows have length 1 or
/// 0.
template <typename T>
struct Points {
  View<const T> coordinates;
  int stride;
  bool by_product;  ///< the distance is -a·b, else |a - b|^2

  __device__ const T* row(std::uint32_t vertex) const {
    return coordinates.subview(std::int64_t{vertex} * stride, stride).data();
  }
};

/// The layers of a proximity graph (problems/nearest_neighbors/proximity_graph.hpp), layer 0 first. A graph that is
/// still being built is entered at `entries` vertices from `first` on.
struct GraphView {
  View<const std::uint32_t> layers[kMaxLayers];
  int count = 1;
  int degree = 0;
  std::uint32_t first = 0;
  std::uint32_t vertices = 0;

  __device__ View<const std::uint32_t> row(int layer, std::uint32_t vertex) const {
    return layers[layer].subview(std::int64_t{vertex} * degree, degree);
  }
};

/// The sizes of a search. Lengths of lists are powers of two.
struct SearchShape {
  int candidates = 64;  ///< l_n: N; SONG: of its queues
  int explore = 64;     ///< e: entries of N that are explored
  int list = 32;        ///< l_t: T, at least the graph's degree
  int stride = 0;       ///< coordinates of a query in shared memory, a multiple of 4
  int visited = 0;      ///< places of a table of seen vertices
  int entries = 1;      ///< vertices a search begins with
  bool profile = false;
};

/// Clock ticks of the lanes' first thread, by kind of work (Fig 4.5).
struct SearchProfile {
  std::uint64_t distance = 0;
  std::uint64_t total = 0;
};

__device__ inline std::uint64_t clock_ticks() {
#if defined(WARPBENCH_CUDA)
  return static_cast<std::uint64_t>(clock64());
#else
  return 0;  // simt gives no times
#endif
}

/// Numbers of one search, for the record.
struct SearchWork {
  std::uint32_t distances = 0;
  std::uint32_t iterations = 0;
  SearchProfile ticks;
};

/// Sums over searches.
struct WorkTotals {
  unsigned long long distances = 0;
  unsigned long long iterations = 0;
  unsigned long long distance_ticks = 0;
  unsigned long long ticks = 0;
};

/// `totals`: one element.
__device__ inline void add_work(const View<WorkTotals>& totals, const SearchWork& work) {
  atomicAdd(&totals[0].distances, static_cast<unsigned long long>(work.distances));
  atomicAdd(&totals[0].iterations, static_cast<unsigned long long>(work.iterations));
  atomicAdd(&totals[0].distance_ticks, static_cast<unsigned long long>(work.ticks.distance));
  atomicAdd(&totals[0].ticks, static_cast<unsigned long long>(work.ticks.total));
}

__device__ __forceinline__ float coordinate(float value) {
  return value;
}
__device__ __forceinline__ float coordinate(Half value) {
  return to_float(value);
}
__device__ __forceinline__ void store(float& place, float value) {
  place = value;
}
__device__ __forceinline__ void store(Half& place, float value) {
  place = to_half(value);
}

/// What this lane adds to a distance: every kLanes-th coordinate, four of them on their way at a time.
template <bool kProduct, int kLanes, typename T>
__device__ __forceinline__ float distance_of_lane(const T* row, const T* query, int stride) {
  constexpr int kInFlight = 4;
  const auto term = [query](T of_row, int i) {
    const float a = coordinate(of_row);
    const float b = coordinate(query[i]);
    return kProduct ? -a * b : (a - b) * (a - b);
  };
  float sum = 0;
  int base = 0;
  for (; base + kInFlight * kLanes <= stride; base += kInFlight * kLanes) {
    T loaded[kInFlight];
#pragma unroll
    for (int u = 0; u < kInFlight; ++u) loaded[u] = row[base + u * kLanes + lane()];
#pragma unroll
    for (int u = 0; u < kInFlight; ++u) sum += term(loaded[u], base + u * kLanes + lane());
  }
#pragma unroll 4
  for (int i = base + lane(); i < stride; i += kLanes) sum += term(row[i], i);
  return sum;
}

/// The distance between a point and the query in shared memory, by all lanes, in all lanes: each takes every
/// kLanes-th coordinate (phase 3: sub-vectors and a reduction by shuffles).
template <int kLanes, typename T>
__device__ __forceinline__ float distance_by_lanes(const Points<T>& points, std::uint32_t vertex, const T* query) {
  const T* const row = points.row(vertex);
  return Lanes<kLanes>::sum(points.by_product ? distance_of_lane<true, kLanes>(row, query, points.stride)
                                              : distance_of_lane<false, kLanes>(row, query, points.stride));
}

/// Greedy descent through the layers above 0: the vertex of each that no out-neighbour of it beats is where the next is
/// entered (HNSW). Vertex 0, which is on all layers, comes first. All lanes return the same.
template <int kLanes, typename T>
__device__ inline std::uint32_t descend(const GraphView& graph, const Points<T>& points, const T* query,
                                        SearchWork& work) {
  std::uint32_t best = graph.first;
  if (graph.count == 1) return best;
  float nearest = distance_by_lanes<kLanes>(points, best, query);
  for (int layer = graph.count - 1; layer > 0; --layer) {
    for (bool moved = true; moved;) {
      moved = false;
      const View<const std::uint32_t> row = graph.row(layer, best);
      for (int i = 0; i < graph.degree; ++i) {
        const std::uint32_t vertex = row[i];
        if (vertex == 0xffffffffU) break;
        const float distance = distance_by_lanes<kLanes>(points, vertex, query);
        ++work.distances;
        if (distance < nearest) {
          nearest = distance;
          best = vertex;
          moved = true;
        }
      }
    }
  }
  return best;
}

}  // namespace warpbench::nearest_neighbors
