// The kernels of oriented counting (oriented.hpp), in the order in which they run.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/degree_order.cuh"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

inline constexpr std::uint32_t kEmpty = 0xffffffffU;  // no vertex has this id (datasets::kMaxVertex)
inline constexpr int kWarpListLimit = 64;             // out-lists up to this are a warp's work, two elements a lane
inline constexpr int kWarpTableSlots = 128;           // so that a warp's table is at most half full
inline constexpr int kGroupLanes = 8;                 // lanes that walk one list N+(v) in the warp kernel
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

// --- Hash tables in shared memory --------------------------------------------------------------------------------

/// Open addressing with linear probing over 2^(32 - shift) keys, with a counter a key.
struct SharedTable {
  std::uint32_t* keys;
  std::uint32_t* counters;
  int shift;

  __device__ std::uint32_t mask() const { return (1U << (32 - shift)) - 1U; }
  __device__ std::uint32_t home(std::uint32_t w) const { return (w * 2654435769U) >> shift; }  // Knuth: 2^32 / phi

  /// Where `w`, which is not there yet, now is.
  __device__ std::uint32_t insert(std::uint32_t w) const {
    std::uint32_t at = home(w);
    while (atomicCAS(&keys[at], kEmpty, w) != kEmpty) at = (at + 1) & mask();
    return at;
  }
  /// Where `w` is, or kEmpty.
  __device__ std::uint32_t find(std::uint32_t w) const {
    std::uint32_t at = home(w);
    while (true) {
      const std::uint32_t key = keys[at];
      if (key == w) return at;
      if (key == kEmpty) return kEmpty;
      at = (at + 1) & mask();
    }
  }
};

/// The oriented graph and its counts.
struct OutGraph {
  View<const std::uint32_t> offsets;
  View<const std::uint32_t> neighbors;
  View<std::uint32_t> counts;
};

// --- Counting ----------------------------------------------------------------------------------------------------

/// Triangles (u,v,w), u lowest, by one warp a vertex u with at most kWarpListLimit out-neighbours. Groups of
/// kGroupLanes lanes walk the lists N+(v); what u's table holds closes a triangle.
__global__ void __launch_bounds__(256) count_short_lists(OutGraph graph, TaskQueue<std::uint32_t> queue) {
  constexpr int kGroups = kWarpSize / kGroupLanes;
  constexpr int kBatch = 16;  // vertices a warp fetches at once
  constexpr int kShift = 32 - 7;
  static_assert(1 << (32 - kShift) == kWarpTableSlots);
  const int lane = warp::lane();
  const int group = lane / kGroupLanes;
  const int member = lane % kGroupLanes;
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>() + (threadIdx.x / kWarpSize) * 2 * kWarpTableSlots;
  const SharedTable table{memory, memory + kWarpTableSlots, kShift};
  const std::uint32_t vertices = *queue.length;

  while (true) {
    std::uint32_t batch = 0;
    if (lane == 0) batch = atomicAdd(queue.next, static_cast<std::uint32_t>(kBatch));
    batch = __shfl_sync(kFullMask, batch, 0);
    if (batch >= vertices) return;
    for (std::uint32_t task = batch; task < batch + kBatch && task < vertices; ++task) {
      const std::uint32_t u = queue.tasks[task];
      const std::uint32_t begin = graph.offsets[u];
      const auto degree = static_cast<int>(graph.offsets[std::int64_t{u} + 1] - begin);

      for (int i = lane; i < kWarpTableSlots; i += kWarpSize) {
        table.keys[i] = kEmpty;
        table.counters[i] = 0;
      }
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
        for (int first = half * kWarpSize; first < degree && first < (half + 1) * kWarpSize; first += kGroups) {
          const int owner = (first + group) % kWarpSize;  // beyond the degree its list is empty
          const std::uint32_t from = __shfl_sync(kFullMask, list_begin[half], owner);
          const std::uint32_t to = __shfl_sync(kFullMask, list_end[half], owner);
          const std::uint32_t v_place = __shfl_sync(kFullMask, place[half], owner);
          std::uint32_t triangles = 0;
          for (std::uint32_t e = from + static_cast<std::uint32_t>(member); e < to; e += kGroupLanes) {
            const std::uint32_t at = table.find(graph.neighbors[e]);
            if (at == kEmpty) continue;
            ++triangles;
            atomicAdd(&table.counters[at], 1U);  // edge (u,w)
            atomicAdd(&graph.counts[e], 1U);     // edge (v,w)
          }
          for (int step = kGroupLanes / 2; step > 0; step /= 2) {
            triangles += __shfl_xor_sync(kFullMask, triangles, step);
          }
          if (member == 0 && triangles != 0) atomicAdd(&table.counters[v_place], triangles);  // edge (u,v)
        }
      }
      __syncwarp();
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int i = half * kWarpSize + lane;
        if (i >= degree) continue;
        const std::uint32_t found = table.counters[place[half]];
        if (found != 0) atomicAdd(&graph.counts[begin + static_cast<std::uint32_t>(i)], found);
      }
      __syncwarp();
    }
  }
}

/// The same by one block a task: at most kTaskEdges edges (u,v) of a longer list. The table holds `table_elements`
/// of N+(u) at a time. kFilter: a bit filter of one bit a hash value, eight a table slot, is asked before the table.
template <bool kFilter>
__global__ void count_long_lists(OutGraph graph, TaskQueue<uint2> queue, int table_shift,
                                 std::uint32_t table_elements) {
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y;
  const std::uint32_t slots = 1U << (32 - table_shift);
  std::uint32_t* const memory = dynamic_shared<std::uint32_t>();
  const SharedTable table{memory, memory + slots, table_shift};
  std::uint32_t* const filter = memory + 2 * static_cast<std::size_t>(slots);
  const int filter_shift = table_shift - 3;
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
    const std::uint32_t last_edge =
        end - first_edge < kTaskEdges ? end : first_edge + static_cast<std::uint32_t>(kTaskEdges);

    for (std::uint32_t part = begin; part < end; part += table_elements) {
      const std::uint32_t part_end = end - part < table_elements ? end : part + table_elements;
      for (std::uint32_t i = tid; i < slots; i += threads) {
        table.keys[i] = kEmpty;
        table.counters[i] = 0;
      }
      if constexpr (kFilter) {
        for (std::uint32_t i = tid; i < slots / 4; i += threads) filter[i] = 0;
      }
      __syncthreads();
      for (std::uint32_t e = part + tid; e < part_end; e += threads) {
        const std::uint32_t w = graph.neighbors[e];
        table.insert(w);
        if constexpr (kFilter) {
          const std::uint32_t bit = (w * 2654435769U) >> filter_shift;
          atomicOr(&filter[bit / 32], 1U << (bit % 32));
        }
      }
      __syncthreads();

      for (std::uint32_t edge = first_edge + threadIdx.y; edge < last_edge; edge += blockDim.y) {
        const std::uint32_t v = graph.neighbors[edge];
        const std::uint32_t to = graph.offsets[std::int64_t{v} + 1];
        std::uint32_t triangles = 0;
        for (std::uint32_t e = graph.offsets[v] + threadIdx.x; e < to; e += kWarpSize) {
          const std::uint32_t w = graph.neighbors[e];
          if constexpr (kFilter) {
            const std::uint32_t bit = (w * 2654435769U) >> filter_shift;
            if (((filter[bit / 32] >> (bit % 32)) & 1U) == 0) continue;
          }
          const std::uint32_t at = table.find(w);
          if (at == kEmpty) continue;
          ++triangles;
          atomicAdd(&table.counters[at], 1U);
          atomicAdd(&graph.counts[e], 1U);
        }
        triangles = warp::reduce_sum(triangles);
        if (threadIdx.x == 0 && triangles != 0) atomicAdd(&graph.counts[edge], triangles);
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
