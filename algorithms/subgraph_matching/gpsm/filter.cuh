// GpsmFilter: GpSM's candidate vertices, by label and degree (gsi2020 §VIII-B; its reference [15] has the rest). Along
// a spanning tree of the query, the candidates of a vertex mark those of its children, and a candidate without a needed
// neighbour goes. Then rounds remove candidates that lack a candidate neighbour for some query edge. GpSM's own graphs
// have no edge labels; they are tested later, when the edges are collected. Tested here, they would leave one vertex in
// the smallest sets of a graph like enron, where Table IV has 2246.
#pragma once

#include "algorithms/subgraph_matching/edge_join/candidates.hpp"
#include "algorithms/subgraph_matching/edge_join/graph.cuh"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::edge_join {

class GpsmFilter {
 public:
  /// tests[u]: by label and degree. frequencies[u]: how many data vertices have the rarest label of u.
  GpsmFilter(const Graph& query, const DeviceCsr& data, std::vector<VertexTest> tests,
             std::vector<std::int64_t> frequencies, Stream& stream);

  /// Fills empty sets, up to their lists; as far as `deadline` allows. The stream is waited for at the end, and in
  /// between on graphs so large that steps take milliseconds.
  void run(CandidateSets& candidates, const Deadline& deadline) const;

 private:
  /// Degree over frequency: GpSM's rank, the highest first.
  [[nodiscard]] double rank(Vertex u) const;
  /// About the elementary steps of a launch that walks the neighbours of u's candidates.
  [[nodiscard]] std::int64_t steps(Vertex u) const;
  void explore(Vertex u, std::vector<bool>& reached, CandidateSets& candidates, PacedLaunches& launches) const;
  void refine(Vertex u, CandidateSets& candidates, PacedLaunches& launches) const;

  const Graph& query_;
  DeviceCsr data_;
  std::vector<VertexTest> tests_;
  std::vector<std::int64_t> frequencies_;
  Stream& stream_;
};

}  // namespace warpbench::matching::edge_join
