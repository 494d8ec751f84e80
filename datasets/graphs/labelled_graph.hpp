// LabelledGraph: a graph whose vertices, and optionally edges, carry labels: the data and query
// graphs of subgraph_matching (yu2023 §5, gsi2020 Definition 1).
#pragma once

#include <cstdint>
#include <span>

#include "datasets/graphs/csr.hpp"

namespace warpbench::datasets {

struct LabelledGraph {
  static constexpr Kind kKind = Kind::LabelledGraph;

  Csr graph;
  Array<std::uint32_t> vertex_labels;  // one per vertex, or as vertex_label_offsets says
  Array<std::uint32_t> edge_labels;    // one per slot, or as edge_label_offsets says; empty: no edge labels
  // Offsets are for vertices or edges with several labels (gsi2020 §VII-B). Vertex v then has the labels
  // vertex_labels[offsets[v] .. offsets[v + 1]): at least one, ascending, without repeats. edge_label_offsets does the
  // same for slots. Empty: one label each. Parallel edges of different labels are one edge with several labels.
  Array<std::uint64_t> vertex_label_offsets{};  // vertices + 1, or empty
  Array<std::uint64_t> edge_label_offsets{};    // slots + 1, or empty

  [[nodiscard]] std::int64_t vertices() const noexcept { return graph.vertices(); }
  [[nodiscard]] std::int64_t edges() const noexcept { return graph.edges(); }
  [[nodiscard]] bool has_edge_labels() const noexcept { return !edge_labels.empty(); }
  /// v's labels, ascending.
  [[nodiscard]] std::span<const std::uint32_t> labels(Vertex v) const noexcept {
    return labels_at(vertex_labels, vertex_label_offsets, v);
  }
  /// The labels of slot i of graph, ascending; none if edges carry no labels. Both slots of an edge have the same.
  [[nodiscard]] std::span<const std::uint32_t> slot_labels(std::uint64_t slot) const noexcept {
    if (edge_labels.empty()) return {};
    return labels_at(edge_labels, edge_label_offsets, slot);
  }

  /// Number of different vertex labels. O(vertices log vertices).
  [[nodiscard]] std::int64_t distinct_vertex_labels() const;

  /// Csr::validate, plus checks of the label arrays' sizes and order, and that both slots of an edge agree.
  void validate() const;

  /// Csr::describe, plus the number of distinct vertex_labels and, if edges are labelled, edge_labels.
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
