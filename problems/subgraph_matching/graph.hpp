// The graphs of subgraph matching as solvers read them: labels numbered densely, parallel edges of different labels
// apart (gsi2020 §VII-B), rows ordered so that N(v, l), the neighbours by one edge label, is one ascending range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/graphs/labelled_graph.hpp"
#include "device/integers.hpp"

namespace warpbench::matching {

using Vertex = datasets::Vertex;
/// kNone<Label> is a query's label that the data graph does not have; no data vertex or edge has it.
using Label = std::uint32_t;

struct Graph {
  std::vector<std::uint64_t> offsets;        // vertices + 1
  std::vector<Vertex> neighbors;             // slots; a row ascends by (edge label, neighbour)
  std::vector<Label> edge_labels;            // slots; all 0 where the graph's edges carry none
  std::vector<std::uint64_t> label_offsets;  // vertices + 1
  std::vector<Label> labels;  // those of vertex v: labels[label_offsets[v] .. label_offsets[v + 1]), ascending
  std::int64_t vertex_label_count = 0;  // labels are below it (a query's: or kNone<Label>)
  std::int64_t edge_label_count = 0;    // likewise; 1 where edges carry none

  [[nodiscard]] std::int64_t vertices() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  [[nodiscard]] std::int64_t slots() const { return static_cast<std::int64_t>(neighbors.size()); }
  /// Every vertex has exactly one label.
  [[nodiscard]] bool single_labels() const { return labels.size() + 1 == offsets.size(); }
  /// Edges at v, parallel ones apart.
  [[nodiscard]] std::int64_t degree(Vertex v) const {
    return static_cast<std::int64_t>(offsets[std::size_t{v} + 1] - offsets[v]);
  }
  [[nodiscard]] std::span<const Vertex> row(Vertex v) const {
    return std::span(neighbors).subspan(offsets[v], offsets[std::size_t{v} + 1] - offsets[v]);
  }
  [[nodiscard]] std::span<const Label> row_labels(Vertex v) const {
    return std::span(edge_labels).subspan(offsets[v], offsets[std::size_t{v} + 1] - offsets[v]);
  }
  /// N(v, l), ascending. O(log degree).
  [[nodiscard]] std::span<const Vertex> row(Vertex v, Label label) const;
  /// O(log degree).
  [[nodiscard]] bool has_edge(Vertex v, Vertex w, Label label) const;
  /// Ascending.
  [[nodiscard]] std::span<const Label> labels_of(Vertex v) const {
    return std::span(labels).subspan(label_offsets[v], label_offsets[std::size_t{v} + 1] - label_offsets[v]);
  }
};

struct Edge {
  Vertex from;
  Vertex to;
  Label label;
};
/// Each edge once, from the lower to the higher vertex, in the order of rows; parallel edges apart.
[[nodiscard]] std::vector<Edge> edges_of(const Graph& graph);

/// Whether data vertex v may stand for query vertex u by label and degree: v has all labels of u and, where the match
/// is `injective`, at least as many edges.
[[nodiscard]] bool fits(const Graph& query, Vertex u, const Graph& data, Vertex v, bool injective);

/// The label numbers of a data graph: the i-th smallest of its labels is i.
struct LabelNumbers {
  std::vector<Label> of_vertices;  // ascending
  std::vector<Label> of_edges;     // ascending; {0} where edges carry none
};
[[nodiscard]] LabelNumbers label_numbers(const datasets::LabelledGraph& graph);

/// O(slots log max_degree).
[[nodiscard]] Graph numbered(const datasets::LabelledGraph& graph, const LabelNumbers& numbers);

/// Edges as vertices (gsi2020 §VII-A). Vertex i of the result is the i-th edge {u, v}, u < v, of `graph`, in the order
/// of rows, parallel ones apart. Its label stands for its own and its ends' labels. Two such vertices are joined once
/// for each vertex that their edges share, by an edge with that vertex's label. Isomorphisms between such graphs are
/// edge isomorphisms; a query's labels must be numbered by `data`'s, so both are transformed together. Vertices must
/// have one label each. O(sum of squared degrees). Throws InputError for more than 2^31 slots.
struct EdgeGraphs {
  Graph data;
  std::vector<Graph> queries;
};
[[nodiscard]] EdgeGraphs edge_graphs(const Graph& data, std::span<const Graph> queries);

}  // namespace warpbench::matching
