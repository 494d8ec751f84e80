// KNN graphs (yu2023 §4.3.4): NN-Descent. Rows begin with random vertices; in each round every pair of neighbours of a
// vertex, the vertex itself among them, proposes an edge in both directions; proposals are sorted and merged into rows
// as backward edges are in Algorithm 5. Neighbours are those in a vertex's row and those whose rows it is in: the
// document does not say, but with rows alone the descent stalls. A pair meets once: entries that have met carry the
// explored flag. Ends when fewer than one entry in a thousand changed, as the authors of NN-Descent do, or after
// kMaxRounds.
#include <algorithm>
#include <bit>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "algorithms/nearest_neighbors/construction/build_kernels.cuh"
#include "device/primitives.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kMaxRounds = 30;
constexpr double kSettled = 1e-3;                           ///< share of the entries that may still change
constexpr std::int64_t kProposals = std::int64_t{1} << 25;  ///< places of the proposal list

__device__ std::uint32_t scrambled(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

/// Vertex v gets the vertices at `degree` pseudo-random distances from it, all different: row by row one search's
/// lanes.
__global__ void __launch_bounds__(kWarpSize)
    random_rows_kernel(Points<float> points, std::uint32_t count, GrowingGraph graph) {
  auto* const keys = dynamic_shared<std::uint64_t>();
  const int length = graph.degree;  // rounded up to a power of two by the host: the rest is no key
  int padded = 2;
  while (padded < length) padded *= 2;
  auto* const query = reinterpret_cast<float*>(keys + padded);
  for (std::uint32_t v = blockIdx.x; v < count; v += gridDim.x) {
    for (int i = lane(); i < points.stride; i += kWarpSize) query[i] = points.row(v)[i];
    __syncwarp();
    const std::uint32_t others = count - 1;
    const std::uint32_t taken =
        others < static_cast<std::uint32_t>(length) ? others : static_cast<std::uint32_t>(length);
    const std::uint32_t stride = taken == 0 ? 1 : others / taken;
    for (int i = 0; i < padded; ++i) {
      // One of each of `taken` equal parts of the other vertices.
      const auto part = static_cast<std::uint32_t>(i);
      std::uint32_t vertex = part * stride + (stride > 0 ? scrambled(v * 2654435769U + part) % stride : 0);
      vertex = (v + 1 + vertex) % count;
      const bool real = part < taken;
      const float distance = real ? distance_by_lanes<kWarpSize>(points, vertex, query) : 0;
      if (lane() == 0) keys[i] = real ? make_key(distance, vertex) : kNoKey;
    }
    __syncwarp();
    Lanes<kWarpSize>::sort(keys, padded);
    for (int i = lane(); i < length; i += kWarpSize) graph.set(v, i, keys[i]);
    __syncwarp();
  }
}

/// Each entry of a row, the other way round: start vertex and distance as a key, the row's vertex and the entry's flag.
__global__ void reverse_edges_kernel(View<const std::uint64_t> keys, int degree, EdgeList edges) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= keys.size()) return;
  const std::uint64_t key = keys[at];
  edges.keys[at] = key == kNoKey ? kNoEdge : (std::uint64_t{vertex_of(key)} << 32) | (key >> 32);
  edges.ends[at] = (static_cast<std::uint32_t>(at / degree) << 1) | (is_explored(key) ? 1U : 0U);
}

/// A warp a start vertex: the nearest of the vertices that have it in their rows, `degree` at most.
__global__ void __launch_bounds__(kWarpSize)
    reverse_rows_kernel(View<const std::uint64_t> keys, View<const std::uint32_t> ends,
                        View<const std::uint32_t> starts, View<const std::uint32_t> count, int degree,
                        View<std::uint64_t> rows) {
  for (std::int64_t s = blockIdx.x; s < static_cast<std::int64_t>(count[0]); s += gridDim.x) {
    const auto start = static_cast<std::int64_t>(starts[s]);
    const auto vertex = static_cast<std::int64_t>(keys[start] >> 32);
    for (int i = lane(); i < degree; i += kWarpSize) {
      const bool mine = start + i < keys.size() && keys[start + i] >> 32 == static_cast<std::uint64_t>(vertex);
      rows[vertex * degree + i] = mine ? (keys[start + i] << 32) | ends[start + i] : kNoKey;
    }
  }
}

/// Pairs among v, its row and its reverse row, at least one of them new, propose edges that would enter a row.
__global__ void __launch_bounds__(kWarpSize)
    join_kernel(Points<float> points, std::uint32_t begin, std::uint32_t end, View<const std::uint64_t> forward,
                View<const std::uint64_t> backward, GrowingGraph graph, EdgeList proposals,
                View<unsigned long long> proposed) {
  const int degree = graph.degree;
  const int members = 2 * degree + 1;
  auto* const keys = dynamic_shared<std::uint64_t>();
  auto* const query = reinterpret_cast<float*>(keys + members + 1);
  for (std::uint32_t v = begin + blockIdx.x; v < end; v += gridDim.x) {
    for (int i = lane(); i < degree; i += kWarpSize) {
      keys[i] = forward[std::int64_t{v} * degree + i];
      keys[degree + i] = backward[std::int64_t{v} * degree + i];
    }
    // v is new to whatever is new, and has met the rest.
    if (lane() == 0) keys[2 * degree] = explored(make_key(0, v));
    __syncwarp();
    for (int i = 0; i < members; ++i) {
      if (keys[i] == kNoKey) continue;
      const std::uint32_t u = vertex_of(keys[i]);
      for (int c = lane(); c < points.stride; c += kWarpSize) query[c] = points.row(u)[c];
      __syncwarp();
      for (int j = i + 1; j < members; ++j) {
        if (keys[j] == kNoKey || (is_explored(keys[i]) && is_explored(keys[j]))) continue;
        const std::uint32_t w = vertex_of(keys[j]);
        if (w == u) continue;  // in the row and in the reverse row
        const float distance = distance_by_lanes<kWarpSize>(points, w, query);
        if (lane() < 2) {
          const std::uint32_t from = lane() == 0 ? u : w;
          const std::uint64_t key = make_key(distance, lane() == 0 ? w : u);
          if (key < unexplored(graph.key(from, degree - 1))) {
            const auto at = static_cast<std::int64_t>(atomicAdd(&proposed[0], 1ULL));
            proposals.keys[at] = (std::uint64_t{from} << 32) | (key >> 32);
            proposals.ends[at] = vertex_of(key);
          }
        }
      }
      __syncwarp();
    }
  }
}

/// All entries have met.
__global__ void mark_met_kernel(View<std::uint64_t> keys) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at < keys.size() && keys[at] != kNoKey) keys[at] = explored(keys[at]);
}

/// A warp a start vertex: its proposals, each once and none that the row holds, into the row; only the first `list` are
/// looked at.
__global__ void __launch_bounds__(kWarpSize)
    merge_proposals_kernel(View<const std::uint64_t> keys, View<const std::uint32_t> ends,
                           View<const std::uint32_t> starts, View<const std::uint32_t> count, GrowingGraph graph,
                           int list, View<unsigned long long> changed) {
  const int degree = graph.degree;
  auto* const row = dynamic_shared<std::uint64_t>();
  std::uint64_t* const added = row + degree;
  for (std::int64_t s = blockIdx.x; s < static_cast<std::int64_t>(count[0]); s += gridDim.x) {
    const auto start = static_cast<std::int64_t>(starts[s]);
    const auto vertex = static_cast<std::uint32_t>(keys[start] >> 32);
    for (int i = lane(); i < degree; i += kWarpSize) row[i] = graph.key(vertex, i);
    for (int i = lane(); i < list; i += kWarpSize) {
      const bool mine = start + i < keys.size() && keys[start + i] >> 32 == vertex;
      added[i] = mine ? (keys[start + i] << 32) | (std::uint64_t{ends[start + i]} << 1) : kNoKey;
    }
    __syncwarp();
    // Repeated ones out, then sorted behind the rest.
    for (int base = 0; base < list; base += kWarpSize) {
      const int i = base + lane();
      bool out = false;
      if (i < list && added[i] != kNoKey) {
        const int at = rank_in(row, degree, added[i]);
        out = (i > 0 && added[i - 1] == added[i]) || (at < degree && unexplored(row[at]) == added[i]);
      }
      const std::uint64_t key = i < list && !out ? added[i] : kNoKey;
      __syncwarp();
      if (out) row[degree + list + i] = kNoKey;
      if (i < list && !out) row[degree + list + i] = key;
    }
    __syncwarp();
    for (int i = lane(); i < list; i += kWarpSize) added[i] = row[degree + list + i];
    __syncwarp();
    Lanes<kWarpSize>::sort(added, list);
    int entered = 0;
    for (int i = lane(); i < degree + list; i += kWarpSize) {
      const bool old = i < degree;
      const int own = old ? i : i - degree;
      const std::uint64_t key = old ? row[own] : added[own];
      if (key == kNoKey) continue;
      const int place = own + rank_in(old ? added : row, old ? list : degree, key);
      if (place >= degree) continue;
      graph.set(vertex, place, key);
      entered += old ? 0 : 1;
    }
    if (entered > 0) atomicAdd(&changed[0], static_cast<unsigned long long>(entered));
    __syncwarp();
  }
}

/// The state of a descent: rows, their reverse, and the list that edges are sorted in.
class Descent {
 public:
  Descent(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream)
      : points_(points),
        count_(count),
        degree_(static_cast<int>(plan.d_max)),
        blocks_(plan.blocks > 0 ? plan.blocks : std::min<std::int64_t>(count, 1 << 15)),
        stream_(&stream),
        ids_(count * degree_, stream),
        keys_(count * degree_, stream),
        forward_(count * degree_, stream),
        backward_(count * degree_, stream),
        starts_(count, stream),
        start_count_(1, stream),
        numbers_(2, stream) {
    const std::int64_t pairs = std::int64_t{2 * degree_} * (2 * degree_ + 1);  // both directions
    chunk_ = std::min(count, std::max<std::int64_t>(1, kProposals / pairs));
    const std::int64_t places = std::max(chunk_ * pairs, count * degree_);
    edge_keys_ = Buffer<std::uint64_t>(places, stream);
    sorted_keys_ = Buffer<std::uint64_t>(places, stream);
    ends_ = Buffer<std::uint32_t>(places, stream);
    sorted_ends_ = Buffer<std::uint32_t>(places, stream);
    const std::size_t padded = std::bit_ceil(static_cast<unsigned>(std::max(degree_, 2)));
    launch(random_rows_kernel, Grid{blocks_, kWarpSize, padded * sizeof(std::uint64_t) + query_bytes()}, stream, points,
           count, graph());
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

  Buffer<std::uint32_t> take() { return std::move(ids_); }

 private:
  [[nodiscard]] GrowingGraph graph() { return {ids_.view(), keys_.view(), degree_}; }
  [[nodiscard]] std::size_t query_bytes() const { return static_cast<std::size_t>(points_.stride) * sizeof(float); }
  [[nodiscard]] int key_bits() const {
    return 32 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count_)));
  }

  void reverse() {
    const std::int64_t edges = keys_.size();
    launch(reverse_edges_kernel, grid_for(edges), *stream_, forward_.view(), degree_,
           EdgeList{edge_keys_.view(), ends_.view()});
    const View<std::uint64_t> keys = sorted_keys_.view().first(edges);
    const View<std::uint32_t> ends = sorted_ends_.view().first(edges);
    sort_pairs(edge_keys_.view().first(edges), keys, ends_.view().first(edges), ends, *stream_, 0, key_bits());
    find_starts(keys);
    backward_.fill_bytes(0xff, *stream_);
    launch(reverse_rows_kernel, Grid{blocks_, kWarpSize}, *stream_, keys, ends, starts_.view(), start_count_.view(),
           degree_, backward_.view());
  }

  void find_starts(View<const std::uint64_t> keys) {
    start_count_.fill(0, *stream_);
    launch(find_starts_kernel, grid_for(keys.size()), *stream_, keys, starts_.view(), start_count_.view());
  }

  std::int64_t join(std::int64_t begin, std::int64_t end) {
    numbers_.fill(0, *stream_);
    const std::size_t bytes = (2 * static_cast<std::size_t>(degree_) + 2) * sizeof(std::uint64_t) + query_bytes();
    launch(join_kernel, Grid{std::min(blocks_, end - begin), kWarpSize, bytes}, *stream_, points_, begin, end,
           forward_.view(), backward_.view(), graph(), EdgeList{edge_keys_.view(), ends_.view()}, numbers_.view());
    const auto proposed = static_cast<std::int64_t>(numbers_.to_vector(*stream_).front());
    if (proposed == 0) return 0;
    // Proposals arrive in any order; sorted by end and then, stably, by start and distance they have one.
    const View<std::uint64_t> keys = edge_keys_.view().first(proposed);
    const View<std::uint64_t> by_end = sorted_keys_.view().first(proposed);
    const View<std::uint32_t> ends = ends_.view().first(proposed);
    const View<std::uint32_t> ends_by_end = sorted_ends_.view().first(proposed);
    sort_pairs(ends, ends_by_end, keys, by_end, *stream_);
    sort_pairs(by_end, keys, ends_by_end, ends, *stream_, 0, key_bits());
    find_starts(keys);
    const auto list = static_cast<int>(std::bit_ceil(static_cast<unsigned>(2 * degree_)));
    launch(merge_proposals_kernel,
           Grid{std::min(blocks_, proposed), kWarpSize,
                static_cast<std::size_t>(degree_ + 2 * list) * sizeof(std::uint64_t)},
           *stream_, keys, ends, starts_.view(), start_count_.view(), graph(), list, numbers_.view().subview(1, 1));
    return static_cast<std::int64_t>(numbers_.to_vector(*stream_)[1]);
  }

  Points<float> points_;
  std::int64_t count_;
  int degree_;
  std::int64_t blocks_;
  std::int64_t chunk_ = 1;
  Stream* stream_;
  Buffer<std::uint32_t> ids_;
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint64_t> forward_;   ///< the rows as they were when the round began
  Buffer<std::uint64_t> backward_;  ///< for each vertex whose rows held it then
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> start_count_;
  Buffer<unsigned long long> numbers_;  ///< proposed, changed
  Buffer<std::uint64_t> edge_keys_;
  Buffer<std::uint64_t> sorted_keys_;
  Buffer<std::uint32_t> ends_;
  Buffer<std::uint32_t> sorted_ends_;
};

}  // namespace

DeviceGraph build_knn(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream) {
  Descent descent(points, count, plan, stream);
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::int64_t changed = descent.round();
    if (static_cast<double>(changed) < kSettled * static_cast<double>(count * plan.d_max)) break;
  }
  DeviceGraph built;
  built.degree = static_cast<int>(plan.d_max);
  built.sizes = {count};
  built.layers.push_back(descent.take());
  stream.synchronize();
  return built;
}

}  // namespace warpbench::nearest_neighbors
