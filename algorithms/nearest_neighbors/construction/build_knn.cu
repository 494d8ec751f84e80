// KNN graphs (yu2023 §4.3.4): NN-Descent. Rows begin with random vertices. In each round every pair of neighbours of a
// vertex, the vertex itself among them, proposes an edge in both directions. Proposals are sorted and merged into rows
// as backward edges are in Algorithm 5. Neighbours are those in a vertex's row and those whose rows it is in: the
// document does not say, but with rows alone the descent stalls. A pair meets once: entries that have met carry the
// explored flag. Ends when fewer than one entry in a thousand changed, as the authors of NN-Descent do, or after
// kMaxRounds.
#include <algorithm>
#include <bit>
#include <utility>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "algorithms/nearest_neighbors/construction/growing_graph.cuh"
#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/ranges.cuh"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kMaxRounds = 30;
constexpr double kSettled = 1e-3;  ///< share of the entries that may still change

/// Blocks of one warp, each of which takes vertices in turn.
struct DescentTuning {
  static constexpr std::int64_t kMaxBlocks = 1 << 15;
  static constexpr std::int64_t kProposals = 1 << 25;  ///< places of the proposal list
};

__device__ std::uint32_t scrambled(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

/// A vertex's row of some array of keys, `degree` a vertex.
__device__ View<const Key> row_of(View<const Key> keys, int degree, Vertex vertex) {
  return keys.subview(std::int64_t{vertex} * degree, degree);
}

/// The coordinates of a vertex into shared memory.
__device__ void load_vertex(float* query, const Points<float>& points, Vertex vertex) {
  const float* const row = points.row(vertex);
  for (const int i : WarpLanes::strided(points.stride)) query[i] = row[i];
  WarpLanes::sync();
}

/// Another vertex than v, pseudo-random in one of `parts` equal parts of the others.
__device__ Vertex random_other(Vertex v, std::uint32_t part, std::uint32_t parts, std::uint32_t count) {
  const std::uint32_t size = (count - 1) / parts;
  const std::uint32_t distance = part * size + scrambled(v * 2654435769U + part) % size;
  return (v + 1 + distance) % count;
}

/// Vertex v gets `degree` pseudo-random vertices, all different; `padded`: the degree made a power of two.
__global__ void __launch_bounds__(kWarpSize)
    random_rows_kernel(Points<float> points, std::uint32_t count, int padded, GrowingGraph graph) {
  auto* const keys = dynamic_shared<Key>();
  auto* const query = reinterpret_cast<float*>(keys + padded);
  const auto degree = static_cast<std::uint32_t>(graph.degree);
  const std::uint32_t taken = count - 1 < degree ? count - 1 : degree;
  for (const Vertex v : grid::per_block(count)) {
    load_vertex(query, points, v);
    for (int i = 0; i < padded; ++i) {
      const auto part = static_cast<std::uint32_t>(i);
      Key key = kNone<Key>;
      if (part < taken) {
        const Vertex vertex = random_other(v, part, taken, count);
        key = make_key(distance_by_lanes<kWarpSize>(points, vertex, query), vertex);
      }
      if (lane() == 0) keys[i] = key;
    }
    WarpLanes::sync();
    WarpLanes::sort(keys, padded);
    for (const int i : WarpLanes::strided(graph.degree)) graph.set(v, i, keys[i]);
    WarpLanes::sync();
  }
}

/// Each entry of a row, the other way round. Its `end` is the row's vertex with the entry's flag, as a key has them.
__global__ void reverse_edges_kernel(View<const Key> keys, int degree, EdgeList list) {
  for (const std::int64_t at : grid::strided(keys.size())) {
    const Key key = keys[at];
    const auto vertex = static_cast<Vertex>(at / degree);
    list.set(at, key == kNone<Key> ? kNone<Edge> : make_edge(vertex_of(key), key),
             (vertex << 1) | (is_explored(key) ? 1U : 0U));
  }
}

/// A warp a start vertex: the nearest of the vertices that have it in their rows, `degree` at most.
__global__ void __launch_bounds__(kWarpSize) reverse_rows_kernel(EdgeRuns runs, int degree, View<Key> rows) {
  for (const std::int64_t run : grid::per_block(runs.size())) {
    const std::int64_t begin = runs.begins[run];
    const Vertex vertex = start_of(runs.edges[begin]);
    const View<Key> row = rows.subview(std::int64_t{vertex} * degree, degree);
    for (const int i : WarpLanes::strided(degree)) {
      row[i] = runs.holds(begin + i, vertex) ? (runs.edges[begin + i] << 32) | runs.ends[begin + i] : kNone<Key>;
    }
  }
}

/// Pairs among v, its row and its reverse row, at least one of them new, propose edges that would enter a row.
__global__ void __launch_bounds__(kWarpSize)
    join_kernel(Points<float> points, Extent<Vertex> vertices, View<const Key> forward, View<const Key> backward,
                GrowingGraph graph, EdgeList proposals, View<unsigned long long> proposed) {
  const int degree = graph.degree;
  const int members = 2 * degree + 1;
  auto* const keys = dynamic_shared<Key>();
  auto* const query = reinterpret_cast<float*>(keys + members + 1);
  const auto propose = [&](Vertex from, Key key) {
    if (key >= unexplored(graph.key(from, degree - 1))) return;
    const auto at = static_cast<std::int64_t>(atomicAdd(&proposed[0], 1ULL));
    proposals.set(at, make_edge(from, key), vertex_of(key));
  };
  for (const Vertex v : grid::per_block(vertices)) {
    const View<const Key> row = row_of(forward, degree, v);
    const View<const Key> reverse_row = row_of(backward, degree, v);
    for (const int i : WarpLanes::strided(degree)) {
      keys[i] = row[i];
      keys[degree + i] = reverse_row[i];
    }
    // v is new to whatever is new, and has met the rest.
    if (lane() == 0) keys[2 * degree] = explored(make_key(0, v));
    WarpLanes::sync();
    for (int i = 0; i < members; ++i) {
      if (keys[i] == kNone<Key>) continue;
      const Vertex u = vertex_of(keys[i]);
      load_vertex(query, points, u);
      for (int j = i + 1; j < members; ++j) {
        if (keys[j] == kNone<Key> || (is_explored(keys[i]) && is_explored(keys[j]))) continue;
        const Vertex w = vertex_of(keys[j]);
        if (w == u) continue;  // in the row and in the reverse row
        const float distance = distance_by_lanes<kWarpSize>(points, w, query);
        if (lane() < 2) propose(lane() == 0 ? u : w, make_key(distance, lane() == 0 ? w : u));
      }
      WarpLanes::sync();
    }
  }
}

/// All entries have met.
__global__ void mark_met_kernel(View<Key> keys) {
  for (const std::int64_t at : grid::strided(keys.size())) keys[at] = explored(keys[at]);
}

/// A warp a start vertex: its proposals, each once and none that the row holds, into the row; only the first `list` are
/// looked at.
__global__ void __launch_bounds__(kWarpSize)
    merge_proposals_kernel(EdgeRuns runs, GrowingGraph graph, int list, View<unsigned long long> changed) {
  const int degree = graph.degree;
  auto* const row = dynamic_shared<Key>();
  Key* const proposals = row + degree;
  Key* const added = proposals + list;
  for (const std::int64_t run : grid::per_block(runs.size())) {
    const std::int64_t begin = runs.begins[run];
    const Vertex vertex = start_of(runs.edges[begin]);
    for (const int i : WarpLanes::strided(degree)) row[i] = graph.key(vertex, i);
    for (const int i : WarpLanes::strided(list)) {
      proposals[i] = runs.holds(begin + i, vertex) ? runs.key(begin + i) : kNone<Key>;
    }
    WarpLanes::sync();
    // Repeated ones out, then sorted behind the rest.
    for (const int i : WarpLanes::strided(list)) {
      const Key key = proposals[i];
      const int at = rank_in(row, degree, key);
      const bool repeated = (i > 0 && proposals[i - 1] == key) || (at < degree && unexplored(row[at]) == key);
      added[i] = repeated ? kNone<Key> : key;
    }
    WarpLanes::sync();
    WarpLanes::sort(added, list);
    int entered = 0;
    merge_ascending(row, degree, added, list, degree, [&](int place, Key key, bool is_new) {
      graph.set(vertex, place, key);
      entered += is_new ? 1 : 0;
    });
    if (entered > 0) atomicAdd(&changed[0], static_cast<unsigned long long>(entered));
    WarpLanes::sync();
  }
}

/// The state of a descent: rows, their reverse, and the list that edges are sorted in.
class Descent {
 public:
  Descent(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream)
      : points_(points),
        count_(count),
        degree_(static_cast<int>(plan.d_max)),
        blocks_(plan.blocks > 0 ? plan.blocks : std::min(count, DescentTuning::kMaxBlocks)),
        stream_(&stream),
        ids_(count * degree_, stream),
        keys_(count * degree_, stream),
        forward_(count * degree_, stream),
        backward_(count * degree_, stream),
        proposed_(1, stream),
        changed_(1, stream) {
    const std::int64_t pairs = std::int64_t{2 * degree_} * (2 * degree_ + 1);  // both directions
    chunk_ = std::min(count, std::max<std::int64_t>(1, DescentTuning::kProposals / pairs));
    edges_ = EdgeSorter(count, std::max(chunk_ * pairs, count * degree_), stream);
    const int padded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(degree_, 2))));
    launch(random_rows_kernel, Grid{blocks_, kWarpSize, key_bytes(padded) + query_bytes()}, stream, points, count,
           padded, graph());
  }

  /// One round; how many entries changed.
  std::int64_t round() {
    forward_.copy_from(keys_, *stream_);
    launch(mark_met_kernel, grid_for(keys_.size()), *stream_, keys_.view());
    reverse();
    std::int64_t changed = 0;
    for (std::int64_t begin = 0; begin < count_; begin += chunk_)
      changed += join(begin, std::min(begin + chunk_, count_));
    return changed;
  }

  Buffer<Vertex> take() { return std::move(ids_); }

 private:
  [[nodiscard]] GrowingGraph graph() { return {ids_.view(), keys_.view(), degree_}; }
  [[nodiscard]] static std::size_t key_bytes(int keys) { return static_cast<std::size_t>(keys) * sizeof(Key); }
  [[nodiscard]] std::size_t query_bytes() const { return static_cast<std::size_t>(points_.stride) * sizeof(float); }

  void reverse() {
    const std::int64_t entries = keys_.size();
    launch(reverse_edges_kernel, grid_for(entries), *stream_, forward_.view(), degree_, edges_.list(entries));
    const EdgeRuns runs = edges_.sort(entries, *stream_);
    backward_.fill_bytes(0xff, *stream_);
    launch(reverse_rows_kernel, Grid{blocks_, kWarpSize}, *stream_, runs, degree_, backward_.view());
  }

  std::int64_t join(std::int64_t begin, std::int64_t end) {
    proposed_.fill(0, *stream_);
    const Extent<Vertex> vertices{static_cast<Vertex>(begin), static_cast<Vertex>(end)};
    launch(join_kernel, Grid{std::min(blocks_, end - begin), kWarpSize, key_bytes(2 * degree_ + 2) + query_bytes()},
           *stream_, points_, vertices, forward_.view(), backward_.view(), graph(), edges_.all(), proposed_.view());
    const auto proposed = static_cast<std::int64_t>(proposed_.to_vector(*stream_).front());
    if (proposed == 0) return 0;
    const EdgeRuns runs = edges_.sort_with_ends(proposed, *stream_);
    changed_.fill(0, *stream_);
    const int list = static_cast<int>(std::bit_ceil(static_cast<unsigned>(2 * degree_)));
    launch(merge_proposals_kernel, Grid{std::min(blocks_, proposed), kWarpSize, key_bytes(degree_ + 2 * list)},
           *stream_, runs, graph(), list, changed_.view());
    return static_cast<std::int64_t>(changed_.to_vector(*stream_).front());
  }

  Points<float> points_;
  std::int64_t count_;
  int degree_;
  std::int64_t blocks_;
  std::int64_t chunk_ = 1;
  Stream* stream_;
  Buffer<Vertex> ids_;
  Buffer<Key> keys_;
  Buffer<Key> forward_;   ///< the rows as they were when the round began
  Buffer<Key> backward_;  ///< for each vertex whose rows held it then
  Buffer<unsigned long long> proposed_;
  Buffer<unsigned long long> changed_;
  EdgeSorter edges_;
};

}  // namespace

DeviceProximityGraph build_knn(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream) {
  Descent descent(points, count, plan, stream);
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::int64_t changed = descent.round();
    if (static_cast<double>(changed) < kSettled * static_cast<double>(count * plan.d_max)) break;
  }
  DeviceProximityGraph built;
  built.degree = static_cast<int>(plan.d_max);
  built.sizes = {count};
  built.layers.push_back(descent.take());
  stream.synchronize();
  return built;
}

}  // namespace warpbench::nearest_neighbors
