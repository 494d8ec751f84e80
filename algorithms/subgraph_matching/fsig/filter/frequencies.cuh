// Neighbour label frequencies (yu2023 §5.1.1): whether a data vertex and its neighbours have the labels that a query
// vertex and its neighbours have, by counters or by counting.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::fsig {

/// What tells a query vertex from most data vertices.
struct Features {
  std::uint32_t degree;
  Label label;  ///< kNone where a data vertex may have several
};
/// Lanes that look at the neighbours of one candidate. Longer lists are looked at by the whole warp, which stops when
/// all its lanes together have found enough.
struct TeamTuning {
  static constexpr int kLanes = 8;
  static constexpr std::int64_t kMaxNeighbors = 256;
};

__device__ inline Features features_of(const DataGraphView& data, const DeviceQuery& query, std::int64_t u) {
  const QueryVertex vertex = query.vertices[u];
  return {vertex.degree, data.label_offsets.empty() ? query.labels[vertex.labels_begin] : kNone<Label>};
}

/// Whether a data vertex of these features may stand for a query vertex of those of `u`.
__device__ inline bool resembles(const Features& own, const Features& u) {
  return own.degree >= u.degree && own.label == u.label;
}
/// Of a data vertex.
__device__ inline Features features_of(const DataGraphView& data, Vertex v) {
  return {data.degrees[v], data.label_offsets.empty() ? data.labels[v] : kNone<Label>};
}

__device__ inline bool has_labels(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u, Vertex v) {
  for (std::uint32_t i = u.labels_begin; i < u.labels_end; ++i) {
    if (!has_label(data, v, query.labels[i])) return false;
  }
  return true;
}

/// By the counters, which may say yes where a count says no.
__device__ inline bool has_neighbors(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u,
                                     Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    const std::uint32_t word = data.counters[NeighborLabelCounters::word_of(need.group) * data.vertices + v];
    const std::uint32_t counted = NeighborLabelCounters::count_in(word, need.group);
    if (counted < need.count && counted < NeighborLabelCounters::kMaxCount) return false;
  }
  return true;
}

/// Whether as many neighbours of v have the labels as u needs. A whole warp.
__device__ inline bool has_counted_neighbors(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u,
                                             Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    std::uint32_t missing = need.count;
    for_each_batch(data, v, [&](const RowBatch& batch) {
      const bool counts =
          batch.present && batch.edge_label == need.edge_label && has_label(data, batch.neighbor, need.label);
      const auto found = static_cast<std::uint32_t>(warp::compact(counts).count);
      missing = found < missing ? missing - found : 0;
      return missing > 0;
    });
    if (missing > 0) return false;
  }
  return true;
}

}  // namespace warpbench::matching::fsig
