#include "solvers/subgraph_matching/core_forest_leaf.hpp"

#include <algorithm>

namespace warpbench::matching {
namespace {

/// The neighbours of each vertex, parallel edges once.
std::vector<std::vector<Vertex>> distinct_neighbors(const Graph& query) {
  std::vector<std::vector<Vertex>> neighbors(static_cast<std::size_t>(query.vertices()));
  for (std::size_t u = 0; u < neighbors.size(); ++u) {
    const auto row = query.row(static_cast<Vertex>(u));
    neighbors[u].assign(row.begin(), row.end());
    std::ranges::sort(neighbors[u]);
    const auto rest = std::ranges::unique(neighbors[u]);
    neighbors[u].erase(rest.begin(), rest.end());
  }
  return neighbors;
}

}  // namespace

std::vector<Region> core_forest_leaf(const Graph& query) {
  const std::vector<std::vector<Vertex>> neighbors = distinct_neighbors(query);
  std::vector<Region> regions(neighbors.size(), Region::core);
  std::vector<std::size_t> degrees(neighbors.size());
  std::vector<Vertex> peeled;
  for (std::size_t u = 0; u < neighbors.size(); ++u) {
    degrees[u] = neighbors[u].size();
    if (degrees[u] <= 1) peeled.push_back(static_cast<Vertex>(u));
  }
  for (std::size_t i = 0; i < peeled.size(); ++i) {
    const Vertex u = peeled[i];
    regions[u] = neighbors[u].size() <= 1 ? Region::leaf : Region::forest;
    for (const Vertex w : neighbors[u]) {
      if (regions[w] == Region::core && --degrees[w] == 1) peeled.push_back(w);
    }
  }
  return regions;
}

}  // namespace warpbench::matching
