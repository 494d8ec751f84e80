// The 4-layer load balance (gsi2020 §VI-A). The length of a row's task is that of the list its warp would walk: the
// longer of N(v, l) and buf_i. It decides who works at the task:
//
//   1  > W1   a kernel of its own. The document launches it from the device; here such rows are collected, and a second
//             kernel that the host launches afterwards has a block for each.
//   2  > W2   the whole block, task after task
//   3  > W3   put into a pool, whose batches of 32 elements the block's warps share equally
//   4         stays with its warp
//
// In layers 1 to 3 a lane looks its element up by itself. Results stay in order: later edges rely on it.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/input_batches.cuh"

namespace warpbench::matching::gsi {

struct LoadBalance {
  bool on;
  std::uint32_t own_kernel;   // W1
  std::uint32_t whole_block;  // W2
  std::uint32_t pool;         // W3
};

enum class Layer : std::uint8_t { none, own_kernel, block, pool, warp };

template <typename List>
__device__ std::uint32_t task_length(const FirstEdge<List>& operation) {
  return operation.elements();
}
template <typename List>
__device__ std::uint32_t task_length(const FurtherEdge<List>& operation) {
  const std::uint32_t list = operation.list.elements();
  return operation.elements() > list ? operation.elements() : list;
}

__device__ inline Layer layer_of(const LoadBalance& balance, std::uint32_t length) {
  if (!balance.on || length <= balance.pool) return Layer::warp;
  if (length <= balance.whole_block) return Layer::pool;
  return length <= balance.own_kernel ? Layer::block : Layer::own_kernel;
}

/// The rows of layer 1.
struct LongTasks {
  View<std::uint64_t> rows;
  View<unsigned long long> count;  // one number

  __device__ void add(std::int64_t i) const {
    const unsigned long long place = atomicAdd(&count[0], 1ULL);
    rows[static_cast<std::int64_t>(place)] = static_cast<std::uint64_t>(i);
  }
};

/// The tasks of a block, in shared memory: one of each warp, or fewer.
template <typename Operation>
struct TaskPool {
  Operation operations[VertexJoinTuning::kMaxWarps];
  const Vertex* rows_of_tasks[VertexJoinTuning::kMaxWarps];
  std::int64_t rows[VertexJoinTuning::kMaxWarps];
  Layer layers[VertexJoinTuning::kMaxWarps];
  std::uint32_t found[VertexJoinTuning::kMaxWarps];  // so far
  // The batch of each warp: its task, and how much was found.
  int tasks[VertexJoinTuning::kMaxWarps];
  std::uint32_t counts[VertexJoinTuning::kMaxWarps];

  __device__ void put(int task, const Operation& operation, const Vertex* row, std::int64_t i, Layer layer) {
    operations[task] = operation;
    rows_of_tasks[task] = row;
    rows[task] = i;
    layers[task] = layer;
  }
};

/// The lanes that stand for the block's warps.
__device__ inline bool is_warp_lane() {
  return warp::lane() < block::warps();
}

/// 32 elements of a task.
struct Batch {
  int task;  // -1: none
  std::uint32_t first;
};

/// The number'th batch of those tasks that are in `chosen`. A whole warp.
template <typename Operation>
__device__ Batch batch_at(const TaskPool<Operation>& pool, unsigned chosen, std::uint32_t number) {
  const int lane = warp::lane();
  const bool counts = (chosen & mask_of(lane)) != 0;
  const std::uint32_t batches = counts ? ceil_div(pool.operations[lane].elements(), std::uint32_t{kWarpSize}) : 0;
  const std::uint32_t end = warp::inclusive_scan(batches);
  const unsigned beyond = __ballot_sync(kFullMask, end > number ? 1 : 0);
  if (beyond == 0) return {-1, 0};
  const int task = lowest_bit(beyond);
  const std::uint32_t begin = __shfl_sync(kFullMask, end - batches, task);
  return {task, (number - begin) * kWarpSize};
}

/// Found for this warp's task before this warp's batch: earlier, and by warps below in this round.
template <typename Operation>
__device__ std::uint32_t found_before(const TaskPool<Operation>& pool, int task) {
  const int lane = warp::lane();
  const bool counts = is_warp_lane() && lane < warp::rank() && pool.tasks[lane] == task;
  return pool.found[task] + warp::reduce_sum(counts ? pool.counts[lane] : 0U);
}

/// One round: this warp tests its batch and writes what is admitted behind the finds of earlier batches. All warps of
/// the block call, those without a batch too.
template <typename Operation>
__device__ void share_round(TaskPool<Operation>& pool, const Batch& batch, const JoinOutput& output, int width) {
  const int own = warp::rank();
  Vertex x = 0;
  bool valid = false;
  if (batch.task >= 0) {
    const Operation& operation = pool.operations[batch.task];
    const std::uint32_t place = lane_place(batch.first);
    valid = take_element(operation, place < operation.elements(), place, x);
  }
  const warp::Slot slot = warp::compact(valid);
  if (warp::lane() == 0) {
    pool.tasks[own] = batch.task;
    pool.counts[own] = static_cast<std::uint32_t>(slot.count);
  }
  __syncthreads();  // all have read from the buffers what this round reads
  std::uint32_t before = 0;
  if (batch.task >= 0) {
    before = found_before(pool, batch.task);
    if (valid) {
      output.put(pool.rows[batch.task], pool.rows_of_tasks[batch.task], width, std::int64_t{before} + slot.index, x);
    }
  }
  const bool last_of_task = own + 1 == block::warps() || pool.tasks[own + 1] != batch.task;
  __syncthreads();
  if (batch.task >= 0 && last_of_task && warp::lane() == 0) {
    pool.found[batch.task] = before + static_cast<std::uint32_t>(slot.count);
  }
}

/// The chosen tasks, by all warps of the block, each a batch a round. Begins and ends with a barrier; then found[] is
/// how many each task has.
template <typename Operation>
__device__ void share_tasks(TaskPool<Operation>& pool, unsigned chosen, const JoinOutput& output, int width) {
  __syncthreads();
  if (warp::rank() == 0 && is_warp_lane()) pool.found[warp::lane()] = 0;
  const auto warps = static_cast<std::uint32_t>(block::warps());
  const auto own = static_cast<std::uint32_t>(warp::rank());
  for (std::uint32_t first = 0; batch_at(pool, chosen, first).task >= 0; first += warps) {  // the same for all warps
    share_round(pool, batch_at(pool, chosen, first + own), output, width);
  }
  __syncthreads();
}

/// The tasks of one layer of the block's warps.
template <typename Operation>
__device__ unsigned tasks_of_layer(const TaskPool<Operation>& pool, Layer layer) {
  const bool is = is_warp_lane() && pool.layers[warp::lane()] == layer;
  return __ballot_sync(kFullMask, is ? 1 : 0);
}

/// Layers 1 to 3 of the tasks that the block's warps have put into the pool. All warps call.
template <typename Operation>
__device__ void balance_tasks(TaskPool<Operation>& pool, const Link& link, const LongTasks& long_tasks) {
  __syncthreads();
  const bool writes = warp::rank() == 0 && is_warp_lane();
  const Layer layer = writes ? pool.layers[warp::lane()] : Layer::none;
  if (layer == Layer::own_kernel) long_tasks.add(pool.rows[warp::lane()]);
  for (const int task : set_bits(tasks_of_layer(pool, Layer::block))) {
    share_tasks(pool, mask_of(task), link.output, link.table.width);
    if (block::rank() == 0) link.output.put_count(pool.rows[task], pool.found[task]);
  }
  const unsigned pooled = tasks_of_layer(pool, Layer::pool);
  if (pooled == 0) return;
  share_tasks(pool, pooled, link.output, link.table.width);
  if (layer == Layer::pool) link.output.put_count(pool.rows[warp::lane()], pool.found[warp::lane()]);
}

}  // namespace warpbench::matching::gsi
