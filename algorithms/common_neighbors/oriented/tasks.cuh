// The tasks of blocks that count at long out-lists (oriented.hpp): pieces of rows, in an order in which those that read
// the same lists come soon after each other. In the order of the vertices nearly all lists and counts would come from
// device memory, since together they are a few times the L2 cache.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

struct TaskTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kTileVertices = 4096;  ///< a block's
  static constexpr std::int64_t kPieceSlots = 512;     ///< of a row that one block handles
  static constexpr std::uint32_t kBuckets = 256;       ///< parts of the order
  static constexpr std::uint32_t kBlockList = 1024;    ///< longer out-lists take another kernel
};

/// One for each kernel. Their tasks lie one behind the other, each kind's in the order of buckets.
enum class TaskKind : std::uint32_t { long_list, longest_list };
inline constexpr std::uint32_t kTaskKinds = 2;
inline constexpr std::uint32_t kTaskCursors = kTaskKinds * TaskTuning::kBuckets;

/// What a kernel fetches from. A task is (u, first slot within u's row).
struct TaskQueue {
  View<const uint2> tasks;     ///< of all kinds
  const std::uint32_t* begin;  ///< of its own
  const std::uint32_t* end;
  std::uint32_t* fetched;  ///< tasks, so far
};

/// The slots of a task.
__device__ inline Extent<std::int64_t> slots_of(const OutGraph& graph, uint2 task) {
  const Extent<std::int64_t> row = segment(graph.row_offsets, task.x);
  const std::int64_t begin = row.begin + task.y;
  return {begin, row.end - begin < TaskTuning::kPieceSlots ? row.end : begin + TaskTuning::kPieceSlots};
}

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

}  // namespace warpbench::common_neighbors
