// The labels around a vertex: how many of its edges have each label and lead to a vertex of each label. Where a query
// vertex asks for more of a kind than a data vertex has, the data vertex is no image of it: the neighbourhood label
// frequencies of cfl's filter (yu2023 §5.1.1, NLF), told apart by edge labels too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

/// Calls body(edge label, label, neighbour) for each edge at v and each label of its other end.
template <typename Body>
void for_each_neighbor_label(const Graph& graph, Vertex v, const Body& body) {
  const auto neighbors = graph.row(v);
  const auto edge_labels = graph.row_labels(v);
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    for (const Label label : graph.labels_of(neighbors[i])) body(edge_labels[i], label, neighbors[i]);
  }
}

class NeighborLabels {
 public:
  NeighborLabels() = default;
  /// O(slots · labels of a vertex · log max_degree).
  explicit NeighborLabels(const Graph& graph);

  /// Whether vertex v of `data` has what vertex u here has: of each kind of neighbour as many where `injective`, else
  /// one. O(kinds at u and v).
  [[nodiscard]] bool covered_by(Vertex u, const NeighborLabels& data, Vertex v, bool injective) const;

 private:
  struct Kind {
    Label edge;
    Label vertex;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  struct KindCount {
    Kind kind;
    std::uint32_t count;
  };
  [[nodiscard]] std::span<const KindCount> at(Vertex v) const {
    return std::span(kinds_).subspan(offsets_[v], offsets_[std::size_t{v} + 1] - offsets_[v]);
  }

  std::vector<std::uint64_t> offsets_;
  std::vector<KindCount> kinds_;  // a vertex's ascend
};

/// Vertices by label.
class VerticesByLabel {
 public:
  VerticesByLabel() = default;
  explicit VerticesByLabel(const Graph& graph);
  /// That one of `labels` that the fewest have.
  [[nodiscard]] Label rarest_label(std::span<const Label> labels) const;
  /// The vertices of that label, ascending; none for a label that none has.
  [[nodiscard]] std::span<const Vertex> rarest(std::span<const Label> labels) const;

 private:
  std::vector<std::vector<Vertex>> vertices_;
};

}  // namespace warpbench::matching
