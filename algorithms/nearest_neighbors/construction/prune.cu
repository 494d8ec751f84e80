#include "algorithms/nearest_neighbors/construction/prune.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "algorithms/nearest_neighbors/construction/connect.hpp"
#include "algorithms/nearest_neighbors/construction/growing_graph.cuh"
#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"
#include "solvers/registry.hpp"

namespace warpbench::nearest_neighbors {
namespace {

struct PruneTuning {
  static constexpr int kRows = 4;  ///< warps of a block, a vertex each
  static constexpr std::int64_t kMaxBlocks = 1 << 15;
};

/// A vertex's list: `length` vertices, the nearest first; a vertex that finds itself is among them, and kNone fills the
/// rest.
struct NeighborLists {
  View<const Vertex> ids;
  int length;

  __device__ View<const Vertex> operator[](Vertex vertex) const {
    return ids.subview(std::int64_t{vertex} * length, length);
  }
};

/// Where each vertex of a list stands in it. In shared memory, a warp each.
class Ranks {
 public:
  static constexpr int kMissing = -1;

  /// A power of two, at least twice as many places as vertices.
  WARPBENCH_HOST_DEVICE static int places(int length) {
    int places = 2;
    while (places < 2 * length) places *= 2;
    return places;
  }

  __device__ Ranks(Key* table, int length) : table_(table), mask_(static_cast<std::uint32_t>(places(length) - 1)) {}

  /// From nothing. Vertices of a list differ.
  __device__ void fill(const Vertex* list, int length) {
    for (const int i : WarpLanes::strided(places(length))) table_[i] = kNone<Key>;
    WarpLanes::sync();
    for (const int i : WarpLanes::strided(length)) {
      if (list[i] == kNone<Vertex>) continue;
      const Key entry = (Key{list[i]} << 32) | static_cast<std::uint32_t>(i);
      std::uint32_t at = home_in_table(list[i], mask_);
      while (atomicCAS(reinterpret_cast<unsigned long long*>(&table_[at]), kNone<unsigned long long>, entry) !=
             kNone<unsigned long long>) {
        at = (at + 1) & mask_;
      }
    }
    WarpLanes::sync();
  }

  [[nodiscard]] __device__ int of(Vertex vertex) const {
    for (std::uint32_t at = home_in_table(vertex, mask_); table_[at] != kNone<Key>; at = (at + 1) & mask_) {
      if (table_[at] >> 32 == vertex) return static_cast<int>(static_cast<std::uint32_t>(table_[at]));
    }
    return kMissing;
  }

 private:
  Key* table_;
  std::uint32_t mask_;
};

/// Shared memory of a warp that prunes a list.
struct PruneMemory {
  int length;
  int padded;  ///< the length made a power of two

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::size_t bytes() const {
    const auto keys = static_cast<std::size_t>(Ranks::places(length) + padded);
    return keys * sizeof(Key) + 2 * static_cast<std::size_t>(padded) * sizeof(std::uint32_t);
  }
  [[nodiscard]] __device__ Key* table() const { return dynamic_shared<Key>(threadIdx.y * bytes()); }
  [[nodiscard]] __device__ Key* order() const { return table() + Ranks::places(length); }
  [[nodiscard]] __device__ Vertex* list() const { return reinterpret_cast<Vertex*>(order() + padded); }
  [[nodiscard]] __device__ std::uint32_t* detours() const { return list() + padded; }
};

/// A warp a vertex u: of its list the `degree` vertices with the fewest detours, the nearer first among equals.
__global__ void __launch_bounds__(PruneTuning::kRows* kWarpSize)
    prune_kernel(NeighborLists lists, PruneMemory memory, Extent<Vertex> vertices, int degree, View<Vertex> rows) {
  Vertex* const list = memory.list();
  std::uint32_t* const detours = memory.detours();
  Key* const order = memory.order();
  Ranks ranks(memory.table(), lists.length);
  for (const Vertex u : grid::per_warp(vertices)) {
    for (const int i : WarpLanes::strided(lists.length)) {
      list[i] = lists[u][i];
      detours[i] = 0;
    }
    WarpLanes::sync();
    ranks.fill(list, lists.length);
    for (int first = 0; first < lists.length && list[first] != kNone<Vertex>; ++first) {
      if (list[first] == u) continue;
      const View<const Vertex> second = lists[list[first]];
      for (const int i : WarpLanes::strided(lists.length)) {
        const int end = second[i] == kNone<Vertex> ? Ranks::kMissing : ranks.of(second[i]);
        if (end > first && end > i) atomicAdd(&detours[end], 1U);
      }
    }
    WarpLanes::sync();
    for (const int i : WarpLanes::strided(memory.padded)) {
      const bool candidate = i < lists.length && list[i] != kNone<Vertex> && list[i] != u;
      order[i] = candidate ? (Key{detours[i]} << 32) | static_cast<std::uint32_t>(i) : kNone<Key>;
    }
    WarpLanes::sync();
    WarpLanes::sort(order, memory.padded);
    WarpLanes::sync();
    for (const int i : WarpLanes::strided(degree)) {
      const bool kept = i < memory.padded && order[i] != kNone<Key>;
      rows[std::int64_t{u} * degree + i] = kept ? list[static_cast<std::uint32_t>(order[i])] : kNone<Vertex>;
    }
    WarpLanes::sync();
  }
}

/// The edges of all rows, the other way round; of those that start at a vertex the ones that stand first in their rows
/// come first.
__global__ void turn_edges_kernel(View<const Vertex> rows, int degree, EdgeList list) {
  for (const std::int64_t at : grid::strided(rows.size())) {
    const auto vertex = static_cast<Vertex>(at / degree);
    const auto place = static_cast<std::uint32_t>(at % degree);
    list.set(at, rows[at] == kNone<Vertex> ? kNone<Edge> : (Edge{rows[at]} << 32) | place, vertex);
  }
}

/// A warp a vertex with edges back: the first half of its row stays, then come edges back, then the rest of the row.
__global__ void __launch_bounds__(PruneTuning::kRows* kWarpSize)
    add_reverse_kernel(EdgeRuns runs, int degree, View<Vertex> rows) {
  Vertex* const row = dynamic_shared<Vertex>() + threadIdx.y * 2 * degree;
  Vertex* const added = row + degree;
  const int kept = (degree + 1) / 2;
  const auto among = [](const Vertex* list, int count, Vertex vertex) {
    for (int i = 0; i < count; ++i) {
      if (list[i] == vertex) return true;
    }
    return false;
  };
  for (const std::int64_t run : grid::per_warp(runs.size())) {
    const std::int64_t begin = runs.begins[run];
    const Vertex vertex = start_of(runs.edges[begin]);
    const View<Vertex> out = rows.subview(std::int64_t{vertex} * degree, degree);
    for (const int i : WarpLanes::strided(degree)) row[i] = out[i];
    WarpLanes::sync();
    int size = 0;  // of `added`
    for (const auto [i, inside] : WarpLanes::rounds(degree)) {
      const bool enters = inside && runs.holds(begin + i, vertex) && !among(row, kept, runs.ends[begin + i]);
      const auto [place, count] = warp::compact(enters);
      if (enters) added[size + place] = runs.ends[begin + i];
      size += count;
    }
    WarpLanes::sync();
    int filled = kept;
    for (const auto [i, inside] : WarpLanes::rounds(size)) {
      if (inside && kept + i < degree) out[kept + i] = added[i];
    }
    filled += size;
    for (const auto [i, inside] : WarpLanes::rounds(degree - kept)) {
      const Vertex later = inside ? row[kept + i] : kNone<Vertex>;
      const bool stays = later != kNone<Vertex> && !among(added, size, later);
      const auto [place, count] = warp::compact(stays);
      if (stays && filled + place < degree) out[filled + place] = later;
      filled += count;
    }
    for (int i = filled + lane(); i < degree; i += kWarpSize) out[i] = kNone<Vertex>;
    WarpLanes::sync();
  }
}

Grid grid_of_warps(std::int64_t vertices, std::size_t bytes_a_warp) {
  constexpr int kRows = PruneTuning::kRows;
  const std::int64_t blocks = std::min(ceil_div(vertices, kRows), PruneTuning::kMaxBlocks);
  return {blocks, {kWarpSize, kRows}, kRows * bytes_a_warp};
}

void add_reverse_edges(Buffer<Vertex>& rows, int degree, Stream& stream) {
  EdgeSorter edges(rows.size() / degree, rows.size(), stream);
  launch(turn_edges_kernel, grid_for(rows.size()), stream, rows.view(), degree, edges.all());
  const EdgeRuns runs = edges.sort(rows.size(), stream);
  const auto row_bytes = static_cast<std::size_t>(degree) * sizeof(Vertex);
  launch(add_reverse_kernel, grid_of_warps(rows.size() / degree, 2 * row_bytes), stream, runs, degree, rows.view());
}

/// A vertex may find itself.
std::int64_t list_length(std::int64_t count, const PrunePlan& plan) {
  return std::min(plan.intermediate_degree, count - 1) + 1;
}

}  // namespace

std::int64_t prune_bytes(std::int64_t count, std::int64_t degree, const PrunePlan& plan) {
  if (plan.intermediate_degree == 0) return 0;
  constexpr std::int64_t kId = sizeof(Vertex);
  const std::int64_t lists = count * list_length(count, plan) * kId;
  const std::int64_t rows = count * plan.graph_degree * kId;
  const std::int64_t turning = plan.reverse_edges ? EdgeSorter::bytes(count, count * plan.graph_degree) : 0;
  const std::int64_t finding = count * degree * kId + static_cast<std::int64_t>(sizeof(WorkTotals)) + kId;
  return lists + std::max(finding, rows + std::max(turning, connect_bytes(count)));
}

void prune_graph(DeviceProximityGraph& graph, const FindLists& find_lists, const PrunePlan& plan, Stream& stream,
                 Phases& phases) {
  const auto whole = phases.cpu("build");
  const std::int64_t count = graph.sizes.front();
  const auto length = static_cast<int>(list_length(count, plan));
  const auto degree = static_cast<int>(plan.graph_degree);
  if (count * degree > std::int64_t{kNone<std::uint32_t>}) {
    throw Unsupported(
        std::to_string(count) + " vertices with " + std::to_string(degree) +
        " edges are more edges than 32 bits number: lower graph_degree, or say intermediate_degree: none");
  }
  Buffer<Vertex> lists(count * length, stream);
  {
    const auto scope = phases.gpu("build_lists", stream);
    find_lists(graph, length, lists.view());
  }
  graph.layers.front().reset();  // was needed for the lists alone
  Buffer<Vertex> rows(count * degree, stream);
  {
    const auto scope = phases.gpu("build_prune", stream);
    const PruneMemory memory{length, static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(length, 2))))};
    launch(prune_kernel, grid_of_warps(count, memory.bytes()), stream, NeighborLists{lists.view(), length}, memory,
           Extent<Vertex>{0, static_cast<Vertex>(count)}, degree, rows.view());
    if (plan.reverse_edges) add_reverse_edges(rows, degree, stream);
  }
  {
    const auto scope = phases.gpu("build_connect", stream);
    graph.unreached = connect(rows, degree, lists.view(), length, stream);
  }
  graph.degree = degree;
  graph.layers.front() = std::move(rows);
  stream.synchronize();
}

}  // namespace warpbench::nearest_neighbors
