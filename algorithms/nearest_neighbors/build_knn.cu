// KNN graphs (yu2023 §4.3.4): NN-Descent. Rows begin with random vertices; in each round every pair of neighbours of a
// vertex, the vertex itself among them, proposes an edge in both directions; proposals are sorted and merged into rows
// as backward edges are in Algorithm 5. A pair meets once: entries that have met carry the explored flag. Ends when
// fewer than one entry in a thousand changed, as the authors of NN-Descent do, or after kMaxRounds.
#include <algorithm>
#include <bit>

#include "algorithms/nearest_neighbors/build.hpp"
#include "algorithms/nearest_neighbors/build_kernels.cuh"
#include "device/primitives.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr int kMaxRounds = 30;
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
      const float distance = real ? distance_by_lanes(points, vertex, query) : 0;
      if (lane() == 0) keys[i] = real ? make_key(distance, vertex) : kNoKey;
    }
    __syncwarp();
    sort_keys_by_lanes(keys, padded);
    for (int i = lane(); i < length; i += kWarpSize) graph.set(v, i, keys[i]);
    __syncwarp();
  }
}

/// Pairs of the vertices in row v and v itself, at least one of them new, propose edges that would enter a row.
__global__ void __launch_bounds__(kWarpSize)
    join_kernel(Points<float> points, std::uint32_t begin, std::uint32_t end, GrowingGraph graph, EdgeList proposals,
                View<unsigned long long> proposed) {
  const int degree = graph.degree;
  auto* const keys = dynamic_shared<std::uint64_t>();
  auto* const query = reinterpret_cast<float*>(keys + degree + 1);
  for (std::uint32_t v = begin + blockIdx.x; v < end; v += gridDim.x) {
    for (int i = lane(); i < degree; i += kWarpSize) keys[i] = graph.key(v, i);
    // The vertex is new to whatever is new, and has met the rest.
    if (lane() == 0) keys[degree] = explored(make_key(0, v));
    __syncwarp();
    for (int i = 0; i <= degree; ++i) {
      if (keys[i] == kNoKey) continue;
      const std::uint32_t u = vertex_of(keys[i]);
      for (int c = lane(); c < points.stride; c += kWarpSize) query[c] = points.row(u)[c];
      __syncwarp();
      for (int j = i + 1; j <= degree; ++j) {
        if (keys[j] == kNoKey || (is_explored(keys[i]) && is_explored(keys[j]))) continue;
        const std::uint32_t w = vertex_of(keys[j]);
        const float distance = distance_by_lanes(points, w, query);
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

/// The rows [begin, end) have met: all their entries are explored.
__global__ void mark_met_kernel(std::int64_t begin, std::int64_t end, GrowingGraph graph) {
  const std::int64_t at = begin + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at < end && graph.keys[at] != kNoKey) graph.keys[at] = explored(graph.keys[at]);
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
    sort_keys_by_lanes(added, list);
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

}  // namespace

DeviceGraph build_knn(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream) {
  const auto degree = static_cast<int>(plan.d_max);
  const auto list = static_cast<int>(std::bit_ceil(static_cast<unsigned>(2 * degree)));
  DeviceGraph built;
  built.degree = degree;
  built.sizes = {count};
  built.layers.emplace_back(count * degree, stream);
  Buffer<std::uint64_t> keys(count * degree, stream);
  const GrowingGraph graph{built.layers.front().view(), keys.view(), degree};

  const std::int64_t pairs = std::int64_t{degree} * (degree + 1);  // both directions
  const std::int64_t chunk = std::min(count, std::max<std::int64_t>(1, kProposals / pairs));
  const std::int64_t places = chunk * pairs;
  Buffer<std::uint64_t> edge_keys(places, stream);
  Buffer<std::uint64_t> sorted_keys(places, stream);
  Buffer<std::uint32_t> ends(places, stream);
  Buffer<std::uint32_t> sorted_ends(places, stream);
  Buffer<std::uint32_t> starts(std::min(places, count), stream);
  Buffer<std::uint32_t> start_count(1, stream);
  Buffer<unsigned long long> numbers(2, stream);  // proposed, changed

  const std::int64_t blocks = plan.blocks > 0 ? plan.blocks : std::min<std::int64_t>(count, 1 << 15);
  const std::size_t query_bytes = static_cast<std::size_t>(points.stride) * sizeof(float);
  const std::size_t padded = std::bit_ceil(static_cast<unsigned>(std::max(degree, 2)));
  launch(random_rows_kernel, Grid{blocks, kWarpSize, padded * sizeof(std::uint64_t) + query_bytes}, stream, points,
         count, graph);
  for (int round = 0; round < kMaxRounds; ++round) {
    unsigned long long changed = 0;
    for (std::int64_t begin = 0; begin < count; begin += chunk) {
      const std::int64_t end = std::min(begin + chunk, count);
      numbers.fill(0, stream);
      const std::size_t bytes = (static_cast<std::size_t>(degree) + 2) / 2 * 2 * sizeof(std::uint64_t) + query_bytes;
      launch(join_kernel, Grid{std::min(blocks, end - begin), kWarpSize, bytes}, stream, points, begin, end, graph,
             EdgeList{edge_keys.view(), ends.view()}, numbers.view());
      launch(mark_met_kernel, grid_for((end - begin) * degree), stream, begin * degree, end * degree, graph);
      const auto proposed = static_cast<std::int64_t>(numbers.to_vector(stream).front());
      if (proposed == 0) continue;
      const int bits = 32 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
      // Proposals arrive in any order; sorted by end and then, stably, by start and distance they have one.
      const View<std::uint64_t> keys_in = edge_keys.view().first(proposed);
      const View<std::uint64_t> keys_out = sorted_keys.view().first(proposed);
      const View<std::uint32_t> ends_in = ends.view().first(proposed);
      const View<std::uint32_t> ends_out = sorted_ends.view().first(proposed);
      sort_pairs(ends_in, ends_out, keys_in, keys_out, stream);
      sort_pairs(keys_out, keys_in, ends_out, ends_in, stream, 0, bits);
      start_count.fill(0, stream);
      launch(find_starts_kernel, grid_for(proposed), stream, keys_in, starts.view(), start_count.view());
      launch(merge_proposals_kernel,
             Grid{std::min(blocks, proposed), kWarpSize,
                  static_cast<std::size_t>(degree + 2 * list) * sizeof(std::uint64_t)},
             stream, keys_in, ends_in, starts.view(), start_count.view(), graph, list, numbers.view().subview(1, 1));
      changed += numbers.to_vector(stream)[1];
    }
    if (static_cast<double>(changed) < 1e-3 * static_cast<double>(count * degree)) break;
  }
  built.work.assign(4, 0);
  stream.synchronize();
  return built;
}

}  // namespace warpbench::nearest_neighbors
