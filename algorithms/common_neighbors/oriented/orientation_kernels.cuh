// The kernels between a graph and its oriented form (oriented.hpp): they run before and after the count.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "device/bits.cuh"
#include "device/ranges.cuh"
#include "device/segments.cuh"

namespace warpbench::common_neighbors {

/// The slots that point forward, and their number before a given slot: rank queries over a bit vector.
struct ForwardSlots {
  View<const std::uint32_t> bits;
  View<const std::uint32_t> before;

  __device__ bool is_forward(std::int64_t slot) const { return test_bit(bits, slot); }
  __device__ std::uint32_t rank(std::int64_t slot) const {
    return before[word_of(slot)] + __popc(bits[word_of(slot)] & bits_below(slot));
  }
};

// --- Orientation -----------------------------------------------------------------------------------------------

/// degrees[v], and a mark at each vertex's first slot: an inclusive sum of the marks is the row of every slot.
__global__ void mark_rows(View<const std::uint64_t> offsets, View<std::uint32_t> degrees, View<std::uint32_t> marks) {
  for (const std::int64_t v : grid::strided(degrees.size())) {
    const Extent<std::int64_t> row = segment(offsets, v);
    degrees[v] = static_cast<std::uint32_t>(row.size());
    if (v > 0 && row.begin < marks.size()) atomicAdd(&marks[row.begin], 1U);
  }
}

/// One thread a slot e(u,v), 32 slots a word: does the edge point from u to v?
__global__ void flag_forward(View<const std::uint32_t> row_of_slot, View<const std::uint32_t> neighbors,
                             View<const std::uint32_t> degrees, View<std::uint32_t> bits,
                             View<std::uint32_t> bits_in_word) {
  const std::int64_t slot = grid::index();
  bool forward = false;
  if (slot < neighbors.size()) {
    const std::uint32_t u = row_of_slot[slot];
    const std::uint32_t v = neighbors[slot];
    forward = comes_before(degrees[v], v, degrees[u], u);
  }
  const unsigned word = __ballot_sync(kFullMask, forward);
  if (warp::lane() == 0 && word_of(slot) < bits.size()) {
    bits[word_of(slot)] = word;
    bits_in_word[word_of(slot)] = __popc(word);
  }
}

/// One thread a slot: forward edges are gathered, rows staying in order.
__global__ void gather_forward(ForwardSlots forward, View<const std::uint32_t> neighbors,
                               View<std::uint32_t> out_neighbors) {
  for (const std::int64_t slot : grid::strided(neighbors.size())) {
    if (forward.is_forward(slot)) out_neighbors[forward.rank(slot)] = neighbors[slot];
  }
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

/// One thread a slot. A forward slot has its edge's rank; the i-th backward slot, counted over all rows, belongs to
/// the i-th edge in the order (target, source), which is the order of the CSR's backward slots.
__global__ void fill_both_slots(ForwardSlots forward, View<const std::uint32_t> edge_counts,
                                View<const std::uint32_t> counts_by_target, View<std::uint32_t> counts) {
  for (const std::int64_t slot : grid::strided(counts.size())) {
    const std::int64_t rank = forward.rank(slot);
    counts[slot] = forward.is_forward(slot) ? edge_counts[rank] : counts_by_target[slot - rank];
  }
}

}  // namespace warpbench::common_neighbors
