// The kernels of GGraphCon (yu2023 §4.3.2, Algorithm 5): local graphs, one block each; then a batch of points searches
// the graph so far, and its backward edges, sorted by start vertex and distance, are merged into the rows they belong
// to.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// G while it is built: ids for the searches, and the same rows as keys, ascending, with their distances.
struct GrowingGraph {
  View<std::uint32_t> ids;
  View<std::uint64_t> keys;
  int degree;  ///< d_max

  __device__ void set(std::uint32_t vertex, int place, std::uint64_t key) const {
    const std::int64_t at = std::int64_t{vertex} * degree + place;
    keys[at] = key;
    ids[at] = key == kNoKey ? 0xffffffffU : vertex_of(key);
  }
  __device__ std::uint64_t key(std::uint32_t vertex, int place) const {
    return keys[std::int64_t{vertex} * degree + place];
  }
};

/// G': for each point its nearest earlier ones within its group, d_min places each.
struct LocalNeighbors {
  View<std::uint64_t> keys;
  int degree;  ///< d_min

  __device__ std::uint64_t* row(std::uint32_t vertex) const {
    return keys.subview(std::int64_t{vertex} * degree, degree).data();
  }
};

/// Points begin + g × size … belong to group g; the last group may be shorter.
struct Groups {
  std::uint32_t points;
  std::uint32_t size;
  std::uint32_t count;
};

template <typename Search, typename T>
__device__ void load_query(Search& search, const Points<T>& points, std::uint32_t vertex) {
  const T* const row = points.row(vertex);
  for (int i = lane(); i < points.stride; i += kWarpSize) search.query()[i] = row[i];
  __syncwarp();
}

/// Phase 1 (lines 2-8): each block inserts the points of its groups one after the other.
template <typename Search>
__global__ void __launch_bounds__(kWarpSize)
    build_local_kernel(Points<typename Search::Coordinate> points, Groups groups, GrowingGraph graph,
                       LocalNeighbors local, SearchShape shape, View<WorkTotals> totals) {
  Search search(shape, dynamic_shared<unsigned char>());
  SearchWork work;
  const std::uint64_t begin_ticks = shape.profile ? clock_ticks() : 0;
  for (std::uint32_t group = blockIdx.x; group < groups.count; group += gridDim.x) {
    const std::uint32_t begin = group * groups.size;
    const std::uint32_t end = begin + groups.size < groups.points ? begin + groups.size : groups.points;
    for (std::uint32_t v = begin; v < end; ++v) {
      GraphView view;
      view.layers[0] = graph.ids;
      view.degree = graph.degree;
      view.first = begin;
      view.vertices = v - begin;
      if (v > begin) {
        load_query(search, points, v);
        search.run(view, points, work);
      }
      // Step 1: what was found is v's row in G and in G'.
      for (int i = lane(); i < graph.degree; i += kWarpSize) {
        const bool real = v > begin && i < local.degree && search.found()[i] != kNoKey;
        const std::uint64_t key = real ? unexplored(search.found()[i]) : kNoKey;
        graph.set(v, i, key);
        if (i < local.degree) local.row(v)[i] = key;
      }
      __syncwarp();
      // Step 2: v into the rows of what was found.
      for (int i = 0; v > begin && i < local.degree && search.found()[i] != kNoKey; ++i) {
        const std::uint64_t key = search.found()[i];
        const std::uint32_t found = vertex_of(key);
        insert_sorted(
            graph.degree, (key >> 32 << 32) | (std::uint64_t{v} << 1),
            [&](int place) { return graph.key(found, place); },
            [&](int place, std::uint64_t moved) { graph.set(found, place, moved); });
      }
      __syncwarp();
    }
  }
  work.ticks.total = shape.profile ? clock_ticks() - begin_ticks : 0;
  if (lane() == 0) add_work(totals, work);
}

/// An edge list of `d_min` places a point of the batch: start vertex and distance as a key, end vertex as its value.
struct EdgeList {
  View<std::uint64_t> keys;
  View<std::uint32_t> ends;
};
inline constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

/// Phase 2, step 1 (lines 11-17): a point of the batch [begin, end) searches `graph`, which holds the points before
/// `begin`; with its row of G' that makes its forward edges, and each edge backwards goes into E.
template <typename Search>
__global__ void __launch_bounds__(128)
    build_search_kernel(Points<typename Search::Coordinate> points, GraphView view, std::uint32_t begin,
                        std::uint32_t end, GrowingGraph graph, LocalNeighbors local, EdgeList edges, SearchShape shape,
                        std::uint32_t search_bytes, View<WorkTotals> totals) {
  Search search(shape, dynamic_shared<unsigned char>() + threadIdx.y * search_bytes);
  SearchWork work;
  const std::uint64_t begin_ticks = shape.profile ? clock_ticks() : 0;
  for (std::uint32_t v = begin + blockIdx.x * blockDim.y + threadIdx.y; v < end; v += gridDim.x * blockDim.y) {
    load_query(search, points, v);
    search.run(view, points, work);
    for (int i = lane(); i < graph.degree; i += kWarpSize) graph.set(v, i, kNoKey);
    __syncwarp();
    const std::int64_t first_edge = std::int64_t{v - begin} * local.degree;
    for (int i = lane(); i < local.degree; i += kWarpSize) edges.keys[first_edge + i] = kNoEdge;
    __syncwarp();
    // Both lists ascend: a key's place in their union is its own place plus the number of lesser keys in the other.
    const std::uint64_t* const earlier = local.row(v);
    for (int i = lane(); i < 2 * local.degree; i += kWarpSize) {
      const bool from_search = i < local.degree;
      const int own = from_search ? i : i - local.degree;
      const std::uint64_t key = from_search ? search.found()[own] : earlier[own];
      if (key == kNoKey) continue;
      const int place = own + rank_in(from_search ? earlier : search.found(), local.degree, key);
      if (place >= local.degree) continue;
      graph.set(v, place, unexplored(key));
      edges.keys[first_edge + place] = (std::uint64_t{vertex_of(key)} << 32) | (key >> 32);
      edges.ends[first_edge + place] = v;
    }
    __syncwarp();
  }
  work.ticks.total = shape.profile ? clock_ticks() - begin_ticks : 0;
  if (lane() == 0) add_work(totals, work);
}

/// Phase 2, step 2: where the edges of each start vertex begin in the sorted E. The order of `starts` is arbitrary;
/// rows are independent of each other.
// NOLINTNEXTLINE(misc-use-anonymous-namespace): a kernel cannot be inline; each file that launches it has its own.
static __global__ void find_starts_kernel(View<const std::uint64_t> keys, View<std::uint32_t> starts,
                                          View<std::uint32_t> count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= keys.size() || keys[i] == kNoEdge) return;
  if (i == 0 || keys[i - 1] >> 32 != keys[i] >> 32) {
    starts[std::int64_t{atomicAdd(&count[0], 1U)}] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace warpbench::nearest_neighbors
