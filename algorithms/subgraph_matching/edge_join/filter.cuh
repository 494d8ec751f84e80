// The filters that GpSM and GunrockSM share (gsi2020 §VIII-B, §I). One finds the data vertices that fit by label and
// degree; the other collects the candidate edges of a query edge from a plain CSR, by the two-step output scheme.
#pragma once

#include "algorithms/subgraph_matching/edge_join/graph.cuh"

namespace warpbench::matching::edge_join {

/// flags[v] = 1 where v passes the test, of all data vertices.
void flag_fitting(const VertexTest& test, View<std::uint8_t> flags, Stream& stream);

/// The data edges that are candidates: from a vertex of `sources` along `label` to a vertex whose flag is set.
struct CandidateEdgeQuery {
  DeviceCsr graph;
  View<const Vertex> sources;
  Label label;
  View<const std::uint8_t> targets;  ///< a flag a data vertex
  /// Counts and offsets have a place for each data vertex, source or not, instead of one for each source.
  bool by_vertex;

  [[nodiscard]] std::int64_t places() const { return by_vertex ? targets.size() : sources.size(); }
};

/// The first of the two steps: how many each source has, and 0 for vertices that are no sources. One element more than
/// there are places, a 0.
[[nodiscard]] Buffer<std::int64_t> count_candidate_edges(const CandidateEdgeQuery& query, Stream& stream);
/// Waits for the stream.
[[nodiscard]] std::int64_t sum_of(const Buffer<std::int64_t>& counts, Stream& stream);

/// Candidate edges: the i-th source's (or vertex i's) far ends are targets[offsets[i] .. offsets[i + 1]), ascending.
struct CandidateEdges {
  Buffer<std::int64_t> offsets;
  Buffer<Vertex> targets;
};
/// The second step, from the counts of the first. Waits for the stream.
[[nodiscard]] CandidateEdges write_candidate_edges(const CandidateEdgeQuery& query, Buffer<std::int64_t> counts,
                                                   Stream& stream);

}  // namespace warpbench::matching::edge_join
