#include "algorithms/common_neighbors/oriented/tasks.cuh"

#include <numeric>
#include <utility>
#include <vector>

#include "device/integers.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr std::uint32_t kTaskCursors = kTaskKinds * TaskTuning::kBuckets;
constexpr std::int64_t kScanBytes = 4096;  ///< that the scan of the cursors takes by itself, at most

/// Calls visit(cursor, task) with the tasks of a vertex. They go by where they lie in its row, since rows ascend.
template <typename Visit>
__device__ void for_each_task(const OutGraph& graph, std::uint32_t u, Visit visit) {
  constexpr std::uint32_t kBuckets = TaskTuning::kBuckets;
  const std::uint32_t out_degree = graph.out_list(u).size();
  if (out_degree <= kShortList) return;
  const TaskKind kind = out_degree <= TaskTuning::kBlockList ? TaskKind::long_list : TaskKind::longest_list;
  const std::int64_t pieces = ceil_div(segment(graph.row_offsets, u).size(), TaskTuning::kPieceSlots);
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const auto bucket = static_cast<std::uint32_t>(piece * kBuckets / pieces);
    visit(static_cast<std::uint32_t>(kind) * kBuckets + bucket,
          make_uint2(u, static_cast<unsigned>(piece * TaskTuning::kPieceSlots)));
  }
}

/// Adds the number of tasks to `cursors`, one for each kind and bucket, and writes the tasks where these stood. Without
/// memory for tasks it counts them only.
__global__ void __launch_bounds__(TaskTuning::kThreads)
    make_tasks(OutGraph graph, View<uint2> tasks, View<std::uint32_t> cursors) {
  __shared__ std::uint32_t places[kTaskCursors];
  constexpr int kCursors = static_cast<int>(kTaskCursors);
  const std::int64_t vertices = graph.offsets.size() - 1;
  const auto over_tile = [&](std::int64_t tile, auto visit) {
    const std::int64_t begin = tile * TaskTuning::kTileVertices;
    const std::int64_t end = begin + TaskTuning::kTileVertices;
    for (const std::int64_t u : block::strided<TaskTuning::kThreads>(begin, end < vertices ? end : vertices)) {
      for_each_task(graph, static_cast<std::uint32_t>(u), visit);
    }
    __syncthreads();
  };
  for (const std::int64_t tile : grid::per_block(ceil_div(vertices, TaskTuning::kTileVertices))) {
    for (const int i : block::strided<TaskTuning::kThreads>(kCursors)) places[i] = 0;
    __syncthreads();
    over_tile(tile, [&](std::uint32_t cursor, uint2) { atomicAdd(&places[cursor], 1U); });
    for (const int i : block::strided<TaskTuning::kThreads>(kCursors)) {
      if (places[i] != 0) places[i] = atomicAdd(&cursors[i], places[i]);
    }
    __syncthreads();
    if (tasks.empty()) continue;
    over_tile(tile, [&](std::uint32_t cursor, uint2 task) { tasks[atomicAdd(&places[cursor], 1U)] = task; });
  }
}

void run_make_tasks(const OutGraph& graph, View<uint2> tasks, View<std::uint32_t> cursors, Stream& stream) {
  const std::int64_t tiles = ceil_div(graph.offsets.size() - 1, TaskTuning::kTileVertices);
  launch(make_tasks, Grid{tiles, TaskTuning::kThreads}, stream, graph, tasks, cursors);
}

}  // namespace

Tasks::Tasks(const OutGraph& graph, std::int64_t most, Stream& stream)
    : tasks_(most, stream), cursors_(1 + std::int64_t{kTaskCursors}, stream) {
  cursors_.fill(0, stream);
  if (most == 0) return;
  const View<std::uint32_t> cursors = cursors_.view().subview(1, kTaskCursors);
  run_make_tasks(graph, {}, cursors, stream);
  exclusive_scan(cursors, cursors, stream);
  run_make_tasks(graph, tasks_.view(), cursors, stream);
}

TaskQueue Tasks::queue(TaskKind kind, std::uint32_t* fetched) const {
  const std::uint32_t* const begin = cursors_.data() + static_cast<std::uint32_t>(kind) * TaskTuning::kBuckets;
  return {tasks_.view(), begin, begin + TaskTuning::kBuckets, fetched};
}

std::int64_t Tasks::count(const OutGraph& graph, Stream& stream) {
  Buffer<std::uint32_t> cursors(kTaskCursors, stream);
  cursors.fill(0, stream);
  run_make_tasks(graph, {}, cursors.view(), stream);
  const std::vector<std::uint32_t> counts = cursors.to_vector(stream);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// A row with a long out-list has full pieces and a last one.
std::int64_t Tasks::most(std::int64_t slots) {
  const std::int64_t rows = slots / 2 / (std::int64_t{kShortList} + 1);
  return rows + slots / TaskTuning::kPieceSlots;
}

std::int64_t Tasks::bytes(std::int64_t tasks) {
  return tasks * std::int64_t{sizeof(uint2)} + (1 + std::int64_t{kTaskCursors}) * std::int64_t{sizeof(std::uint32_t)} +
         kScanBytes;
}

}  // namespace warpbench::common_neighbors
