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
  Array<std::uint32_t> vertex_labels;  // vertices, or as vertex_label_offsets says
  Array<std::uint32_t> edge_labels;    // slots, or as edge_label_offsets says, or empty: no edge labels
  // Vertices or edges of several labels (gsi2020 §VII-B): those of vertex v are vertex_labels[offsets[v] ..
  // offsets[v + 1]), ascending, each once, at least one; likewise of a slot. Empty: one label each. Parallel edges of
  // different labels are one edge of several labels.
  Array<std::uint64_t> vertex_label_offsets{};  // vertices + 1, or empty
  Array<std::uint64_t> edge_label_offsets{};    // slots + 1, or empty

  [[nodiscard]] std::int64_t vertices() const noexcept { return graph.vertices(); }
  [[nodiscard]] std::int64_t edges() const noexcept { return graph.edges(); }
  [[nodiscard]] bool has_edge_labels() const noexcept { return !edge_labels.empty(); }
  /// Ascending.
  [[nodiscard]] std::span<const std::uint32_t> labels(Vertex v) const noexcept {
    return labels_at(vertex_labels, vertex_label_offsets, v);
  }
  /// Of slot i of graph, which both slots of an edge share; ascending; none where edges carry no labels.
  [[nodiscard]] std::span<const std::uint32_t> slot_labels(std::uint64_t slot) const noexcept {
    if (edge_labels.empty()) return {};
    return labels_at(edge_labels, edge_label_offsets, slot);
  }

  /// Number of different vertex labels. O(vertices log vertices).
  [[nodiscard]] std::int64_t distinct_vertex_labels() const;

  /// Csr::validate, plus sizes and order of the label arrays and agreement of an edge's two slots.
  void validate() const;

  /// Csr::describe, plus vertex_labels and, where edges are labelled, edge_labels (distinct counts).
  [[nodiscard]] Properties describe() const;

  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    Csr::visit_arrays(self.graph, visit);
    visit("vertex_labels", self.vertex_labels);
    visit("edge_labels", self.edge_labels);
    visit("vertex_label_offsets", self.vertex_label_offsets);
    visit("edge_label_offsets", self.edge_label_offsets);
  }

  friend bool operator==(const LabelledGraph&, const LabelledGraph&) = default;

 private:
  [[nodiscard]] static std::span<const std::uint32_t> labels_at(const Array<std::uint32_t>& labels,
                                                                const Array<std::uint64_t>& offsets,
                                                                std::uint64_t i) noexcept {
    if (offsets.empty()) return labels.span().subspan(i, 1);
    return labels.span().subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

}  // namespace warpbench::datasets
