// The kernels of GGraphCon that search (yu2023 §4.3.2, Algorithm 5): local graphs, one block each; then a batch of
// points searches the graph so far, and its backward edges go into a list. Each search instantiates them in its file.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/nearest_neighbors/construction/growing_graph.cuh"
#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

struct BuildTuning {
  static constexpr int kRows = 4;  ///< warps of a block at most, a point or a row of the graph each
  static constexpr int kThreads = kRows * kWarpSize;
  static constexpr std::int64_t kMaxMergeBlocks = 4096;
};

/// G': for each point its nearest earlier ones within its group, d_min places each.
struct LocalNeighbors {
  View<Key> keys;
  int degree;  ///< d_min

  __device__ Key* row(Vertex vertex) const { return keys.subview(std::int64_t{vertex} * degree, degree).data(); }
};

/// Group g holds `size` points from g × size on; the last group may be shorter.
struct Groups {
  Vertex points;
  Vertex size;
  Vertex count;

  __device__ Extent<Vertex> operator[](Vertex group) const {
    const Vertex begin = group * size;
    return {begin, begin + size < points ? begin + size : points};
  }
};

/// The blocks of a launch in which each warp takes points or rows.
struct WarpBlocks {
  std::int64_t count;
  int warps;  ///< of a block
};

/// Phase 1 for some groups.
struct LocalBuild {
  Points<float> points;
  Groups groups;
  GrowingGraph graph;
  LocalNeighbors local;
  SearchShape shape;
  View<WorkTotals> totals;
};

/// Phase 2, step 1, for the points of a batch.
struct BatchBuild {
  Points<float> points;
  GraphView found_so_far;  ///< the points before the batch
  Extent<Vertex> batch;
  GrowingGraph graph;
  LocalNeighbors local;
  EdgeList edges;  ///< local.degree places a point of the batch
  SearchShape shape;
  View<WorkTotals> totals;
};

template <typename Search>
__device__ void load_query(Search& search, const Points<float>& points, Vertex vertex) {
  const float* const row = points.row(vertex);
  for (const int i : WarpLanes::strided(points.stride)) search.query()[i] = row[i];
  WarpLanes::sync();
}

/// Step 1 of an insertion: the keys that were found are v's row in G and in G'.
__device__ inline void set_rows(const LocalBuild& build, Vertex v, const Key* found) {
  for (const int i : WarpLanes::strided(build.graph.degree)) {
    const bool real = found != nullptr && i < build.local.degree && found[i] != kNone<Key>;
    const Key key = real ? unexplored(found[i]) : kNone<Key>;
    build.graph.set(v, i, key);
    if (i < build.local.degree) build.local.row(v)[i] = key;
  }
  WarpLanes::sync();
}

/// Step 2: v into the rows of the vertices that were found.
__device__ inline void insert_backwards(const LocalBuild& build, Vertex v, const Key* found) {
  const GrowingGraph& graph = build.graph;
  for (int i = 0; i < build.local.degree && found[i] != kNone<Key>; ++i) {
    const Vertex neighbor = vertex_of(found[i]);
    insert_sorted(
        graph.degree, with_vertex(found[i], v), [&](int place) { return graph.key(neighbor, place); },
        [&](int place, Key moved) { graph.set(neighbor, place, moved); });
  }
  WarpLanes::sync();
}

/// Phase 1 (lines 2-8): each block inserts the points of its groups one after the other.
template <typename Search>
__global__ void __launch_bounds__(kWarpSize) build_local_kernel(LocalBuild build) {
  Search search(build.shape, search_memory<Search>(build.shape));
  SearchWork work(build.shape);
  for (const Vertex group : grid::per_block(build.groups.count)) {
    const Extent<Vertex> members = build.groups[group];
    set_rows(build, members.begin, nullptr);
    for (Vertex v = members.begin + 1; v < members.end; ++v) {
      GraphView earlier;
      earlier.layers[0] = build.graph.ids;
      earlier.degree = build.graph.degree;
      earlier.first = members.begin;
      earlier.vertices = v - members.begin;
      load_query(search, build.points, v);
      search.run(earlier, build.points, work);
      set_rows(build, v, search.found());
      insert_backwards(build, v, search.found());
    }
  }
  work.add_to(build.totals);
}

/// Phase 2, step 1 (lines 11-17): a point of the batch searches the graph so far; with its row of G' that makes its
/// forward edges, and each edge backwards goes into E.
template <typename Search>
__global__ void __launch_bounds__(BuildTuning::kThreads) build_batch_kernel(BatchBuild build) {
  Search search(build.shape, search_memory<Search>(build.shape));
  SearchWork work(build.shape);
  const int d_min = build.local.degree;
  for (const Vertex v : grid::per_warp(build.batch)) {
    load_query(search, build.points, v);
    search.run(build.found_so_far, build.points, work);
    const EdgeList edges = build.edges.subview(std::int64_t{v - build.batch.begin} * d_min, d_min);
    for (const int i : WarpLanes::strided(build.graph.degree)) build.graph.set(v, i, kNone<Key>);
    for (const int i : WarpLanes::strided(d_min)) edges.set(i, kNone<Edge>, v);
    WarpLanes::sync();
    merge_ascending(search.found(), d_min, build.local.row(v), d_min, d_min, [&](int place, Key key, bool /*earlier*/) {
      build.graph.set(v, place, unexplored(key));
      edges.set(place, make_edge(vertex_of(key), key), v);
    });
    WarpLanes::sync();
  }
  work.add_to(build.totals);
}

template <typename Search>
void launch_build_local(const LocalBuild& build, std::int64_t blocks, Stream& stream) {
  launch(build_local_kernel<Search>, Grid{blocks, kWarpSize, search_bytes<Search>(build.shape)}, stream, build);
}

template <typename Search>
void launch_build_batch(const BatchBuild& build, const WarpBlocks& blocks, Stream& stream) {
  const std::size_t bytes = static_cast<std::size_t>(blocks.warps) * search_bytes<Search>(build.shape);
  launch(build_batch_kernel<Search>, Grid{blocks.count, {kWarpSize, blocks.warps}, bytes}, stream, build);
}

}  // namespace warpbench::nearest_neighbors
