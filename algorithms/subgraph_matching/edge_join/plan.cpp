#include "algorithms/subgraph_matching/edge_join/plan.hpp"

#include <algorithm>
#include <optional>

namespace warpbench::matching::edge_join {
namespace {

/// Calls body(vertex, label, begin, end) for each run of one label in each row.
template <typename Body>
void for_each_run(const Graph& graph, const Body& body) {
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const std::uint64_t end = graph.offsets[static_cast<std::size_t>(i) + 1];
    for (std::uint64_t begin = graph.offsets[static_cast<std::size_t>(i)]; begin < end;) {
      const Label label = graph.edge_labels[begin];
      std::uint64_t stop = begin;
      while (stop < end && graph.edge_labels[stop] == label) ++stop;
      body(static_cast<Vertex>(i), label, begin, stop);
      begin = stop;
    }
  }
}

/// What is matched and joined so far.
class Planning {
 public:
  Planning(const std::vector<QueryEdge>& edges, Vertex first) : edges_(edges), joined_(edges.size(), false) {
    Vertex last = first;
    for (const QueryEdge& edge : edges) last = std::max({last, edge.from, edge.to});
    matched_.assign(std::size_t{last} + 1, false);
    matched_[first] = true;
  }

  std::optional<Join> next(const Cost& cost) const {
    std::optional<Join> best;
    double best_cost = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto [from, to, label] = edges_[i];
      if (joined_[i] || (!matched_[from] && !matched_[to])) continue;
      if (matched_[from] && matched_[to]) return Join{i, from, to, label, false};
      const Join join = matched_[from] ? Join{i, from, to, label, true} : Join{i, to, from, label, true};
      const double its_cost = cost(i, join.from, join.to);
      if (best && its_cost >= best_cost) continue;
      best = join;
      best_cost = its_cost;
    }
    return best;
  }

  void take(const Join& join) {
    joined_[join.edge] = true;
    matched_[join.to] = true;
  }

 private:
  const std::vector<QueryEdge>& edges_;
  std::vector<bool> joined_;
  std::vector<bool> matched_;
};

}  // namespace

std::vector<QueryEdge> query_edges(const Graph& query) {
  std::vector<QueryEdge> edges;
  for (std::int64_t i = 0; i < query.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (std::size_t j = 0; j < query.row(u).size(); ++j) {
      if (u < query.row(u)[j]) edges.push_back({u, query.row(u)[j], query.row_labels(u)[j]});
    }
  }
  return edges;
}

Plan plan_joins(const std::vector<QueryEdge>& edges, Vertex first, const Cost& cost) {
  Plan plan{first, {}};
  Planning planning(edges, first);
  for (std::optional<Join> join = planning.next(cost); join.has_value(); join = planning.next(cost)) {
    planning.take(*join);
    plan.joins.push_back(*join);
  }
  return plan;
}

LabelRuns::Range LabelRuns::of(Label label) const {
  if (std::size_t{label} + 1 >= offsets.size()) return {};
  const std::uint64_t first = offsets[label];
  return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(offsets[std::size_t{label} + 1] - first)};
}

LabelRuns label_runs(const Graph& graph) {
  LabelRuns runs;
  runs.offsets.assign(static_cast<std::size_t>(graph.edge_label_count) + 1, 0);
  for_each_run(graph, [&](Vertex, Label label, auto, auto) { ++runs.offsets[std::size_t{label} + 1]; });
  for (std::size_t l = 1; l < runs.offsets.size(); ++l) runs.offsets[l] += runs.offsets[l - 1];
  const std::uint64_t count = runs.offsets.back();
  runs.vertices.resize(count);
  runs.begins.resize(count);
  runs.sizes.resize(count);
  std::vector<std::uint64_t> next(runs.offsets.begin(), runs.offsets.end() - 1);
  for_each_run(graph, [&](Vertex v, Label label, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t place = next[label]++;
    runs.vertices[place] = v;
    runs.begins[place] = begin;
    runs.sizes[place] = static_cast<std::uint32_t>(end - begin);
  });
  return runs;
}

std::vector<std::int64_t> label_frequencies(const Graph& graph) {
  std::vector<std::int64_t> frequencies(static_cast<std::size_t>(graph.vertex_label_count), 0);
  for (const Label label : graph.labels) ++frequencies[label];
  return frequencies;
}

std::int64_t rarest_frequency(const Graph& query, Vertex u, const std::vector<std::int64_t>& frequencies) {
  std::int64_t rarest = std::numeric_limits<std::int64_t>::max();
  for (const Label label : query.labels_of(u)) {
    rarest = std::min(rarest, label < frequencies.size() ? frequencies[label] : 0);
  }
  return rarest;
}

}  // namespace warpbench::matching::edge_join
