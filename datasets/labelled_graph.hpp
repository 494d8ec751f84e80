// LabelledGraph: a graph whose vertices, and optionally edges, carry labels: the data and query
// graphs of subgraph_matching (yu2023 §5, gsi2020 Definition 1).
#pragma once

#include <cstdint>
#include <span>

#include "datasets/csr.hpp"

namespace warpbench::datasets {

struct LabelledGraph {
  static constexpr Kind kKind = Kind::LabelledGraph;

  Csr graph;
  Array<std::uint32_t> vertex_labels;  // vertices
  Array<std::uint32_t> edge_labels;    // slots, or empty: no edge labels. Both slots of an edge agree

  [[nodiscard]] std::int64_t vertices() const noexcept { return graph.vertices(); }
  [[nodiscard]] std::int64_t edges() const noexcept { return graph.edges(); }
  [[nodiscard]] std::uint32_t label(Vertex v) const noexcept { return vertex_labels[v]; }
  [[nodiscard]] bool has_edge_labels() const noexcept { return !edge_labels.empty(); }
  /// Labels of v's edges, in the order of graph.row(v); empty where edges carry no labels.
  [[nodiscard]] std::span<const std::uint32_t> row_labels(Vertex v) const noexcept {
    if (edge_labels.empty()) return {};
    return edge_labels.span().subspan(graph.offsets[v], graph.offsets[std::size_t{v} + 1] - graph.offsets[v]);
  }

  /// Number of different vertex labels. O(vertices log vertices).
  [[nodiscard]] std::int64_t distinct_vertex_labels() const;

  /// Csr::validate, plus sizes of the label arrays and agreement of an edge's two slots.
  void validate() const;

  /// Csr::describe, plus vertex_labels and, where edges are labelled, edge_labels (distinct counts).
  [[nodiscard]] Properties describe() const;

  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    Csr::visit_arrays(self.graph, visit);
    visit("vertex_labels", self.vertex_labels);
    visit("edge_labels", self.edge_labels);
  }

  friend bool operator==(const LabelledGraph&, const LabelledGraph&) = default;
};

}  // namespace warpbench::datasets
