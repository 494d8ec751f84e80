// The terms of every search on a GPU: the points, the graph, the shape of its lists and its queries, where its time
// goes, and the steps that all searches share.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/found_vertex.hpp"
#include "algorithms/nearest_neighbors/graph_search/lanes.cuh"
#include "device/half.hpp"
#include "device/integers.hpp"
#include "device/kernel.hpp"

namespace warpbench::nearest_neighbors {

inline constexpr int kMaxLayers = 8;
inline constexpr int kMaxCandidates = 512;  ///< the longest list that searches are compiled for

/// A coordinate in 8 bits, -127 to 127.
struct Byte {
  std::int8_t value;
};

/// The factor that brings coordinates of up to `reach` to 127; finite, however small they are.
WARPBENCH_HOST_DEVICE float scale_to_bytes(float reach) {
  constexpr float kLargest = 127;
  constexpr float kMostScale = 1e38F;
  if (!(reach > 0)) return 1;
  const float scale = kLargest / reach;
  return scale < kMostScale ? scale : kMostScale;
}

/// Rows of `stride` coordinates, a multiple of 16 bytes; zero beyond the dimension. Cosine: all rows have length 1 or
/// 0.
template <typename T>
struct Points {
  View<const T> coordinates;
  int stride;
  bool by_product;  ///< the distance is -a·b, else |a - b|^2

  __device__ const T* row(Vertex vertex) const {
    return coordinates.subview(std::int64_t{vertex} * stride, stride).data();
  }
};

/// The layers of a proximity graph (solvers/nearest_neighbors/proximity_graph.hpp), layer 0 first. A graph that is
/// still being built is entered at `entries` vertices from `first` on.
struct GraphView {
  View<const Vertex> layers[kMaxLayers];
  int count = 1;
  int degree = 0;
  Vertex first = 0;
  Vertex vertices = 0;

  __device__ View<const Vertex> row(int layer, Vertex vertex) const {
    return layers[layer].subview(std::int64_t{vertex} * degree, degree);
  }
};

/// Sums over searches. Ticks are clock ticks of the lanes' first thread, by kind of work (Fig 4.5).
struct WorkTotals {
  unsigned long long distances = 0;
  unsigned long long iterations = 0;
  unsigned long long distance_ticks = 0;
  unsigned long long ticks = 0;
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

/// The work of the searches of one row of lanes.
class SearchWork {
 public:
  std::uint32_t distances = 0;
  std::uint32_t iterations = 0;

  /// The clock runs from here, where the shape asks for a profile.
  __device__ explicit SearchWork(const SearchShape& shape) : profile_(shape.profile), begin_(now()) {}

  /// Runs `compute`, the distances of an iteration, against the clock.
  template <typename Compute>
  __device__ __forceinline__ void time_distances(const Compute& compute) {
    const std::uint64_t before = now();
    compute();
    if (profile_) distance_ticks_ += now() - before;
  }

  /// Adds everything to totals[0].
  __device__ void add_to(const View<WorkTotals>& totals) const {
    if (lane() != 0) return;
    WorkTotals& sums = totals[0];
    atomicAdd(&sums.distances, static_cast<unsigned long long>(distances));
    atomicAdd(&sums.iterations, static_cast<unsigned long long>(iterations));
    atomicAdd(&sums.distance_ticks, static_cast<unsigned long long>(distance_ticks_));
    atomicAdd(&sums.ticks, static_cast<unsigned long long>(now() - begin_));
  }

 private:
  /// 0 without a profile, and on simt, which gives no times.
  [[nodiscard]] __device__ std::uint64_t now() const {
#if defined(WARPBENCH_CUDA)
    if (profile_) return static_cast<std::uint64_t>(clock64());
#endif
    return 0;
  }

  bool profile_;
  std::uint64_t begin_;
  std::uint64_t distance_ticks_ = 0;
};

/// Queries as they are given, `dimension` coordinates each, and where their answers go.
struct QueryBatch {
  View<const float> queries;
  View<Vertex> answers;           ///< k a query
  View<const Vertex> point_of;    ///< vertex → its first point; empty: the same
  View<const Vertex> next_equal;  ///< point → the next of its vertex, or kNone; empty: a point a vertex
  View<std::uint32_t> next;       ///< one counter, 0 at the start: rows of threads take queries from it
  View<WorkTotals> totals;        ///< one element
  float scale;                    ///< of the points' coordinates
  int dimension;
  int k;
  float offset = 0;  ///< taken off a coordinate before it is scaled

  /// Points of less than single precision: so many of the nearest found are ordered anew by exact distances.
  int rerank = 0;
  Points<float> exact = {};

  /// Not empty: the k nearest vertices of each query go here as they were found, and there are no answers.
  View<FoundVertex> found = {};

  __device__ std::uint32_t count() const { return static_cast<std::uint32_t>(queries.size() / dimension); }
  __device__ View<const float> query(std::uint32_t q) const {
    return queries.subview(std::int64_t{q} * dimension, dimension);
  }
  __device__ View<Vertex> answer(std::uint32_t q) const { return answers.subview(std::int64_t{q} * k, k); }
  /// The first point that `key` stands for.
  __device__ Vertex point(Key key) const {
    if (key == kNone<Key>) return kNone<Vertex>;
    return point_of.empty() ? vertex_of(key) : point_of[vertex_of(key)];
  }
};

__device__ __forceinline__ float coordinate(float value) {
  return value;
}
__device__ __forceinline__ float coordinate(Half value) {
  return to_float(value);
}
__device__ __forceinline__ float coordinate(Byte value) {
  return static_cast<float>(value.value);
}
__device__ __forceinline__ void store(float& place, float value) {
  place = value;
}
__device__ __forceinline__ void store(Half& place, float value) {
  place = to_half(value);
}
__device__ __forceinline__ void store(Byte& place, float value) {
  constexpr float kLargest = 127;
  place.value = static_cast<std::int8_t>(rintf(fminf(fmaxf(value, -kLargest), kLargest)));
}

/// This lane's part of a distance: every kLanes-th coordinate, four of them on their way at a time.
template <bool kProduct, int kLanes, typename T>
__device__ __forceinline__ float distance_of_lane(const T* row, const T* query, int stride) {
  constexpr int kInFlight = 4;
  const auto term = [query](T of_row, int i) {
    const float a = coordinate(of_row);
    const float b = coordinate(query[i]);
    return kProduct ? -a * b : (a - b) * (a - b);
  };
  float sum = 0;
  int base = lane();
  T loaded[kInFlight];
  for (; base + (kInFlight - 1) * kLanes < stride; base += kInFlight * kLanes) {
#pragma unroll
    for (int u = 0; u < kInFlight; ++u) loaded[u] = row[base + u * kLanes];
#pragma unroll
    for (int u = 0; u < kInFlight; ++u) sum += term(loaded[u], base + u * kLanes);
  }
  // What is left is on its way together, too: of 96 coordinates it is all.
#pragma unroll
  for (int u = 0; u < kInFlight - 1; ++u) {
    if (base + u * kLanes < stride) loaded[u] = row[base + u * kLanes];
  }
#pragma unroll
  for (int u = 0; u < kInFlight - 1; ++u) {
    if (base + u * kLanes < stride) sum += term(loaded[u], base + u * kLanes);
  }
  return sum;
}

/// The distance between a point and the query in shared memory, by all lanes, in all lanes: each takes every
/// kLanes-th coordinate (phase 3: sub-vectors and a reduction by shuffles).
template <int kLanes, typename T>
__device__ __forceinline__ float distance_by_lanes(const Points<T>& points, Vertex vertex, const T* query) {
  const T* const row = points.row(vertex);
  return Lanes<kLanes>::sum(points.by_product ? distance_of_lane<true, kLanes>(row, query, points.stride)
                                              : distance_of_lane<false, kLanes>(row, query, points.stride));
}

/// Greedy descent through the layers above 0: the vertex of each that no out-neighbour of it beats is where the next is
/// entered (HNSW). Vertex 0, which is on all layers, comes first. All lanes return the same.
template <int kLanes, typename T>
__device__ inline Vertex descend(const GraphView& graph, const Points<T>& points, const T* query, SearchWork& work) {
  Vertex best = graph.first;
  if (graph.count == 1) return best;
  float nearest = distance_by_lanes<kLanes>(points, best, query);
  for (int layer = graph.count - 1; layer > 0; --layer) {
    for (bool moved = true; moved;) {
      moved = false;
      const View<const Vertex> row = graph.row(layer, best);
      for (int i = 0; i < graph.degree; ++i) {
        const Vertex vertex = row[i];
        if (vertex == kNone<Vertex>) break;
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

/// The first unexplored of keys[0 .. count), in all lanes, or -1.
template <int kLanes>
__device__ __forceinline__ int first_unexplored(const Key* keys, int count) {
  return Lanes<kLanes>::find_first(count, [keys](int i) { return !is_explored(keys[i]); });
}

/// The home of a vertex in a table of mask + 1 places, a power of two.
__device__ __forceinline__ std::uint32_t home_in_table(Vertex vertex, std::uint32_t mask) {
  return (vertex * 2654435769U >> 7) & mask;
}

/// Dynamic shared memory of a search, in whole 16-byte loads; a block has as much for each of its rows of lanes.
template <typename Search>
WARPBENCH_HOST_DEVICE std::size_t search_bytes(const SearchShape& shape) {
  constexpr std::size_t kAlignment = 16;
  return round_up(Search::shared_bytes(shape), kAlignment);
}
/// The part of this row of lanes.
template <typename Search>
__device__ __forceinline__ unsigned char* search_memory(const SearchShape& shape) {
  return dynamic_shared<unsigned char>() + threadIdx.y * search_bytes<Search>(shape);
}

/// The terms of a search as the document has it: kLanes threads and a block a query, in single precision.
template <int kLanes>
class DocumentSearch {
 public:
  using Coordinate = float;
  using Team = Lanes<kLanes>;
  static constexpr int kQueriesPerBlock = 1;
};

}  // namespace warpbench::nearest_neighbors
