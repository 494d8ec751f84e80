// What fsig's kernels ask of the data graph and of the candidates.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/filter.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "device/kernel.hpp"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::fsig {

inline constexpr int kThreads = 128;

/// O(log labels of v).
__device__ __forceinline__ bool has_label(const DeviceGraph& data, Vertex v, Label label) {
  if (data.label_offsets.empty()) return data.labels[v] == label;
  const auto begin = static_cast<std::int64_t>(data.label_offsets[v]);
  const auto end = static_cast<std::int64_t>(data.label_offsets[std::int64_t{v} + 1]);
  return binary_search(data.labels.data() + begin, end - begin, label);
}

__device__ __forceinline__ Label edge_label_of(const DeviceGraph& data, std::int64_t slot) {
  return data.edge_labels.empty() ? 0 : data.edge_labels[slot];
}

__device__ __forceinline__ RankWord word_of(const Candidates& candidates, std::uint32_t u, Vertex v) {
  return candidates.words[u * candidates.words_per_set + v / 32];
}

/// Whether v is in C(u).
__device__ __forceinline__ bool is_candidate(const Candidates& candidates, std::uint32_t u, Vertex v) {
  return ((word_of(candidates, u, v).bits >> (v % 32)) & 1U) != 0;
}

/// The place of v in C'(u), of which it is one.
__device__ __forceinline__ std::int64_t rank_of(const Candidates& candidates, std::uint32_t u, Vertex v) {
  const RankWord word = word_of(candidates, u, v);
  return word.before + static_cast<std::uint32_t>(__popc(word.bits & ((1U << (v % 32)) - 1)));
}

/// One of all candidates: v is the rank-th of C(u).
struct Candidate {
  std::uint32_t u;
  Vertex v;
  std::int64_t rank;
};
__device__ __forceinline__ Candidate candidate_at(const Candidates& candidates, std::int64_t item) {
  const std::int64_t u = upper_bound(candidates.offsets.data(), candidates.query_vertices, item) - 1;
  return {static_cast<std::uint32_t>(u), candidates.vertices[item], item - candidates.offsets[u]};
}

/// Calls visit(candidate) for all candidates, a warp each.
template <typename Visit>
__device__ __forceinline__ void for_each_candidate(const Candidates& candidates, Visit visit) {
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarpSize);
  const std::int64_t total = candidates.offsets[candidates.query_vertices];
  for (std::int64_t item = std::int64_t{blockIdx.x} * (kThreads / kWarpSize) + warp::rank(); item < total;
       item += warps) {
    visit(candidate_at(candidates, item));
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
__device__ __forceinline__ void for_each_batch(const DeviceGraph& data, Vertex v, Visit visit) {
  const auto begin = static_cast<std::int64_t>(data.offsets[v]);
  const auto end = static_cast<std::int64_t>(data.offsets[std::int64_t{v} + 1]);
  for (std::int64_t base = begin; base < end; base += kWarpSize) {
    const std::int64_t slot = base + warp::lane();
    RowBatch batch{slot < end, 0, 0};
    if (batch.present) batch = {true, data.neighbors[slot], edge_label_of(data, slot)};
    if (!visit(batch)) return;
  }
}

/// Whether the lane's neighbour may stand at the other end of a query edge.
__device__ __forceinline__ bool may_stand(const Candidates& candidates, const RowBatch& batch, QuerySlot slot) {
  return batch.present && batch.edge_label == slot.edge_label && is_candidate(candidates, slot.to, batch.neighbor);
}

/// The lowest `count` bits.
__device__ __forceinline__ unsigned low_bits(int count) {
  return count >= kWarpSize ? kFullMask : (1U << count) - 1;
}

}  // namespace warpbench::matching::fsig
