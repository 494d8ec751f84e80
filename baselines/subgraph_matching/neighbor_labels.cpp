#include "baselines/subgraph_matching/neighbor_labels.hpp"

#include <algorithm>

namespace warpbench::matching {

NeighborLabels::NeighborLabels(const Graph& graph) {
  std::vector<Kind> row;
  offsets_.assign(1, 0);
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    row.clear();
    for_each_neighbor_label(graph, static_cast<Vertex>(v), [&row](Label edge, Label vertex, Vertex) {
      row.push_back({edge, vertex});
    });
    std::ranges::sort(row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0 && row[j] == row[j - 1]) {
        ++kinds_.back().count;
      } else {
        kinds_.push_back({row[j], 1});
      }
    }
    offsets_.push_back(kinds_.size());
  }
}

bool NeighborLabels::covered_by(Vertex u, const NeighborLabels& data, Vertex v, bool injective) const {
  const auto there = data.at(v);
  auto found = there.begin();
  return std::ranges::all_of(at(u), [&](const KindCount& wanted) {
    while (found != there.end() && found->kind < wanted.kind) ++found;
    return found != there.end() && found->kind == wanted.kind && (!injective || found->count >= wanted.count);
  });
}

VerticesByLabel::VerticesByLabel(const Graph& graph) : vertices_(static_cast<std::size_t>(graph.vertex_label_count)) {
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    for (const Label label : graph.labels_of(static_cast<Vertex>(i)))
      vertices_[label].push_back(static_cast<Vertex>(i));
  }
}

Label VerticesByLabel::rarest_label(std::span<const Label> labels) const {
  return *std::ranges::min_element(labels, {},
                                   [&](Label label) { return label < vertices_.size() ? vertices_[label].size() : 0; });
}

std::span<const Vertex> VerticesByLabel::rarest(std::span<const Label> labels) const {
  const Label label = rarest_label(labels);
  if (label >= vertices_.size()) return {};
  return vertices_[label];
}

}  // namespace warpbench::matching
