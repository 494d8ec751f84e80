// Access of fsig's kernels to the data graph and the candidates.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::fsig {

/// Kernels that give each candidate a warp.
struct CandidateTuning {
  static constexpr int kThreads = 128;
};

/// O(log labels of v).
__device__ __forceinline__ bool has_label(const DataGraphView& data, Vertex v, Label label) {
  if (data.label_offsets.empty()) return data.labels[v] == label;
  return binary_search(segment(data.label_offsets, data.labels, v), label);
}

__device__ __forceinline__ Label edge_label_of(const DataGraphView& data, std::int64_t slot) {
  return data.edge_labels.empty() ? 0 : data.edge_labels[slot];
}

__device__ __forceinline__ RankWord rank_word(const Candidates& candidates, std::uint32_t u, Vertex v) {
  return candidates.words[u * candidates.words_per_set + word_of(v)];
}

/// Whether v is in C(u).
__device__ __forceinline__ bool is_candidate(const Candidates& candidates, std::uint32_t u, Vertex v) {
  return (rank_word(candidates, u, v).bits & mask_of(v)) != 0;
}

/// The place of v in C'(u), of which it is one.
__device__ __forceinline__ std::int64_t rank_of(const Candidates& candidates, std::uint32_t u, Vertex v) {
  const RankWord word = rank_word(candidates, u, v);
  return std::int64_t{word.before} + __popc(word.bits & bits_below(v));
}

/// One of all candidates: v is the rank-th of C(u).
struct Candidate {
  std::uint32_t u;
  Vertex v;
  std::int64_t rank;
};
__device__ __forceinline__ Candidate candidate_at(const Candidates& candidates, std::int64_t item) {
  const std::int64_t u = find_segment(candidates.offsets, item);
  return {static_cast<std::uint32_t>(u), candidates.vertices[item], item - candidates.offsets[u]};
}

/// The candidates `items`, as far as there are so many.
__device__ __forceinline__ Extent<std::int64_t> existing(const Candidates& candidates, Extent<std::int64_t> items) {
  const std::int64_t total = candidates.offsets[candidates.query_vertices];
  const std::int64_t end = items.end < total ? items.end : total;
  return {items.begin < end ? items.begin : end, end};
}

/// Calls visit(candidate) for candidates `items`, as far as there are so many, a warp each.
template <typename Visit>
__device__ __forceinline__ void for_each_candidate(const Candidates& candidates, Extent<std::int64_t> items,
                                                   Visit visit) {
  for (const std::int64_t item : grid::per_warp<CandidateTuning::kThreads>(existing(candidates, items))) {
    visit(candidate_at(candidates, item));
  }
}

/// Calls visit(first, count) for the edges of query vertex u, 32 at a time: slot first + i is lane i's, i < count.
template <typename Visit>
__device__ __forceinline__ void for_each_slot_batch(const QueryVertex& u, Visit visit) {
  for (std::uint32_t first = u.slots_begin; first < u.slots_end; first += kWarpSize) {
    const std::uint32_t left = u.slots_end - first;
    visit(std::int64_t{first}, left < kWarpSize ? static_cast<int>(left) : kWarpSize);
  }
}

/// N(v) in registers, a slot a lane.
struct RowBatch {
  bool present;  ///< the lane has a slot
  Vertex neighbor;
  Label edge_label;
};
/// Calls visit(batch) for all slots of v, 32 at a time, until it returns false. A whole warp.
template <typename Visit>
__device__ __forceinline__ void for_each_batch(const DataGraphView& data, Vertex v, Visit visit) {
  for (const auto [slot, inside] : warp::rounds(segment(data.offsets, v))) {
    RowBatch batch{inside, 0, 0};
    if (inside) batch = {true, data.neighbors[slot], edge_label_of(data, slot)};
    if (!visit(batch)) return;
  }
}

/// Whether the lane's neighbour is a candidate for the other end of a query edge.
__device__ __forceinline__ bool is_candidate_edge(const Candidates& candidates, const RowBatch& batch, QuerySlot slot) {
  return batch.present && batch.edge_label == slot.edge_label && is_candidate(candidates, slot.to, batch.neighbor);
}

}  // namespace warpbench::matching::fsig
