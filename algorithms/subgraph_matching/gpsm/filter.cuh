// GpsmFilter: GpSM's candidate vertices (gsi2020 §VIII-B: by label and degree; its reference [15] for the rest): along
// a spanning tree of the query, the candidates of a vertex mark those of its children and go where a neighbour is
// missing; then rounds that remove candidates without a candidate neighbour for each query edge. Edge labels, which
// GpSM's own graphs do not have, are met when the edges are collected: with them here the smallest sets of a graph like
// enron have one vertex, where Table IV has 2246.
#pragma once

#include "algorithms/subgraph_matching/edge_join/candidates.hpp"
#include "algorithms/subgraph_matching/edge_join/graph.cuh"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::edge_join {

class GpsmFilter {
 public:
  /// tests[u]: by label and degree. frequencies[u]: how many data vertices have the rarest label of u.
  GpsmFilter(const Graph& query, const DeviceCsr& data, std::vector<VertexTest> tests,
             std::vector<std::int64_t> frequencies, Stream& stream);

  /// Fills empty sets, up to their lists; as far as `deadline` allows.
  void run(CandidateSets& candidates, const Deadline& deadline) const;

 private:
  /// Degree over frequency: GpSM's rank, the highest first.
  [[nodiscard]] double rank(Vertex u) const;
  void explore(Vertex u, std::vector<bool>& reached, CandidateSets& candidates) const;
  void refine(Vertex u, CandidateSets& candidates) const;

  const Graph& query_;
  DeviceCsr data_;
  std::vector<VertexTest> tests_;
  std::vector<std::int64_t> frequencies_;
  Stream& stream_;
};

}  // namespace warpbench::matching::edge_join
