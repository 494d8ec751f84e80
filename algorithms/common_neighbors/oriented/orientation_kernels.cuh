// The kernels between a graph and its oriented form (oriented.hpp): they run before and after the count.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/counter/rows_of_tile.cuh"
#include "algorithms/common_neighbors/oriented/ranked_bits.cuh"
#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// Calls write(slot, whether it is forward, its rank, read(slot, whether it is forward, its rank)) with every slot
/// below `slots`, a lane each, where the rank is the number of forward slots before it. A warp reads some words of 32
/// slots before it writes any.
template <typename Read, typename Write>
__device__ __forceinline__ void over_words(const RankedBits& forward, std::int64_t slots, Read read, Write write) {
  constexpr int kWords = SlotTuning::kWords;
  for (const std::int64_t group : grid::per_warp<SlotTuning::kThreads>(ceil_div(slots, kWords * kWarpSize))) {
    const std::int64_t first = group * kWords * kWarpSize + warp::lane();
    std::uint32_t bits[kWords];
    std::uint32_t rank[kWords];
    std::uint32_t value[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::int64_t word = group * kWords + i;
      const bool inside = word < forward.bits.size();
      bits[i] = inside ? forward.bits[word] : 0;
      rank[i] = inside ? forward.before[word] : 0;
    }
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::int64_t slot = first + i * kWarpSize;
      rank[i] += __popc(bits[i] & warp::lanes_below());
      if (slot < slots) value[i] = read(slot, (bits[i] & mask_of(warp::lane())) != 0, rank[i]);
    }
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::int64_t slot = first + i * kWarpSize;
      if (slot < slots) write(slot, (bits[i] & mask_of(warp::lane())) != 0, rank[i], value[i]);
    }
  }
}

// --- Orientation -----------------------------------------------------------------------------------------------

/// One thread a vertex.
__global__ void find_degrees(View<const std::uint64_t> offsets, View<std::uint32_t> degrees) {
  for (const std::int64_t v : grid::strided(degrees.size())) {
    degrees[v] = static_cast<std::uint32_t>(segment(offsets, v).size());
  }
}

/// One warp a tile: does the edge of slot e(u,v) point from u to v? 32 slots a word.
__global__ void __launch_bounds__(SlotTuning::kThreads)
    flag_forward(View<const std::uint64_t> offsets, View<const std::uint32_t> neighbors,
                 View<const std::uint32_t> degrees, View<std::uint32_t> bits, View<std::uint32_t> bits_in_word) {
  for_each_slot_with_row(offsets, neighbors.size(), [&](std::uint32_t u, std::int64_t slot, bool inside) {
    bool forward = false;
    if (inside) {
      const std::uint32_t v = neighbors[slot];
      forward = comes_before(degrees[v], v, degrees[u], u);
    }
    const unsigned word = __ballot_sync(kFullMask, forward ? 1 : 0);
    if (warp::lane() == 0) {
      bits[word_of(slot)] = word;
      bits_in_word[word_of(slot)] = __popc(word);
    }
  });
}

/// A warp SlotTuning::kWords words of 32 slots: forward edges are gathered, rows staying in order.
__global__ void __launch_bounds__(SlotTuning::kThreads)
    gather_forward(RankedBits forward, View<const std::uint32_t> neighbors, View<std::uint32_t> out_neighbors) {
  over_words(
      forward, neighbors.size(), [&](std::int64_t slot, bool, std::uint32_t) { return neighbors[slot]; },
      [&](std::int64_t, bool is_forward, std::uint32_t rank, std::uint32_t v) {
        if (is_forward) out_neighbors[rank] = v;
      });
}

/// One thread a vertex (and one more): where its out-list begins.
__global__ void find_out_offsets(RankedBits forward, View<const std::uint64_t> offsets, std::uint32_t edges,
                                 View<std::uint32_t> out_offsets) {
  for (const std::int64_t v : grid::strided(out_offsets.size())) {
    const auto slot = static_cast<std::int64_t>(offsets[v]);
    out_offsets[v] = word_of(slot) < forward.bits.size() ? forward.rank(slot) : edges;
  }
}

// --- Both slots of every edge --------------------------------------------------------------------------------------

/// A warp some words of 32 slots. A forward slot has its edge's rank; the i-th backward slot, counted over all rows,
/// belongs to the i-th edge in the order (target, source), which is the order of the CSR's backward slots.
template <typename Count>
__global__ void __launch_bounds__(SlotTuning::kThreads)
    fill_both_slots(RankedBits forward, View<const Count> edge_counts, View<const Count> counts_by_target,
                    View<std::uint32_t> counts) {
  over_words(
      forward, counts.size(),
      [&](std::int64_t slot, bool is_forward, std::uint32_t rank) -> std::uint32_t {
        return is_forward ? edge_counts[rank] : counts_by_target[slot - rank];
      },
      [&](std::int64_t slot, bool, std::uint32_t, std::uint32_t count) { counts[slot] = count; });
}

}  // namespace warpbench::common_neighbors
