// The compact path index of CFL-Match (Bi, Chang, Lin, Qin and Zhang, SIGMOD 2016): a breadth-first tree of the query,
// of each query vertex the candidates, and of each of its edges to its parent the data edges between candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/subgraph_matching/collector.hpp"
#include "baselines/subgraph_matching/neighbor_labels.hpp"
#include "baselines/subgraph_matching/query_edges.hpp"
#include "solvers/subgraph_matching/core_forest_leaf.hpp"

namespace warpbench::matching::cfl {

/// The data graph as cfl prepares it before any query.
struct DataIndex {
  explicit DataIndex(const Graph& graph);

  const Graph* graph;
  NeighborLabels neighbor_labels;
  VerticesByLabel by_label;
  std::vector<std::int64_t> greatest_neighbor_degree;  // of each vertex; 0 without neighbours
};

/// A query as cfl reads it.
struct IndexedQuery {
  IndexedQuery(const Graph& query, bool is_injective);

  const Graph* graph;
  bool injective;
  QueryEdges edges;
  NeighborLabels neighbor_labels;
  std::vector<std::int64_t> greatest_neighbor_degree;
};

struct CompactPathIndex {
  struct Node {
    Vertex parent = 0;  // the root's is itself
    std::uint32_t level = 0;
    Region region = Region::core;
    std::vector<Vertex> candidates;      // ascending
    std::vector<std::uint64_t> offsets;  // candidates of the parent + 1; empty at the root
    std::vector<std::uint32_t> below;    // of the parent's i-th candidate: places [offsets[i], offsets[i + 1]) hold
                                         // the places of its neighbours among `candidates`
    [[nodiscard]] std::span<const std::uint32_t> below_of(std::uint32_t place_of_parent) const {
      return std::span(below).subspan(offsets[place_of_parent],
                                      offsets[place_of_parent + 1] - offsets[place_of_parent]);
    }
  };
  std::vector<Vertex> order;  // breadth first, from the root
  std::vector<Node> nodes;    // by query vertex

  [[nodiscard]] Vertex root() const { return order[0]; }
  [[nodiscard]] std::uint64_t candidates() const;
};

/// Core, forest and leaves; the root of fewest candidates by degree; candidates top down, then bottom up; edges between
/// them; all but the tree by `threads` threads. `counts` has a zero for each data vertex, and has again afterwards.
/// Asks the clock at every candidate; once progress.over(), the index is not whole.
[[nodiscard]] CompactPathIndex compact_path_index(const IndexedQuery& query, const DataIndex& data, int threads,
                                                  std::vector<std::uint32_t>& counts, Progress& progress);

}  // namespace warpbench::matching::cfl
