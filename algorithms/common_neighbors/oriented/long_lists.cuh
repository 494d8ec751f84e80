// Counting at the edges of vertices with long out-lists (oriented.hpp): one block a piece of such a vertex's row.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/list_walk.cuh"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "algorithms/common_neighbors/oriented/shared_table.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/bits.cuh"

namespace warpbench::common_neighbors {

/// Tables are at most half full. Most lists take 16 KiB with counters, so that many blocks are resident; the longest
/// take 128 KiB, a block a multiprocessor. Lists beyond 8192 are handled in parts.
struct LongListTuning {
  static constexpr int kMaxThreads = 1024;
  static constexpr int kMinBlocks = 2;              ///< on a multiprocessor
  static constexpr int kUnroll = 4;                 ///< loads in flight a lane
  static constexpr std::uint32_t kWalkAlone = 64;   ///< from this length on a list is not laid end to end with others
  static constexpr std::uint32_t kFetchSlots = 16;  ///< of a block's task, by a warp at once
  static constexpr int kTableBits = 11;
  static constexpr int kLargeTableBits = 14;
  static constexpr int kLargeTableWarps = 32;
  static_assert(TaskTuning::kBlockList <= 1U << (kTableBits - 1));  // those lists fit the small table
};

/// A warp's walk over the neighbours v of u whose out-list is the shorter one: each element of N+(v) is looked up in
/// u's table.
template <bool kFilter>
class RowProbe {
 public:
  /// Words of shared memory of a warp: where lists start, its queue, a counter for each of 32 slots.
  static constexpr int kWords = 2 * kWarpSize + CandidateQueue::kWords + kWarpSize;
  static_assert(kWords % 2 == 0);

  /// `memory` is this warp's, aligned to 8 bytes.
  __device__ RowProbe(const OutGraph& graph, const SharedTable& table, std::uint32_t* memory)
      : graph_(graph),
        table_(table),
        starts_(reinterpret_cast<uint2*>(memory)),
        queue_(memory + 2 * kWarpSize),
        slot_counters_(memory + 2 * kWarpSize + CandidateQueue::kWords) {
    slot_counters_[warp::lane()] = 0;
  }

  /// Up to 32 slots of u's row, from first on. An edge is handled at its end with the longer out-list, ties by id, so
  /// that the shorter list is walked; not if both ends are hubs.
  __device__ void walk_row(std::uint32_t u, bool is_hub, std::uint32_t out_degree_u, std::int64_t first,
                           std::int64_t end) {
    const std::int64_t slot = first + warp::lane();
    Extent<std::uint32_t> list{0, 0};
    std::uint32_t v = 0;
    if (slot < end) {
      v = graph_.rows[slot];
      const Extent<std::uint32_t> of_v = graph_.out_list(v);
      const bool is_shorter = of_v.size() < out_degree_u || (of_v.size() == out_degree_u && v < u);
      if (is_shorter && !(is_hub && graph_.hubs.has(v))) list = of_v;
    }
    // If u's table holds w, then (u,v,w) is a triangle.
    const auto close = [this](std::uint32_t owner, std::uint32_t at) {
      const std::uint32_t place = table_.find(graph_.neighbors[at]);  // read anew, from a cache
      if (place == kNone<std::uint32_t>) return;
      atomicAdd(&table_.counters[place], 1U);  // edge (u,w)
      atomicAdd(&slot_counters_[owner], 1U);   // edge (u,v)
      graph_.counts.add(at, 1U);               // edge (v,w)
    };
    const auto look_up = [&](bool present, std::uint32_t owner, std::uint32_t at, std::uint32_t w) {
      const bool may_hold = table_.template may_hold<kFilter>(w);  // asked without a branch
      queue_.push(may_hold && present, owner, at, close);
    };
    const bool is_long = list.size() >= LongListTuning::kWalkAlone;
    for (const int owner : set_bits(__ballot_sync(kFullMask, is_long ? 1 : 0))) {
      const Extent<std::uint32_t> shared{__shfl_sync(kFullMask, list.begin, owner),
                                         __shfl_sync(kFullMask, list.end, owner)};
      walk_list<LongListTuning::kUnroll>(graph_.neighbors, shared, owner, look_up);
    }
    walk_lists<2>(graph_.neighbors, is_long ? Extent<std::uint32_t>{0, 0} : list, warp::lane(), starts_, look_up);
    queue_.flush(close);
    const std::uint32_t found = slot_counters_[warp::lane()];  // only this lane reads and clears it
    if (found != 0) {
      slot_counters_[warp::lane()] = 0;
      graph_.counts.add(graph_.edge_of(slot, u, v), found);
    }
    __syncwarp();
  }

 private:
  const OutGraph& graph_;
  const SharedTable& table_;
  uint2* starts_;
  CandidateQueue queue_;
  std::uint32_t* slot_counters_;
};

/// Makes the table the index of `part` of an out-list.
__device__ inline void index_list(const OutGraph& graph, const SharedTable& table, Extent<std::uint32_t> part) {
  table.clear();
  __syncthreads();
  for (const std::uint32_t e : block::strided(part)) table.insert(graph.neighbors[e]);
  __syncthreads();
}

/// Adds the table's counters to the counts of its edges.
__device__ inline void add_counters(const OutGraph& graph, const SharedTable& table, Extent<std::uint32_t> part) {
  for (const std::uint32_t e : block::strided(part)) {
    const std::uint32_t found = table.counters[table.find(graph.neighbors[e])];
    if (found != 0) graph.counts.add(e, found);
  }
  __syncthreads();
}

/// Words of shared memory of a block of `warps` warps with a table of 2^bits keys.
WARPBENCH_HOST_DEVICE constexpr int long_list_words(int warps, int bits) {
  return warps * RowProbe<true>::kWords + SharedTable::words(bits);
}

/// One block a task: half the table's keys are indexed at a time. The warps fetch slots as they get free, since lists
/// differ in length.
template <bool kFilter>
__global__ void __launch_bounds__(LongListTuning::kMaxThreads, LongListTuning::kMinBlocks)
    count_long_lists(OutGraph graph, TaskQueue queue, int table_bits) {
  constexpr std::uint32_t kBatch = LongListTuning::kFetchSlots;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>();
  const SharedTable table = SharedTable::at(memory + block::warps() * RowProbe<kFilter>::kWords, table_bits);
  RowProbe<kFilter> probe(graph, table, memory + block::warp_rank() * RowProbe<kFilter>::kWords);
  const std::uint32_t part_size = 1U << (table_bits - 1);
  __shared__ std::uint32_t fetched_task;  ///< its place
  __shared__ std::uint32_t fetched_slots;

  while (true) {
    __syncthreads();
    if (block::rank() == 0) fetched_task = *queue.begin + atomicAdd(queue.fetched, 1U);
    __syncthreads();
    if (fetched_task >= *queue.end) return;
    const uint2 task = queue.tasks[fetched_task];
    const Extent<std::uint32_t> list = graph.out_list(task.x);
    const Extent<std::int64_t> slots = slots_of(graph, task);
    const bool is_hub = graph.hubs.has(task.x);

    for (std::uint32_t begin = list.begin; begin < list.end; begin += part_size) {
      const Extent<std::uint32_t> part{begin, list.end - begin < part_size ? list.end : begin + part_size};
      if (block::rank() == 0) fetched_slots = 0;
      index_list(graph, table, part);
      for (std::uint32_t i = fetch(&fetched_slots, kBatch); i < slots.size(); i = fetch(&fetched_slots, kBatch)) {
        const std::int64_t first = slots.begin + i;
        probe.walk_row(task.x, is_hub, list.size(), first, slots.end - first < kBatch ? slots.end : first + kBatch);
      }
      __syncthreads();
      add_counters(graph, table, part);
    }
  }
}

}  // namespace warpbench::common_neighbors
