#include "baselines/subgraph_matching/query_edges.hpp"

#include <utility>

namespace warpbench::matching {

QueryEdges edges_by_neighbor(const Graph& graph) {
  QueryEdges edges(static_cast<std::size_t>(graph.vertices()));
  std::vector<std::pair<Vertex, Label>> row;
  for (std::size_t u = 0; u < edges.size(); ++u) {
    row.clear();
    const auto neighbors = graph.row(static_cast<Vertex>(u));
    const auto labels = graph.row_labels(static_cast<Vertex>(u));
    for (std::size_t i = 0; i < neighbors.size(); ++i) row.emplace_back(neighbors[i], labels[i]);
    std::ranges::sort(row);
    for (const auto& [to, label] : row) {
      if (edges[u].empty() || edges[u].back().to != to) edges[u].push_back({to, {}});
      edges[u].back().labels.push_back(label);
    }
  }
  return edges;
}

}  // namespace warpbench::matching
