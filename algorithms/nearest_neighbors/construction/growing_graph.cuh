// A graph while it is built, and edge lists that are sorted by start vertex before they are merged into its rows
// (yu2023 §4.3.2, Algorithm 5).
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/lanes.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::nearest_neighbors {

/// G: ids for the searches, and the same rows as keys, ascending, with their distances.
struct GrowingGraph {
  View<Vertex> ids;
  View<Key> keys;
  int degree;  ///< d_max

  __device__ void set(Vertex vertex, int place, Key key) const {
    const std::int64_t at = index(vertex, place);
    keys[at] = key;
    ids[at] = key == kNone<Key> ? kNone<Vertex> : vertex_of(key);
  }
  __device__ Key key(Vertex vertex, int place) const { return keys[index(vertex, place)]; }

 private:
  __device__ std::int64_t index(Vertex vertex, int place) const { return std::int64_t{vertex} * degree + place; }
};

/// Start vertex and distance of an edge, which sort in this order; kNone<Edge> is behind all edges.
using Edge = std::uint64_t;

/// The edge from `start` at the distance of `key`.
WARPBENCH_HOST_DEVICE Edge make_edge(Vertex start, Key key) {
  return (Edge{start} << 32) | (key >> 32);
}
WARPBENCH_HOST_DEVICE Vertex start_of(Edge edge) {
  return static_cast<Vertex>(edge >> 32);
}

/// Edges in places that may be empty. `ends`: their end vertices, or whatever else goes with an edge.
struct EdgeList {
  View<Edge> edges;
  View<std::uint32_t> ends;

  __device__ EdgeList subview(std::int64_t first, std::int64_t count) const {
    return {edges.subview(first, count), ends.subview(first, count)};
  }
  __device__ void set(std::int64_t place, Edge edge, std::uint32_t end) const {
    edges[place] = edge;
    ends[place] = end;
  }
};

/// Edges sorted by start vertex and distance, and where those of each start vertex begin.
struct EdgeRuns {
  View<const Edge> edges;
  View<const std::uint32_t> ends;
  View<const std::uint32_t> begins;  ///< in arbitrary order: rows are independent of each other
  View<const std::uint32_t> count;   ///< of `begins`: one element

  [[nodiscard]] __device__ std::int64_t size() const { return count[0]; }
  /// Whether there is an edge at `place`, and from `start`.
  [[nodiscard]] __device__ bool holds(std::int64_t place, Vertex start) const {
    return place < edges.size() && start_of(edges[place]) == start;
  }
  /// The edge at `place` as an unexplored entry of its start's row.
  [[nodiscard]] __device__ Key key(std::int64_t place) const { return with_vertex(edges[place] << 32, ends[place]); }
};

/// The memory that edges of up to `vertices` vertices are written to and sorted in.
class EdgeSorter {
 public:
  EdgeSorter() = default;
  EdgeSorter(std::int64_t vertices, std::int64_t places, Stream& stream);
  /// Device memory of one, with what a sort on a GPU takes meanwhile.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t places);

  /// All places, or the first `count`, unsorted.
  [[nodiscard]] EdgeList all() { return {edges_.view(), ends_.view()}; }
  [[nodiscard]] EdgeList list(std::int64_t count) { return {edges_.view().first(count), ends_.view().first(count)}; }
  /// Enqueues the sorting of the first `count` places. Valid until the next edges are sorted.
  EdgeRuns sort(std::int64_t count, Stream& stream);
  /// The same for edges that were written in any order: edges alike in start and distance come by their ends.
  EdgeRuns sort_with_ends(std::int64_t count, Stream& stream);

 private:
  EdgeRuns find_runs(View<const Edge> edges, View<const std::uint32_t> ends, Stream& stream);

  int bits_ = 0;  ///< of an edge that differ
  Buffer<Edge> edges_;
  Buffer<Edge> sorted_edges_;
  Buffer<std::uint32_t> ends_;
  Buffer<std::uint32_t> sorted_ends_;
  Buffer<std::uint32_t> begins_;
  Buffer<std::uint32_t> count_;
};

/// The union of two ascending lists without a common key, their keys' explored flags not looked at: calls
/// put(place, key, from_b) for each key whose place is below `length`. A key's place is its own plus the number of
/// lesser keys in the other list. A whole warp.
template <typename Put>
__device__ __forceinline__ void merge_ascending(const Key* a, int a_count, const Key* b, int b_count, int length,
                                                const Put& put) {
  for (const int i : WarpLanes::strided(a_count + b_count)) {
    const bool from_b = i >= a_count;
    const int own = from_b ? i - a_count : i;
    const Key key = from_b ? b[own] : a[own];
    if (key == kNone<Key>) continue;
    const int place = own + rank_in(from_b ? a : b, from_b ? a_count : b_count, key);
    if (place < length) put(place, key, from_b);
  }
}

}  // namespace warpbench::nearest_neighbors
