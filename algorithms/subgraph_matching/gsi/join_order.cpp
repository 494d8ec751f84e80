#include "algorithms/subgraph_matching/gsi/join_order.hpp"

#include <algorithm>
#include <cmath>

namespace warpbench::matching::gsi {
namespace {

constexpr int kNotJoined = -1;

std::vector<LinkingEdge> linking_edges(const Graph& query, Vertex u, std::span<const int> columns,
                                       std::span<const std::uint64_t> frequencies) {
  std::vector<LinkingEdge> links;
  for (std::size_t i = 0; i < query.row(u).size(); ++i) {
    const int column = columns[query.row(u)[i]];
    if (column != kNotJoined) links.push_back({column, query.row_labels(u)[i]});
  }
  std::ranges::stable_sort(links, {}, [&](const LinkingEdge& link) { return frequencies[link.label]; });
  return links;
}

}  // namespace

std::vector<JoinStep> join_order(const Graph& query, std::span<const std::int64_t> candidates,
                                 std::span<const std::uint64_t> frequencies) {
  const auto vertices = static_cast<std::size_t>(query.vertices());
  std::vector<double> scores(vertices);  // their logarithms, since products of frequencies exceed any number
  for (std::size_t u = 0; u < vertices; ++u) {
    const auto degree = static_cast<double>(std::max<std::int64_t>(query.degree(static_cast<Vertex>(u)), 1));
    scores[u] = std::log(static_cast<double>(candidates[u])) - std::log(degree);
  }
  std::vector<int> columns(vertices, kNotJoined);
  std::vector<bool> linked(vertices, true);  // at first every vertex may be chosen
  std::vector<JoinStep> steps;
  while (steps.size() < vertices) {
    std::size_t best = vertices;
    for (std::size_t u = 0; u < vertices; ++u) {
      if (columns[u] != kNotJoined || !linked[u]) continue;
      if (best == vertices || scores[u] < scores[best]) best = u;
    }
    const auto chosen = static_cast<Vertex>(best);
    if (steps.empty()) std::fill(linked.begin(), linked.end(), false);
    steps.push_back({chosen, linking_edges(query, chosen, columns, frequencies)});
    columns[chosen] = static_cast<int>(steps.size()) - 1;
    for (std::size_t i = 0; i < query.row(chosen).size(); ++i) {
      const Vertex other = query.row(chosen)[i];
      linked[other] = true;
      scores[other] += std::log(static_cast<double>(frequencies[query.row_labels(chosen)[i]]));
    }
  }
  return steps;
}

}  // namespace warpbench::matching::gsi
