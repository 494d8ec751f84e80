// The work of the counting kernels (oriented.hpp): vertices with short out-lists, and pieces of the rows of others, as
// tasks in an order in which those that read the same lists come soon after each other. In the order of the vertices
// nearly every list and every count would come from device memory, as all of them are several times the L2 cache.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

struct TaskTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kTileVertices = 4096;  ///< a block's
  static constexpr std::int64_t kPieceSlots = 512;     ///< of a row that one block handles
  static constexpr std::uint32_t kBuckets = 256;       ///< parts of the order; a power of two
  static constexpr std::uint32_t kBlockList = 1024;    ///< longer out-lists take another kernel
};

/// One for each kernel that counts. Their tasks lie one behind the other, each queue's in the order of buckets.
enum class TaskKind : std::uint32_t { short_list, long_list, longest_list };
inline constexpr std::uint32_t kTaskKinds = 3;
inline constexpr std::uint32_t kTaskCursors = kTaskKinds * TaskTuning::kBuckets;

/// What a kernel fetches from. A task is (u, first slot within u's row).
struct TaskQueue {
  View<const uint2> tasks;     ///< of all queues
  const std::uint32_t* begin;  ///< of its own
  const std::uint32_t* end;
  std::uint32_t* fetched;  ///< tasks, by then
};

/// The slots of a piece.
__device__ inline Extent<std::int64_t> slots_of(const OutGraph& graph, uint2 task) {
  const Extent<std::int64_t> row = segment(graph.row_offsets, task.x);
  const std::int64_t begin = row.begin + task.y;
  return {begin, row.end - begin < TaskTuning::kPieceSlots ? row.end : begin + TaskTuning::kPieceSlots};
}

/// Calls visit(cursor, task) with the tasks of a vertex. Vertices with short lists go by their first target, since
/// those that share it tend to share others; pieces by where they lie in their row, since rows ascend.
template <typename Visit>
__device__ void for_each_task(const OutGraph& graph, std::uint32_t u, int target_shift, Visit visit) {
  constexpr std::uint32_t kBuckets = TaskTuning::kBuckets;
  const Extent<std::uint32_t> list = graph.out_list(u);
  if (list.size() < 2) return;  // a triangle has two edges from u; a longer list has its edges to look at
  if (list.size() <= kShortList) {
    visit(static_cast<std::uint32_t>(TaskKind::short_list) * kBuckets + (graph.neighbors[list.begin] >> target_shift),
          make_uint2(u, 0));
    return;
  }
  const TaskKind kind = list.size() <= TaskTuning::kBlockList ? TaskKind::long_list : TaskKind::longest_list;
  const auto pieces =
      static_cast<std::uint32_t>(ceil_div(segment(graph.row_offsets, u).size(), TaskTuning::kPieceSlots));
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    const auto bucket = static_cast<std::uint32_t>(std::uint64_t{piece} * kBuckets / pieces);
    visit(static_cast<std::uint32_t>(kind) * kBuckets + bucket,
          make_uint2(u, static_cast<unsigned>(piece * TaskTuning::kPieceSlots)));
  }
}

/// Adds the number of tasks to `cursors`, one for each kind and bucket, and writes the tasks where these stood. Without
/// memory for tasks it counts them only. target_shift: target >> target_shift is a bucket.
__global__ void __launch_bounds__(TaskTuning::kThreads)
    make_tasks(OutGraph graph, int target_shift, View<uint2> tasks, View<std::uint32_t> cursors) {
  __shared__ std::uint32_t places[kTaskCursors];
  const std::int64_t vertices = graph.offsets.size() - 1;
  const auto over_tile = [&](std::int64_t tile, auto visit) {
    const std::int64_t begin = tile * TaskTuning::kTileVertices;
    const std::int64_t end = begin + TaskTuning::kTileVertices;
    for (const std::int64_t u : block::strided<TaskTuning::kThreads>(begin, end < vertices ? end : vertices)) {
      for_each_task(graph, static_cast<std::uint32_t>(u), target_shift, visit);
    }
    __syncthreads();
  };
  for (const std::int64_t tile : grid::per_block(ceil_div(vertices, TaskTuning::kTileVertices))) {
    for (const int i : block::strided<TaskTuning::kThreads>(static_cast<int>(kTaskCursors))) places[i] = 0;
    __syncthreads();
    over_tile(tile, [&](std::uint32_t cursor, uint2) { atomicAdd(&places[cursor], 1U); });
    for (const int i : block::strided<TaskTuning::kThreads>(static_cast<int>(kTaskCursors))) {
      if (places[i] != 0) places[i] = atomicAdd(&cursors[i], places[i]);
    }
    __syncthreads();
    if (tasks.empty()) continue;
    over_tile(tile, [&](std::uint32_t cursor, uint2 task) { tasks[atomicAdd(&places[cursor], 1U)] = task; });
  }
}

}  // namespace warpbench::common_neighbors
