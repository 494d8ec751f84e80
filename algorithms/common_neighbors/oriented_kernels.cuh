// The kernels of oriented counting (oriented.hpp), in the order in which they run.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/degree_order.cuh"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

inline constexpr std::uint32_t kEmpty = 0xffffffffU;  // no vertex has this id (datasets::kMaxVertex)
inline constexpr int kWarpListLimit = 64;             // out-lists up to this are a warp's work, two elements a lane
inline constexpr int kBlockListLimit = 1024;          // out-lists up to this fit a small block's table
inline constexpr std::int64_t kTaskEdges = 256;       // edges (u,v) of a longer list that one block handles

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

/// A queue of work, filled by one kernel and fetched from by another.
template <typename Task>
struct TaskQueue {
  View<Task> tasks;
  std::uint32_t* length;
  std::uint32_t* next;  // the first task that nobody has fetched
};

/// Vertices whose out-list can hold a triangle's two upper edges: short lists are a warp's work, longer ones are cut
/// into tasks (u, first edge within its out-list) for blocks with a small or a large table.
struct TaskQueues {
  TaskQueue<std::uint32_t> short_lists;
  TaskQueue<uint2> long_lists;
  TaskQueue<uint2> longest_lists;
};

__global__ void make_tasks(View<const std::uint32_t> out_offsets, TaskQueues queues) {
  const std::int64_t u = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = u < out_offsets.size() - 1;
  const std::uint32_t degree = inside ? out_offsets[u + 1] - out_offsets[u] : 0;
  // A warp appends its short lists together: one atomic addition for up to 32 of them.
  const bool is_short = degree >= 2 && degree <= kWarpListLimit;
  const unsigned lanes = __ballot_sync(kFullMask, is_short);
  std::uint32_t first = 0;
  if (warp::lane() == 0 && lanes != 0)
    first = atomicAdd(queues.short_lists.length, static_cast<std::uint32_t>(__popc(lanes)));
  first = __shfl_sync(kFullMask, first, 0);
  if (is_short) {
    const unsigned below = lanes & ((1U << warp::lane()) - 1U);
    queues.short_lists.tasks[first + static_cast<std::uint32_t>(__popc(below))] = static_cast<std::uint32_t>(u);
  }
  if (degree > kWarpListLimit) {
    const auto pieces = static_cast<std::uint32_t>((degree + kTaskEdges - 1) / kTaskEdges);
    const TaskQueue<uint2>& queue = degree <= kBlockListLimit ? queues.long_lists : queues.longest_lists;
    std::uint32_t at = atomicAdd(queue.length, pieces);
    for (std::uint32_t edge = 0; edge < degree; edge += static_cast<std::uint32_t>(kTaskEdges)) {
      queue.tasks[at++] = make_uint2(static_cast<unsigned>(u), edge);
    }
  }
}

// --- The index of N+(u) in shared memory -----------------------------------------------------------------------------

/// Open addressing with linear probing over 2^bits keys, at most half of them taken, with a counter a key; before it
/// a bit filter of eight bits a key slot, which turns away nearly all that the table does not hold.
struct SharedTable {
  std::uint32_t* keys;
  std::uint32_t* counters;
  std::uint32_t* filter;
  int bits;

  static constexpr int kFilterBits = 3;  // more than the table's

  /// Words of shared memory for a table of 2^bits keys.
  WARPBENCH_HOST_DEVICE static constexpr int words(int bits) {
    return 2 * (1 << bits) + ((1 << (bits + kFilterBits)) / 32);
  }
  __device__ static SharedTable at(std::uint32_t* memory, int bits) {
    return {memory, memory + (1 << bits), memory + 2 * (1 << bits), bits};
  }

  __device__ static std::uint32_t hash(std::uint32_t w) { return w * 2654435769U; }  // Knuth: 2^32 / phi
  __device__ std::uint32_t next(std::uint32_t place) const { return (place + 1) & ((1U << bits) - 1U); }

  /// Empties the part of `rank` among `size` threads; a barrier must follow.
  __device__ void clear(unsigned rank, unsigned size) const {
    for (unsigned i = rank; i < (1U << bits); i += size) {
      keys[i] = kEmpty;
      counters[i] = 0;
    }
    for (unsigned i = rank; i < (1U << (bits + kFilterBits)) / 32; i += size) filter[i] = 0;
  }
  /// Where `w`, which was not there yet, now is.
  __device__ std::uint32_t insert(std::uint32_t w) const {
    const std::uint32_t bit = hash(w) >> (32 - bits - kFilterBits);
    atomicOr(&filter[bit / 32], 1U << (bit % 32));
    std::uint32_t place = hash(w) >> (32 - bits);
    while (atomicCAS(&keys[place], kEmpty, w) != kEmpty) place = next(place);
    return place;
  }
  /// Where `w` is, or kEmpty.
  __device__ std::uint32_t find(std::uint32_t w) const {
    std::uint32_t place = hash(w) >> (32 - bits);
    while (true) {
      const std::uint32_t key = keys[place];
      if (key == w) return place;
      if (key == kEmpty) return kEmpty;
      place = next(place);
    }
  }
  /// False only for what the table does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w) const {
    if constexpr (!kFilter) return keys[hash(w) >> (32 - bits)] != kEmpty;
    const std::uint32_t bit = hash(w) >> (32 - bits - kFilterBits);
    return ((filter[bit / 32] >> (bit % 32)) & 1U) != 0;
  }
};

/// The oriented graph and its counts.
struct OutGraph {
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  View<std::uint32_t> counts;
};

/// What a warp does with the lists N+(v): of 32 elements looked up, a few pass the filter. Those are queued until 32
/// are together, so that the costly part (probing, three counters) runs with full warps.
template <bool kFilter>
class ListProbe {
 public:
  static constexpr int kQueueWords = 4 * 2 * kWarpSize;

  /// `queue` is this warp's; edge_counters[i] counts triangles of the i-th edge (u,v).
  __device__ ListProbe(const OutGraph& graph, const SharedTable& table, std::uint32_t* edge_counters, uint4* queue)
      : graph_(graph), table_(table), edge_counters_(edge_counters), queue_(queue) {}

  /// Looks up the list [from, to) of the edge number `edge`; the same in all lanes.
  __device__ void walk(std::uint32_t edge, std::uint32_t from, std::uint32_t to) {
    constexpr int kUnroll = 4;  // loads in flight a lane
    std::uint32_t e = from + static_cast<std::uint32_t>(warp::lane());
    for (; to - from >= kUnroll * kWarpSize; from += kUnroll * kWarpSize) {
      std::uint32_t w[kUnroll];
#pragma unroll
      for (int i = 0; i < kUnroll; ++i) w[i] = graph_.neighbors[e + static_cast<std::uint32_t>(i * kWarpSize)];
#pragma unroll
      for (int i = 0; i < kUnroll; ++i, e += kWarpSize) push(table_.template may_hold<kFilter>(w[i]), e, w[i], edge);
    }
    for (; from < to; from += kWarpSize, e += kWarpSize) {
      const std::uint32_t w = e < to ? graph_.neighbors[e] : 0;
      push(e < to && table_.template may_hold<kFilter>(w), e, w, edge);
    }
  }

  /// Handles what is still queued.
  __device__ void flush() {
    __syncwarp();
    if (warp::lane() < queued_) close(queue_[warp::lane()]);
    queued_ = 0;
    __syncwarp();
  }

 private:
  __device__ void push(bool candidate, std::uint32_t e, std::uint32_t w, std::uint32_t edge) {
    const unsigned lanes = __ballot_sync(kFullMask, candidate);
    if (lanes == 0) return;
    if (candidate) queue_[queued_ + __popc(lanes & ((1U << warp::lane()) - 1U))] = make_uint4(e, w, edge, 0);
    queued_ += __popc(lanes);
    if (queued_ < kWarpSize) return;
    queued_ -= kWarpSize;
    __syncwarp();
    close(queue_[queued_ + warp::lane()]);
    __syncwarp();
  }

  /// One candidate: if u's table holds w, then (u,v,w) is a triangle. Taken by value: one load of 16 bytes, and nvcc
  /// 13.0 for sm_90 computes a wrong address for candidate.y where it is a reference into shared memory.
  __device__ void close(const uint4 candidate) {
    const std::uint32_t place = table_.find(candidate.y);
    if (place == kEmpty) return;
    atomicAdd(&table_.counters[place], 1U);                    // edge (u,w)
    atomicAdd(&edge_counters_[candidate.z], 1U);               // edge (u,v)
    atomicAdd(&graph_.counts[std::int64_t{candidate.x}], 1U);  // edge (v,w)
  }

  const OutGraph& graph_;
  const SharedTable& table_;
  std::uint32_t* edge_counters_;
  uint4* queue_;
  int queued_ = 0;
};

// --- Counting ----------------------------------------------------------------------------------------------------

inline constexpr int kWarpTableBits = 7;
static_assert(kWarpListLimit * 2 == 1 << kWarpTableBits);
/// Shared memory of a warp that counts short lists, in words; a multiple of four, as its queue is read by 16 bytes.
inline constexpr int kWarpWords = ListProbe<true>::kQueueWords + SharedTable::words(kWarpTableBits) + kWarpListLimit;

/// Triangles (u,v,w), u lowest, by one warp a vertex u with at most kWarpListLimit out-neighbours.
template <bool kFilter>
__global__ void __launch_bounds__(256) count_short_lists(OutGraph graph, TaskQueue<std::uint32_t> queue) {
  constexpr std::uint32_t kBatch = 16;  // vertices a warp fetches at once
  const int lane = warp::lane();
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>() + (threadIdx.x / kWarpSize) * kWarpWords;
  const SharedTable table = SharedTable::at(memory + ListProbe<kFilter>::kQueueWords, kWarpTableBits);
  std::uint32_t* const edge_counters = memory + (kWarpWords - kWarpListLimit);
  ListProbe<kFilter> probe(graph, table, edge_counters, reinterpret_cast<uint4*>(memory));
  const std::uint32_t vertices = *queue.length;

  while (true) {
    std::uint32_t batch = 0;
    if (lane == 0) batch = atomicAdd(queue.next, kBatch);
    batch = __shfl_sync(kFullMask, batch, 0);
    if (batch >= vertices) return;
    for (std::uint32_t task = batch; task < batch + kBatch && task < vertices; ++task) {
      const std::uint32_t u = queue.tasks[task];
      const std::uint32_t begin = graph.offsets[u];
      const auto degree = static_cast<int>(graph.offsets[std::int64_t{u} + 1] - begin);

      table.clear(static_cast<unsigned>(lane), kWarpSize);
      for (int i = lane; i < kWarpListLimit; i += kWarpSize) edge_counters[i] = 0;
      __syncwarp();
      // Each lane keeps its one or two out-neighbours: their place in the table and the ends of their own lists.
      std::uint32_t place[2] = {0, 0};
      std::uint32_t list_begin[2] = {0, 0};
      std::uint32_t list_end[2] = {0, 0};
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int i = half * kWarpSize + lane;
        if (i >= degree) continue;
        const std::uint32_t v = graph.neighbors[begin + static_cast<std::uint32_t>(i)];
        place[half] = table.insert(v);
        list_begin[half] = graph.offsets[v];
        list_end[half] = graph.offsets[std::int64_t{v} + 1];
      }
      __syncwarp();

#pragma unroll
      for (int half = 0; half < 2; ++half) {
        for (int owner = 0; owner < kWarpSize && half * kWarpSize + owner < degree; ++owner) {
          probe.walk(static_cast<std::uint32_t>(half * kWarpSize + owner),
                     __shfl_sync(kFullMask, list_begin[half], owner), __shfl_sync(kFullMask, list_end[half], owner));
        }
      }
      probe.flush();
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int i = half * kWarpSize + lane;
        if (i >= degree) continue;
        const std::uint32_t found = table.counters[place[half]] + edge_counters[i];
        if (found != 0) atomicAdd(&graph.counts[begin + static_cast<std::uint32_t>(i)], found);
      }
      __syncwarp();
    }
  }
}

/// Words of shared memory of a block of `warps` warps that counts longer lists with a table of 2^bits keys.
WARPBENCH_HOST_DEVICE constexpr int block_words(int warps, int bits) {
  return warps * ListProbe<true>::kQueueWords + SharedTable::words(bits) + static_cast<int>(kTaskEdges);
}

/// The same by one block a task: at most kTaskEdges edges (u,v) of a longer list. Half the table's keys of N+(u) are
/// looked for at a time. Threads (32, warps).
template <bool kFilter>
__global__ void __launch_bounds__(1024, 2) count_long_lists(OutGraph graph, TaskQueue<uint2> queue, int table_bits) {
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>();
  std::uint32_t* const table_memory = memory + blockDim.y * ListProbe<kFilter>::kQueueWords;
  const SharedTable table = SharedTable::at(table_memory, table_bits);
  std::uint32_t* const edge_counters = table_memory + SharedTable::words(table_bits);
  ListProbe<kFilter> probe(graph, table, edge_counters,
                           reinterpret_cast<uint4*>(memory + threadIdx.y * ListProbe<kFilter>::kQueueWords));
  const std::uint32_t part_elements = 1U << (table_bits - 1);
  __shared__ std::uint32_t fetched;

  while (true) {
    __syncthreads();
    if (tid == 0) fetched = atomicAdd(queue.next, 1U);
    __syncthreads();
    if (fetched >= *queue.length) return;
    const uint2 task = queue.tasks[fetched];
    const std::uint32_t begin = graph.offsets[task.x];
    const std::uint32_t end = graph.offsets[std::int64_t{task.x} + 1];
    const std::uint32_t first_edge = begin + task.y;
    const std::uint32_t edges =
        end - first_edge < kTaskEdges ? end - first_edge : static_cast<std::uint32_t>(kTaskEdges);

    for (std::uint32_t i = tid; i < kTaskEdges; i += threads) edge_counters[i] = 0;
    for (std::uint32_t part = begin; part < end; part += part_elements) {
      const std::uint32_t part_end = end - part < part_elements ? end : part + part_elements;
      table.clear(tid, threads);
      __syncthreads();
      for (std::uint32_t e = part + tid; e < part_end; e += threads) table.insert(graph.neighbors[e]);
      __syncthreads();

      // A warp takes 32 edges at a time, so that the ends of their lists are fetched together.
      for (std::uint32_t batch = threadIdx.y * kWarpSize; batch < edges; batch += threads) {
        const std::uint32_t mine = batch + threadIdx.x;
        std::uint32_t list_begin = 0;
        std::uint32_t list_end = 0;
        if (mine < edges) {
          const std::uint32_t v = graph.neighbors[first_edge + mine];
          list_begin = graph.offsets[v];
          list_end = graph.offsets[std::int64_t{v} + 1];
        }
        for (std::uint32_t i = 0; i < kWarpSize && batch + i < edges; ++i) {
          const auto owner = static_cast<int>(i);
          probe.walk(batch + i, __shfl_sync(kFullMask, list_begin, owner), __shfl_sync(kFullMask, list_end, owner));
        }
      }
      probe.flush();
      __syncthreads();
      for (std::uint32_t e = part + tid; e < part_end; e += threads) {
        const std::uint32_t found = table.counters[table.find(graph.neighbors[e])];
        if (found != 0) atomicAdd(&graph.counts[e], found);
      }
      __syncthreads();
    }
    for (std::uint32_t i = tid; i < edges; i += threads) {
      if (edge_counters[i] != 0) atomicAdd(&graph.counts[first_edge + i], edge_counters[i]);
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
