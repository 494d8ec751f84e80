// The adjacency lists of cbwj: of each vertex, for each edge label and label of a neighbour, the neighbours, ascending;
// and their intersection.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/subgraph_matching/query_edges.hpp"

namespace warpbench::matching::cbwj {

class LabelledAdjacency {
 public:
  LabelledAdjacency() = default;
  /// A neighbour of several labels is in the list of each. O(slots · labels of a vertex · log max_degree).
  explicit LabelledAdjacency(const Graph& graph);

  /// O(log lists at v).
  [[nodiscard]] std::span<const Vertex> list(Vertex v, Label edge, Label vertex) const;

 private:
  struct List {
    Label edge;
    Label vertex;
    std::uint64_t first;
  };
  std::vector<std::uint64_t> offsets_;  // vertices + 1: the lists of v
  std::vector<List> lists_;             // a vertex's ascend; one more at the end
  std::vector<Vertex> neighbors_;
};

/// The vertices of all lists, of which there is at least one: a list itself, or what is put into `common`. From the
/// shortest on, each list searched by galloping.
[[nodiscard]] std::span<const Vertex> intersection(std::vector<std::span<const Vertex>>& lists,
                                                   std::vector<Vertex>& common);

}  // namespace warpbench::matching::cbwj
