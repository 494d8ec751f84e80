#include "datasets/labelled_graph.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

std::int64_t distinct(std::span<const std::uint32_t> values) {
  std::vector<std::uint32_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
}

}  // namespace

std::int64_t LabelledGraph::distinct_vertex_labels() const {
  return distinct(vertex_labels.span());
}

void LabelledGraph::validate() const {
  graph.validate();
  if (static_cast<std::int64_t>(vertex_labels.size()) != graph.vertices()) {
    throw InputError("labelled graph", 0, std::to_string(graph.vertices()) + " vertex labels",
                     std::to_string(vertex_labels.size()));
  }
  if (edge_labels.empty()) return;
  if (edge_labels.size() != graph.neighbors.size()) {
    throw InputError("labelled graph", 0, std::to_string(graph.slots()) + " edge labels, one a slot",
                     std::to_string(edge_labels.size()));
  }
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    const auto neighbors_of_v = graph.row(v);
    for (std::size_t j = 0; j < neighbors_of_v.size(); ++j) {
      const Vertex u = neighbors_of_v[j];
      const auto back = graph.row(u);
      const auto slot = static_cast<std::size_t>(std::lower_bound(back.begin(), back.end(), v) - back.begin());
      if (row_labels(v)[j] != row_labels(u)[slot]) {
        throw InputError("labelled graph", 0, "one label for both slots of an edge",
                         "two for {" + std::to_string(v) + ", " + std::to_string(u) + '}');
      }
    }
  }
}

Properties LabelledGraph::describe() const {
  Properties result = graph.describe();
  result["vertex_labels"] = distinct_vertex_labels();
  if (has_edge_labels()) result["edge_labels"] = distinct(edge_labels.span());
  return result;
}

}  // namespace warpbench::datasets
