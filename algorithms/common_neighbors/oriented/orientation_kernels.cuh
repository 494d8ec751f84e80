// The kernels between a graph and its oriented form (oriented.hpp): they run before and after the count.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/oriented/forward_slots.cuh"
#include "algorithms/common_neighbors/oriented/rows_of_tile.cuh"
#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// Calls visit(slot, the word of its bit, the set bits before that word) with every slot below `slots`, a lane each.
template <typename Visit>
__device__ __forceinline__ void over_words(const ForwardSlots& forward, std::int64_t slots, Visit visit) {
  constexpr int kWords = OrientationTuning::kWords;
  for (const std::int64_t group : grid::per_warp<OrientationTuning::kThreads>(ceil_div(slots, kWords * kWarpSize))) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::int64_t word = group * kWords + i;
      const std::int64_t slot = word * kBitsPerWord + warp::lane();
      if (slot < slots) visit(slot, forward.bits[word], forward.before[word]);
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
__global__ void __launch_bounds__(OrientationTuning::kThreads)
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

/// A warp OrientationTuning::kWords words of 32 slots: forward edges are gathered, rows staying in order.
__global__ void __launch_bounds__(OrientationTuning::kThreads)
    gather_forward(ForwardSlots forward, View<const std::uint32_t> neighbors, View<std::uint32_t> out_neighbors) {
  over_words(forward, neighbors.size(), [&](std::int64_t slot, std::uint32_t bits, std::uint32_t before) {
    if ((bits & mask_of(warp::lane())) == 0) return;
    out_neighbors[before + __popc(bits & warp::lanes_below())] = neighbors[slot];
  });
}

/// One thread a vertex (and one more): where its out-list begins.
__global__ void find_out_offsets(ForwardSlots forward, View<const std::uint64_t> offsets, std::uint32_t edges,
                                 View<std::uint32_t> out_offsets) {
  for (const std::int64_t v : grid::strided(out_offsets.size())) {
    const auto slot = static_cast<std::int64_t>(offsets[v]);
    out_offsets[v] = word_of(slot) < forward.bits.size() ? forward.rank(slot) : edges;
  }
}

// --- Both slots of every edge --------------------------------------------------------------------------------------

/// A warp some words of 32 slots. A forward slot has its edge's rank; the i-th backward slot, counted over all rows,
/// belongs to the i-th edge in the order (target, source), which is the order of the CSR's backward slots.
__global__ void __launch_bounds__(OrientationTuning::kThreads)
    fill_both_slots(ForwardSlots forward, View<const std::uint32_t> edge_counts,
                    View<const std::uint32_t> counts_by_target, View<std::uint32_t> counts) {
  over_words(forward, counts.size(), [&](std::int64_t slot, std::uint32_t bits, std::uint32_t before) {
    const std::int64_t rank = before + __popc(bits & warp::lanes_below());
    counts[slot] = (bits & mask_of(warp::lane())) != 0 ? edge_counts[rank] : counts_by_target[slot - rank];
  });
}

}  // namespace warpbench::common_neighbors
