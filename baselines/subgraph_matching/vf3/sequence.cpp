#include "baselines/subgraph_matching/vf3/sequence.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpbench::matching::vf3 {
namespace {

std::vector<Vertex> ordered(const Graph& query, const QueryEdges& edges, const Statistics& data) {
  std::vector<double> probability(edges.size());
  std::vector<std::size_t> matched_neighbors(edges.size(), 0);
  std::vector<Vertex> rest(edges.size());
  for (std::size_t u = 0; u < edges.size(); ++u) {
    rest[u] = static_cast<Vertex>(u);
    probability[u] = data.probability(query, rest[u]);
  }
  const auto later = [&](Vertex u) {
    return std::tuple(-static_cast<std::int64_t>(matched_neighbors[u]), probability[u], -query.degree(u));
  };
  std::vector<Vertex> sequence;
  while (!rest.empty()) {
    const auto next = std::ranges::min_element(rest, {}, later);
    sequence.push_back(*next);
    for (const QueryEdge& edge : edges[*next]) ++matched_neighbors[edge.to];
    rest.erase(next);
  }
  return sequence;
}

}  // namespace

Statistics::Statistics(const Graph& data)
    : vertices_(static_cast<double>(data.vertices())), with_label_(static_cast<std::size_t>(data.vertex_label_count)) {
  for (const Label label : data.labels) ++with_label_[label];
  for (std::int64_t v = 0; v < data.vertices(); ++v) {
    const auto degree = static_cast<std::size_t>(data.degree(static_cast<Vertex>(v)));
    if (of_degree_or_more_.size() <= degree) of_degree_or_more_.resize(degree + 1);
    ++of_degree_or_more_[degree];
  }
  for (std::size_t degree = of_degree_or_more_.size(); degree-- > 1;) {
    of_degree_or_more_[degree - 1] += of_degree_or_more_[degree];
  }
}

double Statistics::probability(const Graph& query, Vertex u) const {
  const auto degree = static_cast<std::size_t>(query.degree(u));
  if (degree >= of_degree_or_more_.size()) return 0;
  double probability = of_degree_or_more_[degree] / vertices_;
  for (const Label label : query.labels_of(u)) {
    probability *= label < with_label_.size() ? with_label_[label] / vertices_ : 0;
  }
  return probability;
}

std::vector<Step> matching_sequence(const Graph& query, const Statistics& data) {
  const QueryEdges edges = edges_by_neighbor(query);
  std::vector<Step> steps;
  std::vector<bool> matched(edges.size(), false);
  std::vector<bool> terminal(edges.size(), false);
  for (const Vertex u : ordered(query, edges, data)) {
    Step step{u, std::nullopt, {}, {}};
    std::map<Label, LookAhead> classes;
    for (const QueryEdge& edge : edges[u]) {
      if (matched[edge.to]) {
        step.backward.push_back(edge);
        continue;
      }
      const auto parallel = static_cast<std::uint32_t>(edge.labels.size());
      for (const Label label : query.labels_of(edge.to)) {
        LookAhead& look = classes.try_emplace(label, LookAhead{label, 0, 0}).first->second;
        look.terminal += terminal[edge.to] ? parallel : 0;
        look.all += parallel;
      }
    }
    for (const Step& earlier : steps) {
      if (step.parent || edge_between(edges, u, earlier.u) == nullptr) continue;
      step.parent = earlier.u;
    }
    for (const auto& [label, look] : classes) step.look_ahead.push_back(look);
    matched[u] = true;
    for (const QueryEdge& edge : edges[u]) terminal[edge.to] = true;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace warpbench::matching::vf3
