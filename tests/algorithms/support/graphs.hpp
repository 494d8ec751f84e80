// Small graphs for tests, built from edge lists without any code of datasets/ but the Csr struct itself, and the
// shapes that break counting codes: hubs, empty rows, no edges at all, one edge, ids at the end of the range.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/graphs/csr.hpp"

namespace warpbench::testing {

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The undirected simple graph of `edges`: both directions, duplicates merged, self-loops dropped.
inline datasets::Csr graph_of(std::uint32_t vertices, const EdgeList& edges) {
  std::vector<std::set<std::uint32_t>> rows(vertices);
  for (const auto& [u, v] : edges) {
    if (u == v) continue;
    rows.at(u).insert(v);
    rows.at(v).insert(u);
  }
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbors;
  for (const std::set<std::uint32_t>& row : rows) {
    neighbors.insert(neighbors.end(), row.begin(), row.end());
    offsets.push_back(neighbors.size());
  }
  datasets::Csr graph;
  graph.offsets = std::move(offsets);
  graph.neighbors = std::move(neighbors);
  return graph;
}

inline EdgeList complete_edges(std::uint32_t vertices) {
  EdgeList edges;
  for (std::uint32_t u = 0; u < vertices; ++u) {
    for (std::uint32_t v = u + 1; v < vertices; ++v) edges.emplace_back(u, v);
  }
  return edges;
}
inline datasets::Csr complete(std::uint32_t vertices) {
  return graph_of(vertices, complete_edges(vertices));
}

/// Vertex `center` joined to all others.
inline datasets::Csr star(std::uint32_t vertices, std::uint32_t center) {
  EdgeList edges;
  for (std::uint32_t v = 0; v < vertices; ++v) edges.emplace_back(center, v);
  return graph_of(vertices, edges);
}

inline datasets::Csr path(std::uint32_t vertices) {
  EdgeList edges;
  for (std::uint32_t v = 1; v < vertices; ++v) edges.emplace_back(v - 1, v);
  return graph_of(vertices, edges);
}

inline datasets::Csr complete_bipartite(std::uint32_t left, std::uint32_t right) {
  EdgeList edges;
  for (std::uint32_t u = 0; u < left; ++u) {
    for (std::uint32_t v = 0; v < right; ++v) edges.emplace_back(u, left + v);
  }
  return graph_of(left + right, edges);
}

/// Two adjacent hubs, the first and the last id, both joined to all others: their edge has vertices - 2 common
/// neighbours, every other edge one.
inline datasets::Csr two_hubs(std::uint32_t vertices) {
  EdgeList edges{{0, vertices - 1}};
  for (std::uint32_t v = 1; v + 1 < vertices; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(v, vertices - 1);
  }
  return graph_of(vertices, edges);
}

/// 10 vertices, 3-regular, no triangle.
inline datasets::Csr petersen() {
  EdgeList edges;
  for (std::uint32_t v = 0; v < 5; ++v) {
    edges.emplace_back(v, (v + 1) % 5);
    edges.emplace_back(v, v + 5);
    edges.emplace_back(v + 5, (v + 2) % 5 + 5);
  }
  return graph_of(10, edges);
}

/// Hub 0 joined to all, a clique among the highest ids, a few random edges, and isolated vertices in between:
/// degrees 0 to vertices - 1, ratios beyond every sensible skew threshold.
inline datasets::Csr skewed(std::uint32_t vertices, std::uint32_t clique, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::uint32_t> any(0, vertices - 1);
  EdgeList edges;
  for (std::uint32_t v = 1; v < vertices; ++v) {
    if (v % 7 != 0) edges.emplace_back(0, v);
  }
  for (const auto& [u, v] : complete_edges(clique)) edges.emplace_back(vertices - 1 - u, vertices - 1 - v);
  for (std::uint32_t i = 0; i < vertices; ++i) {
    const std::uint32_t u = any(random);
    const std::uint32_t v = any(random);
    if (u % 7 != 0 && v % 7 != 0) edges.emplace_back(u, v);
  }
  return graph_of(vertices, edges);
}

/// Every pair is an edge with the given probability.
inline datasets::Csr random_graph(std::uint32_t vertices, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution present(density);
  EdgeList edges;
  for (const auto& edge : complete_edges(vertices)) {
    if (present(random)) edges.push_back(edge);
  }
  return graph_of(vertices, edges);
}

/// A random graph whose size (0 to `most` vertices) and density (0 to 1) follow from the seed too.
inline datasets::Csr random_graph(std::uint32_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto vertices = std::uniform_int_distribution<std::uint32_t>(0, most)(random);
  const double density = std::uniform_real_distribution<double>(0, 1)(random);
  return random_graph(vertices, density * density, random());
}

struct NamedGraph {
  std::string name;
  datasets::Csr graph;
};

/// Graphs of at most 300 vertices that each have broken some counting code.
inline std::vector<NamedGraph> adversarial_graphs() {
  return {
      {"no_vertices", graph_of(0, {})},
      {"default_csr", datasets::Csr{}},
      {"one_vertex", graph_of(1, {})},
      {"no_edges", graph_of(5, {})},
      {"one_edge", graph_of(2, {{0, 1}})},
      {"edge_among_isolated", graph_of(70, {{31, 64}})},
      {"triangle", complete(3)},
      {"isolated_first_and_last", graph_of(6, {{1, 2}, {2, 3}, {1, 3}, {3, 4}})},
      {"path", path(40)},
      {"star_from_first", star(130, 0)},
      {"star_from_last", star(130, 129)},
      {"clique_33", complete(33)},
      {"clique_65", complete(65)},
      {"bipartite", complete_bipartite(3, 90)},
      {"two_hubs", two_hubs(260)},
      {"petersen", petersen()},
      {"skewed", skewed(300, 20, 7)},
      {"words_and_ranges", graph_of(129, {{0, 63}, {0, 64}, {63, 64}, {64, 127}, {63, 127}, {127, 128}, {64, 128}})}};
}

}  // namespace warpbench::testing
