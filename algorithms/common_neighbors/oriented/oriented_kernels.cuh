// The kernels of oriented counting (oriented.hpp), in the order in which they run.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.cuh"
#include "algorithms/common_neighbors/oriented/shared_table.cuh"
#include "device/kernel.hpp"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

inline constexpr int kWarpListLimit = 64;        // out-lists up to this are a warp's work, two elements a lane
inline constexpr int kBlockListLimit = 1024;     // out-lists up to this fit a small block's table
inline constexpr std::int64_t kTaskSlots = 512;  // slots of a row that one warp or block handles
inline constexpr int kFetchedSlots = 16;         // of a block's task, that a warp fetches at once

/// Which slots point forward, and how many do before a given slot: rank queries over a bit vector.
struct ForwardSlots {
  View<const std::uint32_t> bits;
  View<const std::uint32_t> before;

  WARPBENCH_HOST_DEVICE bool is_forward(std::int64_t slot) const {
    return ((bits[slot / 32] >> (slot % 32)) & 1U) != 0;
  }
  __device__ std::uint32_t rank(std::int64_t slot) const {
    return before[slot / 32] + static_cast<std::uint32_t>(__popc(bits[slot / 32] & ((1U << (slot % 32)) - 1U)));
  }
};

// --- Orientation -----------------------------------------------------------------------------------------------

/// degrees[v], and a mark at each vertex's first slot: an inclusive sum of the marks is the row of every slot.
__global__ void mark_rows(View<const std::uint64_t> offsets, View<std::uint32_t> degrees, View<std::uint32_t> marks) {
  const std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (v >= degrees.size()) return;
  const std::uint64_t begin = offsets[v];
  degrees[v] = static_cast<std::uint32_t>(offsets[v + 1] - begin);
  if (v > 0 && begin < static_cast<std::uint64_t>(marks.size()))
    atomicAdd(&marks[static_cast<std::int64_t>(begin)], 1U);
}

/// One thread a slot e(u,v), 32 slots a word: does the edge point from u to v?
__global__ void flag_forward(View<const std::uint32_t> row_of_slot, View<const std::uint32_t> neighbors,
                             View<const std::uint32_t> degrees, View<std::uint32_t> bits,
                             View<std::uint32_t> set_bits) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  bool forward = false;
  if (slot < neighbors.size()) {
    const std::uint32_t u = row_of_slot[slot];
    const std::uint32_t v = neighbors[slot];
    forward = comes_before(degrees[v], v, degrees[u], u);
  }
  const unsigned word = __ballot_sync(kFullMask, forward);
  if (warp::lane() == 0 && slot / 32 < bits.size()) {
    bits[slot / 32] = word;
    set_bits[slot / 32] = static_cast<std::uint32_t>(__popc(word));
  }
}

/// One thread a slot: forward edges are gathered, rows staying in order.
__global__ void gather_forward(ForwardSlots forward, View<const std::uint32_t> neighbors,
                               View<std::uint32_t> out_neighbors) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot < neighbors.size() && forward.is_forward(slot)) out_neighbors[forward.rank(slot)] = neighbors[slot];
}

/// One thread a vertex (and one more): where its out-list begins.
__global__ void find_out_offsets(ForwardSlots forward, View<const std::uint64_t> offsets, std::uint32_t edges,
                                 View<std::uint32_t> out_offsets) {
  const std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (v >= out_offsets.size()) return;
  const auto slot = static_cast<std::int64_t>(offsets[v]);
  out_offsets[v] = slot / 32 < forward.bits.size() ? forward.rank(slot) : edges;
}

// --- Tasks -----------------------------------------------------------------------------------------------------

/// A queue of work, filled by one kernel and fetched from by another. A task is (u, first slot within u's row).
struct TaskQueue {
  View<uint2> tasks;
  std::uint32_t* length;
  std::uint32_t* next;  // the first task that nobody has fetched
};

/// Rows in pieces of kTaskSlots, by the length of the out-list that has to be indexed: a warp's work, or a block's
/// with a small or a large table.
struct TaskQueues {
  TaskQueue short_lists;
  TaskQueue long_lists;
  TaskQueue longest_lists;
};

__global__ void make_tasks(View<const std::uint64_t> offsets, View<const std::uint32_t> out_offsets,
                           TaskQueues queues) {
  const std::int64_t u = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = u < out_offsets.size() - 1;
  const std::uint32_t out_degree = inside ? out_offsets[u + 1] - out_offsets[u] : 0;
  const std::uint64_t degree = inside ? offsets[u + 1] - offsets[u] : 0;
  const auto pieces = static_cast<std::uint32_t>((degree + kTaskSlots - 1) / kTaskSlots);
  // A warp appends its one-piece short lists together: one atomic addition for up to 32 of them.
  const bool is_simple = out_degree >= 1 && out_degree <= kWarpListLimit && pieces == 1;
  const unsigned lanes = __ballot_sync(kFullMask, is_simple);
  std::uint32_t at = 0;
  if (warp::lane() == 0 && lanes != 0) {
    at = atomicAdd(queues.short_lists.length, static_cast<std::uint32_t>(__popc(lanes)));
  }
  at = __shfl_sync(kFullMask, at, 0) + static_cast<std::uint32_t>(__popc(lanes & ((1U << warp::lane()) - 1U)));
  if (is_simple) {
    queues.short_lists.tasks[at] = make_uint2(static_cast<unsigned>(u), 0);
  } else if (out_degree >= 1) {
    const TaskQueue& queue = out_degree <= kWarpListLimit    ? queues.short_lists
                             : out_degree <= kBlockListLimit ? queues.long_lists
                                                             : queues.longest_lists;
    at = atomicAdd(queue.length, pieces);
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      queue.tasks[at + piece] = make_uint2(static_cast<unsigned>(u), piece * static_cast<std::uint32_t>(kTaskSlots));
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

  __device__ std::uint32_t out_degree(std::uint32_t v) const { return offsets[std::int64_t{v} + 1] - offsets[v]; }
};

/// What a warp does with the neighbours v of u whose out-list is the shorter one: look each element of N+(v) up in u's
/// table. Of 32 elements a few pass the filter; those are queued until 32 are together, so that the costly part
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

  /// The slots [first, first + 32) of u's row, as far as they lie before `end`. An edge is handled at its end with
  /// the longer out-list, ties by id, so that the shorter list is walked.
  __device__ void walk_row(std::uint32_t u, std::uint32_t out_degree_u, std::int64_t first, std::int64_t end) {
    const std::int64_t slot = first + warp::lane();
    std::uint32_t list_end = 0;
    bool mine = false;
    if (slot < end) {
      const std::uint32_t v = graph_.rows[slot];
      list_begin_ = graph_.offsets[v];
      list_end = graph_.offsets[std::int64_t{v} + 1];
      const std::uint32_t out_degree_v = list_end - list_begin_;
      mine = out_degree_v != 0 && (out_degree_v < out_degree_u || (out_degree_v == out_degree_u && v < u));
    }
    for (unsigned lanes = __ballot_sync(kFullMask, mine); lanes != 0; lanes &= lanes - 1) {
      const int owner = __ffs(static_cast<int>(lanes)) - 1;
      walk(static_cast<std::uint32_t>(owner), __shfl_sync(kFullMask, list_begin_, owner),
           __shfl_sync(kFullMask, list_end, owner));
    }
    flush();
    const std::uint32_t found = slot_counters_[warp::lane()];  // only this lane reads and clears it
    if (found != 0) {
      slot_counters_[warp::lane()] = 0;
      // The edge's number: of a forward slot its rank; else u is looked up in N+(v), which was just walked.
      const std::int64_t edge =
          graph_.forward.is_forward(slot)
              ? std::int64_t{graph_.forward.rank(slot)}
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
    std::uint32_t e = from + static_cast<std::uint32_t>(warp::lane());
    std::uint32_t name = (place << kOffsetBits) + static_cast<std::uint32_t>(warp::lane());
    for (; to - from >= kUnroll * kWarpSize; from += kUnroll * kWarpSize) {
      std::uint32_t w[kUnroll];
#pragma unroll
      for (int i = 0; i < kUnroll; ++i) w[i] = graph_.neighbors[e + static_cast<std::uint32_t>(i * kWarpSize)];
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
    close(warp::lane() < queued_ ? queue_[warp::lane()] : make_uint2(0, kEmpty));
    queued_ = 0;
    __syncwarp();
  }

  /// `name`: which slot and which element of its list w is.
  __device__ void push(bool candidate, std::uint32_t name, std::uint32_t w) {
    const unsigned lanes = __ballot_sync(kFullMask, candidate);
    if (lanes == 0) return;
    if (candidate) queue_[queued_ + __popc(lanes & ((1U << warp::lane()) - 1U))] = make_uint2(name, w);
    queued_ += __popc(lanes);
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
    if (candidate.y == kEmpty) return;
    const std::uint32_t place = table_.find(candidate.y);
    if (place == kEmpty) return;
    atomicAdd(&table_.counters[place], 1U);                                                                // edge (u,w)
    atomicAdd(&slot_counters_[slot], 1U);                                                                  // edge (u,v)
    atomicAdd(&graph_.counts[std::int64_t{list_begin} + (candidate.x & ((1U << kOffsetBits) - 1U))], 1U);  // edge (v,w)
  }

  const OutGraph& graph_;
  const SharedTable& table_;
  uint2* queue_;
  std::uint32_t* slot_counters_;
  std::uint32_t list_begin_ = 0;  ///< of this lane's slot
  int queued_ = 0;
};

// --- Counting ----------------------------------------------------------------------------------------------------

inline constexpr int kWarpTableBits = 7;
static_assert(kWarpListLimit * 2 == 1 << kWarpTableBits);
/// Shared memory of a warp that indexes short lists, in words; a multiple of two, as its queue is read by 8 bytes.
inline constexpr int kWarpWords = RowProbe<true>::kWords + SharedTable::words(kWarpTableBits);
static_assert(kWarpWords % 2 == 0 && RowProbe<true>::kWords % 2 == 0);

/// One warp a task: u's out-list, at most kWarpListLimit long, is indexed, and its row walked.
template <bool kFilter>
__global__ void __launch_bounds__(256, 8) count_short_lists(OutGraph graph, TaskQueue queue) {
  constexpr std::uint32_t kBatch = 4;  // tasks a warp fetches at once; few, as the pieces of a hub lie together
  const int lane = warp::lane();
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>() + (threadIdx.x / kWarpSize) * kWarpWords;
  const SharedTable table = SharedTable::at(memory + RowProbe<kFilter>::kWords, kWarpTableBits);
  RowProbe<kFilter> probe(graph, table, memory);
  const std::uint32_t tasks = *queue.length;

  while (true) {
    std::uint32_t batch = 0;
    if (lane == 0) batch = atomicAdd(queue.next, kBatch);
    batch = __shfl_sync(kFullMask, batch, 0);
    if (batch >= tasks) return;
    for (std::uint32_t i = batch; i < batch + kBatch && i < tasks; ++i) {
      const uint2 task = queue.tasks[i];
      const std::uint32_t begin = graph.offsets[task.x];
      const std::uint32_t out_degree = graph.out_degree(task.x);

      table.clear(static_cast<unsigned>(lane), kWarpSize);
      __syncwarp();
      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < out_degree; e += kWarpSize) {
        table.insert(graph.neighbors[begin + e]);
      }
      __syncwarp();

      const auto row_begin = static_cast<std::int64_t>(graph.row_offsets[task.x]) + task.y;
      const auto row_end = static_cast<std::int64_t>(graph.row_offsets[std::int64_t{task.x} + 1]);
      const std::int64_t end = row_end - row_begin < kTaskSlots ? row_end : row_begin + kTaskSlots;
      for (std::int64_t first = row_begin; first < end; first += kWarpSize) {
        probe.walk_row(task.x, out_degree, first, end);
      }

      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < out_degree; e += kWarpSize) {
        const std::uint32_t found = table.counters[table.find(graph.neighbors[begin + e])];
        if (found != 0) atomicAdd(&graph.counts[begin + e], found);
      }
      __syncwarp();
    }
  }
}

/// Words of shared memory of a block of `warps` warps that indexes longer lists with a table of 2^bits keys.
WARPBENCH_HOST_DEVICE constexpr int block_words(int warps, int bits) {
  return warps * RowProbe<true>::kWords + SharedTable::words(bits);
}

/// The same by one block a task, threads (32, warps), for longer out-lists: half the table's keys are indexed at a
/// time. The warps fetch slots as they get free, since lists differ in length.
template <bool kFilter>
__global__ void __launch_bounds__(1024, 2) count_long_lists(OutGraph graph, TaskQueue queue, int table_bits) {
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>();
  const SharedTable table = SharedTable::at(memory + blockDim.y * RowProbe<kFilter>::kWords, table_bits);
  RowProbe<kFilter> probe(graph, table, memory + threadIdx.y * RowProbe<kFilter>::kWords);
  const std::uint32_t part_elements = 1U << (table_bits - 1);
  __shared__ std::uint32_t fetched_task;
  __shared__ std::uint32_t fetched_slots;

  while (true) {
    __syncthreads();
    if (tid == 0) fetched_task = atomicAdd(queue.next, 1U);
    __syncthreads();
    if (fetched_task >= *queue.length) return;
    const uint2 task = queue.tasks[fetched_task];
    const std::uint32_t out_degree = graph.out_degree(task.x);
    const std::uint32_t begin = graph.offsets[task.x];
    const std::uint32_t end = begin + out_degree;
    const auto row_begin = static_cast<std::int64_t>(graph.row_offsets[task.x]) + task.y;
    const auto row_end = static_cast<std::int64_t>(graph.row_offsets[std::int64_t{task.x} + 1]);
    const std::int64_t slots = row_end - row_begin < kTaskSlots ? row_end - row_begin : kTaskSlots;

    for (std::uint32_t part = begin; part < end; part += part_elements) {
      const std::uint32_t part_end = end - part < part_elements ? end : part + part_elements;
      table.clear(tid, threads);
      if (tid == 0) fetched_slots = 0;
      __syncthreads();
      for (std::uint32_t e = part + tid; e < part_end; e += threads) table.insert(graph.neighbors[e]);
      __syncthreads();

      while (true) {
        std::uint32_t first = 0;
        if (threadIdx.x == 0) first = atomicAdd(&fetched_slots, static_cast<std::uint32_t>(kFetchedSlots));
        first = __shfl_sync(kFullMask, first, 0);
        if (first >= slots) break;
        const std::int64_t last = first + kFetchedSlots < slots ? first + kFetchedSlots : slots;
        probe.walk_row(task.x, out_degree, row_begin + first, row_begin + last);
      }
      __syncthreads();
      for (std::uint32_t e = part + tid; e < part_end; e += threads) {
        const std::uint32_t found = table.counters[table.find(graph.neighbors[e])];
        if (found != 0) atomicAdd(&graph.counts[e], found);
      }
      __syncthreads();
    }
  }
}

// --- Both slots of every edge --------------------------------------------------------------------------------------

/// One thread a slot. A forward slot has its edge's rank; the i-th backward slot, counted over all rows, belongs to
/// the i-th edge in the order (target, source), which is the order of the CSR's backward slots.
__global__ void fill_both_slots(ForwardSlots forward, View<const std::uint32_t> edge_counts,
                                View<const std::uint32_t> counts_by_target, View<std::uint32_t> counts) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= counts.size()) return;
  const std::int64_t rank = forward.rank(slot);
  counts[slot] = forward.is_forward(slot) ? edge_counts[rank] : counts_by_target[slot - rank];
}

}  // namespace warpbench::common_neighbors
