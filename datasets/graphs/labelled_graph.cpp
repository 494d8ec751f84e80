#include "datasets/graphs/labelled_graph.hpp"

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

/// Checks that each of `count` vertices or slots has one label or, with offsets, ascending labels.
void check_labels(const std::string& what, const Array<std::uint32_t>& labels, const Array<std::uint64_t>& offsets,
                  std::size_t count) {
  const auto refuse = [&what](const std::string& expected, const std::string& found) {
    throw InputError("labelled graph", 0, expected, found + ", of " + what + " labels");
  };
  if (offsets.empty()) {
    if (labels.size() != count) refuse(std::to_string(count) + " labels", std::to_string(labels.size()));
    return;
  }
  if (offsets.size() != count + 1 || offsets[0] != 0 || offsets[count] != labels.size()) {
    refuse(std::to_string(count + 1) + " offsets from 0 to " + std::to_string(labels.size()),
           std::to_string(offsets.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (offsets[i] >= offsets[i + 1]) refuse("at least one label each", "none at place " + std::to_string(i));
    if (offsets[i + 1] > labels.size()) refuse("rising offsets", std::to_string(offsets[i + 1]));
    for (std::uint64_t j = offsets[i] + 1; j < offsets[i + 1]; ++j) {
      if (labels[j - 1] >= labels[j]) refuse("ascending labels", "others at place " + std::to_string(i));
    }
  }
}

}  // namespace

std::int64_t LabelledGraph::distinct_vertex_labels() const {
  return distinct(vertex_labels.span());
}

void LabelledGraph::validate() const {
  graph.validate();
  check_labels("vertex", vertex_labels, vertex_label_offsets, static_cast<std::size_t>(graph.vertices()));
  if (edge_labels.empty() && edge_label_offsets.empty()) return;
  check_labels("edge", edge_labels, edge_label_offsets, graph.neighbors.size());
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    const auto neighbors_of_v = graph.row(v);
    for (std::size_t j = 0; j < neighbors_of_v.size(); ++j) {
      const Vertex u = neighbors_of_v[j];
      const auto back = graph.row(u);
      const auto place = static_cast<std::uint64_t>(std::lower_bound(back.begin(), back.end(), v) - back.begin());
      if (!std::ranges::equal(slot_labels(graph.first_slot(v) + j), slot_labels(graph.first_slot(u) + place))) {
        throw InputError("labelled graph", 0, "the same labels for both slots of an edge",
                         "others for {" + std::to_string(v) + ", " + std::to_string(u) + '}');
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
