// The kernels that count on the oriented graph (oriented.hpp), in the order in which they run: those between the first
// and the last of orientation_kernels.cuh.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/orientation_kernels.cuh"
#include "algorithms/common_neighbors/oriented/shared_table.cuh"
#include "device/bits.cuh"
#include "device/search.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// The sizes of tasks.
struct TaskTuning {
  static constexpr int kWarpList = 64;         ///< out-lists up to this are a warp's work, two elements a lane
  static constexpr int kBlockList = 1024;      ///< out-lists up to this fit a small block's table
  static constexpr std::int64_t kSlots = 512;  ///< of a row that one warp or block handles
};

// --- Tasks -----------------------------------------------------------------------------------------------------

/// A queue of work, filled by one kernel and fetched from by another. A task is (u, first slot within u's row).
struct TaskQueue {
  View<uint2> tasks;
  std::uint32_t* length;
  std::uint32_t* next;  // the first task that nobody has fetched
};

/// Rows in pieces of TaskTuning::kSlots, by the length of the out-list that has to be indexed: a warp's work, or a
/// block's with a small or a large table.
struct TaskQueues {
  TaskQueue short_lists;
  TaskQueue long_lists;
  TaskQueue longest_lists;

  __device__ const TaskQueue& of(std::uint32_t out_degree) const {
    if (out_degree <= TaskTuning::kWarpList) return short_lists;
    return out_degree <= TaskTuning::kBlockList ? long_lists : longest_lists;
  }
};

/// One thread a vertex.
__global__ void make_tasks(View<const std::uint64_t> offsets, View<const std::uint32_t> out_offsets,
                           TaskQueues queues) {
  const std::int64_t u = grid::index();
  const bool inside = u < out_offsets.size() - 1;
  const std::uint32_t out_degree = inside ? segment(out_offsets, u).size() : 0;
  const std::int64_t degree = inside ? segment(offsets, u).size() : 0;
  const auto pieces = static_cast<std::uint32_t>(ceil_div(degree, TaskTuning::kSlots));
  // A warp appends its one-piece short lists together: one atomic addition for up to 32 of them.
  const bool is_simple = out_degree >= 1 && out_degree <= TaskTuning::kWarpList && pieces == 1;
  const warp::Slot place = warp::compact(is_simple);
  std::uint32_t at = 0;
  if (warp::lane() == 0 && place.count != 0) {
    at = atomicAdd(queues.short_lists.length, static_cast<std::uint32_t>(place.count));
  }
  at = __shfl_sync(kFullMask, at, 0) + place.index;
  if (is_simple) {
    queues.short_lists.tasks[at] = make_uint2(static_cast<unsigned>(u), 0);
  } else if (out_degree >= 1) {
    const TaskQueue& queue = queues.of(out_degree);
    at = atomicAdd(queue.length, pieces);
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      const auto first_slot = static_cast<unsigned>(piece * TaskTuning::kSlots);
      queue.tasks[at + piece] = make_uint2(static_cast<unsigned>(u), first_slot);
    }
  }
}

/// The graph, its oriented edges and their counts.
struct OutGraph {
  View<const std::uint64_t> row_offsets;
  View<const std::uint32_t> rows;
  ForwardSlots forward;
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  View<std::uint32_t> counts;

  /// The edges from v, as places in neighbors and counts.
  __device__ Extent<std::uint32_t> out_list(std::uint32_t v) const { return segment(offsets, v); }
  /// The slots of a task.
  __device__ Extent<std::int64_t> slots(uint2 task) const {
    const Extent<std::int64_t> row = segment(row_offsets, task.x);
    const std::int64_t begin = row.begin + task.y;
    return {begin, row.end - begin < TaskTuning::kSlots ? row.end : begin + TaskTuning::kSlots};
  }
};

/// A warp's walk over the neighbours v of u whose out-list is the shorter one: each element of N+(v) is looked up in
/// u's table. Of 32 elements a few pass the filter; those are queued until 32 are together, so that the costly part
/// (probing, three counters) runs with full warps.
template <bool kFilter>
class RowProbe {
 public:
  /// Words of shared memory of a warp: its queue, then a counter for each of 32 slots.
  static constexpr int kWords = 2 * 2 * kWarpSize + kWarpSize;

  /// `memory` is this warp's, aligned to 8 bytes.
  __device__ RowProbe(const OutGraph& graph, const SharedTable& table, std::uint32_t* memory)
      : graph_(graph),
        table_(table),
        queue_(reinterpret_cast<uint2*>(memory)),
        slot_counters_(memory + 2 * 2 * kWarpSize) {
    slot_counters_[warp::lane()] = 0;
  }

  /// Up to 32 slots of u's row, from first on. An edge is handled at its end with the longer out-list, ties by id, so
  /// that the shorter list is walked.
  __device__ void walk_row(std::uint32_t u, std::uint32_t out_degree_u, std::int64_t first, std::int64_t end) {
    const std::int64_t slot = first + warp::lane();
    std::uint32_t list_end = 0;
    bool mine = false;
    if (slot < end) {
      const std::uint32_t v = graph_.rows[slot];
      const Extent<std::uint32_t> list = graph_.out_list(v);
      list_begin_ = list.begin;
      list_end = list.end;
      mine = list.size() != 0 && (list.size() < out_degree_u || (list.size() == out_degree_u && v < u));
    }
    for (const int owner : set_bits(__ballot_sync(kFullMask, mine))) {
      walk(owner, __shfl_sync(kFullMask, list_begin_, owner), __shfl_sync(kFullMask, list_end, owner));
    }
    flush();
    const std::uint32_t found = slot_counters_[warp::lane()];  // only this lane reads and clears it
    if (found != 0) {
      slot_counters_[warp::lane()] = 0;
      // The edge's number: of a forward slot its rank; else u is looked up in N+(v), which was just walked.
      const std::int64_t edge =
          graph_.forward.is_forward(slot)
              ? graph_.forward.rank(slot)
              : list_begin_ + lower_bound(&graph_.neighbors[list_begin_], list_end - list_begin_, u);
      atomicAdd(&graph_.counts[edge], found);
    }
    __syncwarp();
  }

 private:
  static constexpr int kOffsetBits = 27;  // of an element's place in its list; out-degrees are below 2^17

  /// Looks up the list [from, to) of the slot number `place`; the same in all lanes.
  __device__ void walk(std::uint32_t place, std::uint32_t from, std::uint32_t to) {
    constexpr int kUnroll = 4;  // loads in flight a lane
    std::uint32_t e = from + warp::lane();
    std::uint32_t name = (place << kOffsetBits) + warp::lane();
    for (; to - from >= kUnroll * kWarpSize; from += kUnroll * kWarpSize) {
      std::uint32_t w[kUnroll];
#pragma unroll
      for (int i = 0; i < kUnroll; ++i) w[i] = graph_.neighbors[e + i * kWarpSize];
#pragma unroll
      for (int i = 0; i < kUnroll; ++i, name += kWarpSize) push(table_.template may_hold<kFilter>(w[i]), name, w[i]);
      e += kUnroll * kWarpSize;
    }
    for (; from < to; from += kWarpSize, e += kWarpSize, name += kWarpSize) {
      const std::uint32_t w = e < to ? graph_.neighbors[e] : 0;
      push(e < to && table_.template may_hold<kFilter>(w), name, w);
    }
  }

  /// Handles what is still queued.
  __device__ void flush() {
    __syncwarp();
    close(warp::lane() < queued_ ? queue_[warp::lane()] : make_uint2(0, kNone<std::uint32_t>));
    queued_ = 0;
    __syncwarp();
  }

  /// Queues w, if it is a candidate; `name` tells its slot and its place in that slot's list.
  __device__ void push(bool candidate, std::uint32_t name, std::uint32_t w) {
    const warp::Slot place = warp::compact(candidate);
    if (place.count == 0) return;
    if (candidate) queue_[queued_ + place.index] = make_uint2(name, w);
    queued_ += place.count;
    if (queued_ < kWarpSize) return;
    queued_ -= kWarpSize;
    __syncwarp();
    close(queue_[queued_ + warp::lane()]);
    __syncwarp();
  }

  /// One candidate a lane: if u's table holds w, then (u,v,w) is a triangle. Taken by value: one load, and nvcc 13.0
  /// for sm_90 computes a wrong address where a member is read through a reference into shared memory.
  __device__ void close(const uint2 candidate) {
    const std::uint32_t slot = candidate.x >> kOffsetBits;
    const std::uint32_t list_begin = __shfl_sync(kFullMask, list_begin_, static_cast<int>(slot));
    if (candidate.y == kNone<std::uint32_t>) return;
    const std::uint32_t place = table_.find(candidate.y);
    if (place == kNone<std::uint32_t>) return;
    atomicAdd(&table_.counters[place], 1U);                                             // edge (u,w)
    atomicAdd(&slot_counters_[slot], 1U);                                               // edge (u,v)
    atomicAdd(&graph_.counts[list_begin + (candidate.x & low_bits(kOffsetBits))], 1U);  // edge (v,w)
  }

  const OutGraph& graph_;
  const SharedTable& table_;
  uint2* queue_;
  std::uint32_t* slot_counters_;
  std::uint32_t list_begin_ = 0;  ///< of this lane's slot
  int queued_ = 0;
};

// --- Counting ----------------------------------------------------------------------------------------------------

struct ShortListTuning {
  static constexpr int kThreads = 256;
  static constexpr int kMinBlocks = 8;             ///< on a multiprocessor
  static constexpr int kTableBits = 7;             ///< of a warp's table
  static constexpr std::uint32_t kFetchTasks = 4;  ///< by a warp at once; few, as the pieces of a hub lie together
};
static_assert(TaskTuning::kWarpList * 2 == 1 << ShortListTuning::kTableBits);

/// Tables are at most half full. Most lists take 16 KiB with counters, so that many blocks are resident; the longest
/// take 128 KiB, a block a multiprocessor. Lists beyond 8192 are handled in parts.
struct LongListTuning {
  static constexpr int kMaxThreads = 1024;
  static constexpr int kMinBlocks = 2;              ///< on a multiprocessor
  static constexpr std::uint32_t kFetchSlots = 16;  ///< of a block's task, by a warp at once
  static constexpr int kTableBits = 11;
  static constexpr int kLargeTableBits = 14;
  static constexpr int kLargeTableWarps = 32;
};
static_assert(TaskTuning::kBlockList * 2 == 1 << LongListTuning::kTableBits);

/// The threads that share a table: a warp's or a block's.
struct WarpTeam {
  template <typename... Bounds>
  __device__ static auto strided(Bounds... bounds) {
    return warp::strided(bounds...);
  }
  __device__ static void sync() { __syncwarp(); }
};
struct BlockTeam {
  template <typename... Bounds>
  __device__ static auto strided(Bounds... bounds) {
    return block::strided(bounds...);
  }
  __device__ static void sync() { __syncthreads(); }
};

/// Makes the table the index of `part` of an out-list.
template <typename Team>
__device__ void index_list(const OutGraph& graph, const SharedTable& table, Extent<std::uint32_t> part) {
  table.clear<Team>();
  Team::sync();
  for (const std::uint32_t e : Team::strided(part)) table.insert(graph.neighbors[e]);
  Team::sync();
}

/// Adds the table's counters to the counts of its edges.
template <typename Team>
__device__ void add_counters(const OutGraph& graph, const SharedTable& table, Extent<std::uint32_t> part) {
  for (const std::uint32_t e : Team::strided(part)) {
    const std::uint32_t found = table.counters[table.find(graph.neighbors[e])];
    if (found != 0) atomicAdd(&graph.counts[e], found);
  }
  Team::sync();
}

/// Shared memory of a warp that indexes short lists, in words; a multiple of two, as its queue is read by 8 bytes.
inline constexpr int kWarpWords = RowProbe<true>::kWords + SharedTable::words(ShortListTuning::kTableBits);
static_assert(kWarpWords % 2 == 0 && RowProbe<true>::kWords % 2 == 0);

/// The next `count` of something that the lanes of a warp share out with others; called by the whole warp.
__device__ inline std::uint32_t fetch(std::uint32_t* next, std::uint32_t count) {
  std::uint32_t first = 0;
  if (warp::lane() == 0) first = atomicAdd(next, count);
  return __shfl_sync(kFullMask, first, 0);
}

/// One warp a task: u's out-list, at most TaskTuning::kWarpList long, is indexed, and its row walked.
template <bool kFilter>
__global__ void __launch_bounds__(ShortListTuning::kThreads, ShortListTuning::kMinBlocks)
    count_short_lists(OutGraph graph, TaskQueue queue) {
  constexpr int kThreads = ShortListTuning::kThreads;
  constexpr std::uint32_t kBatch = ShortListTuning::kFetchTasks;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>() + block::warp_rank<kThreads>() * kWarpWords;
  const SharedTable table = SharedTable::at(memory + RowProbe<kFilter>::kWords, ShortListTuning::kTableBits);
  RowProbe<kFilter> probe(graph, table, memory);
  const std::uint32_t tasks = *queue.length;

  while (true) {
    const std::uint32_t batch = fetch(queue.next, kBatch);
    if (batch >= tasks) return;
    for (std::uint32_t i = batch; i < batch + kBatch && i < tasks; ++i) {
      const uint2 task = queue.tasks[i];
      const Extent<std::uint32_t> list = graph.out_list(task.x);
      index_list<WarpTeam>(graph, table, list);
      const Extent<std::int64_t> slots = graph.slots(task);
      for (std::int64_t first = slots.begin; first < slots.end; first += kWarpSize) {
        probe.walk_row(task.x, list.size(), first, slots.end);
      }
      add_counters<WarpTeam>(graph, table, list);
    }
  }
}

/// Words of shared memory of a block of `warps` warps that indexes longer lists with a table of 2^bits keys.
WARPBENCH_HOST_DEVICE constexpr int block_words(int warps, int bits) {
  return warps * RowProbe<true>::kWords + SharedTable::words(bits);
}

/// The same by one block a task, for longer out-lists: half the table's keys are indexed at a time. The warps fetch
/// slots as they get free, since lists differ in length.
template <bool kFilter>
__global__ void __launch_bounds__(LongListTuning::kMaxThreads, LongListTuning::kMinBlocks)
    count_long_lists(OutGraph graph, TaskQueue queue, int table_bits) {
  constexpr std::uint32_t kBatch = LongListTuning::kFetchSlots;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>();
  const SharedTable table = SharedTable::at(memory + block::warps() * RowProbe<kFilter>::kWords, table_bits);
  RowProbe<kFilter> probe(graph, table, memory + block::warp_rank() * RowProbe<kFilter>::kWords);
  const std::uint32_t part_size = 1U << (table_bits - 1);
  __shared__ std::uint32_t fetched_task;
  __shared__ std::uint32_t fetched_slots;

  while (true) {
    __syncthreads();
    if (block::rank() == 0) fetched_task = atomicAdd(queue.next, 1U);
    __syncthreads();
    if (fetched_task >= *queue.length) return;
    const uint2 task = queue.tasks[fetched_task];
    const Extent<std::uint32_t> list = graph.out_list(task.x);
    const Extent<std::int64_t> slots = graph.slots(task);

    for (std::uint32_t begin = list.begin; begin < list.end; begin += part_size) {
      const Extent<std::uint32_t> part{begin, list.end - begin < part_size ? list.end : begin + part_size};
      if (block::rank() == 0) fetched_slots = 0;
      index_list<BlockTeam>(graph, table, part);
      for (std::uint32_t i = fetch(&fetched_slots, kBatch); i < slots.size(); i = fetch(&fetched_slots, kBatch)) {
        const std::int64_t first = slots.begin + i;
        probe.walk_row(task.x, list.size(), first, slots.end - first < kBatch ? slots.end : first + kBatch);
      }
      __syncthreads();
      add_counters<BlockTeam>(graph, table, part);
    }
  }
}

}  // namespace warpbench::common_neighbors
