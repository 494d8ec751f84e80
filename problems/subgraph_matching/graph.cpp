#include "problems/subgraph_matching/graph.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "datasets/input_error.hpp"

namespace warpbench::matching {
namespace {

constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 31U;

std::vector<Label> distinct(std::span<const Label> labels) {
  std::vector<Label> all(labels.begin(), labels.end());
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all;
}

Label number_of(const std::vector<Label>& numbers, Label label) {
  const auto found = std::ranges::lower_bound(numbers, label);
  return found != numbers.end() && *found == label ? static_cast<Label>(found - numbers.begin()) : kNone<Label>;
}

struct HalfEdge {
  Label label;
  Vertex to;
  friend auto operator<=>(const HalfEdge&, const HalfEdge&) = default;
};

/// Rows of half edges, one after the other, as a graph's.
void set_rows(Graph& graph, std::vector<std::vector<HalfEdge>>& rows) {
  graph.offsets.assign(1, 0);
  for (std::vector<HalfEdge>& row : rows) {
    std::ranges::sort(row);
    for (const HalfEdge& half : row) {
      graph.neighbors.push_back(half.to);
      graph.edge_labels.push_back(half.label);
    }
    graph.offsets.push_back(graph.neighbors.size());
  }
}

// ---- edges as vertices ----

/// An edge's own label and those of its ends, the lower first.
using EdgeKey = std::tuple<Label, Label, Label>;
EdgeKey key_of(const Graph& graph, const Edge& edge) {
  const auto [low, high] = std::minmax(graph.labels_of(edge.from)[0], graph.labels_of(edge.to)[0]);
  return {edge.label, low, high};
}

Graph edge_graph(const Graph& graph, const std::map<EdgeKey, Label>& numbers) {
  const std::vector<Edge> edges = edges_of(graph);
  std::vector<std::vector<Vertex>> at(static_cast<std::size_t>(graph.vertices()));
  std::uint64_t slots = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const Vertex end : {edges[i].from, edges[i].to}) {
      slots += 2 * at[end].size();
      at[end].push_back(static_cast<Vertex>(i));
    }
  }
  if (slots > kMaxSlots) {
    throw datasets::InputError("edge_isomorphism", 0, "at most 2^31 pairs of edges that share a vertex, twice",
                               std::to_string(slots), "ask for isomorphism, or take a smaller graph");
  }
  std::vector<std::vector<HalfEdge>> rows(edges.size());
  for (std::size_t v = 0; v < at.size(); ++v) {
    const Label label = at[v].empty() ? 0 : graph.labels_of(static_cast<Vertex>(v))[0];
    for (const Vertex one : at[v]) {
      for (const Vertex other : at[v]) {
        if (one != other) rows[one].push_back({label, other});
      }
    }
  }
  // Parallel edges share both ends: where these have one label, one edge is left of two.
  for (std::vector<HalfEdge>& row : rows) {
    std::ranges::sort(row);
    const auto rest = std::ranges::unique(row);
    row.erase(rest.begin(), rest.end());
  }
  Graph result;
  set_rows(result, rows);
  result.label_offsets.assign(1, 0);
  for (const Edge& edge : edges) {
    const auto found = numbers.find(key_of(graph, edge));
    result.labels.push_back(found == numbers.end() ? kNone<Label> : found->second);
    result.label_offsets.push_back(result.labels.size());
  }
  result.vertex_label_count = static_cast<std::int64_t>(numbers.size());
  result.edge_label_count = graph.vertex_label_count;
  return result;
}

}  // namespace

std::span<const Vertex> Graph::row(Vertex v, Label label) const {
  const auto row_of_labels = row_labels(v);
  const auto [first, last] = std::ranges::equal_range(row_of_labels, label);
  return row(v).subspan(static_cast<std::size_t>(first - row_of_labels.begin()),
                        static_cast<std::size_t>(last - first));
}

bool Graph::has_edge(Vertex v, Vertex w, Label label) const {
  return std::ranges::binary_search(row(v, label), w);
}

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    const auto row = graph.row(u);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (u < row[j]) edges.push_back({u, row[j], graph.row_labels(u)[j]});
    }
  }
  return edges;
}

bool fits(const Graph& query, Vertex u, const Graph& data, Vertex v, bool injective) {
  if (injective && data.degree(v) < query.degree(u)) return false;
  return std::ranges::includes(data.labels_of(v), query.labels_of(u));
}

LabelNumbers label_numbers(const datasets::LabelledGraph& graph) {
  LabelNumbers numbers{distinct(graph.vertex_labels.span()), distinct(graph.edge_labels.span())};
  if (numbers.of_edges.empty()) numbers.of_edges.push_back(0);
  return numbers;
}

Graph numbered(const datasets::LabelledGraph& graph, const LabelNumbers& numbers) {
  Graph result;
  std::vector<HalfEdge> row;
  result.offsets.assign(1, 0);
  result.label_offsets.assign(1, 0);
  result.neighbors.reserve(graph.graph.neighbors.size());
  result.edge_labels.reserve(graph.graph.neighbors.size());
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    row.clear();
    for (std::uint64_t slot = graph.graph.offsets[v]; slot < graph.graph.offsets[std::size_t{v} + 1]; ++slot) {
      const Vertex to = graph.graph.neighbors[slot];
      if (!graph.has_edge_labels()) row.push_back({0, to});
      for (const Label label : graph.slot_labels(slot)) row.push_back({number_of(numbers.of_edges, label), to});
    }
    std::ranges::sort(row);
    for (const HalfEdge& half : row) {
      result.neighbors.push_back(half.to);
      result.edge_labels.push_back(half.label);
    }
    result.offsets.push_back(result.neighbors.size());
    for (const Label label : graph.labels(v)) result.labels.push_back(number_of(numbers.of_vertices, label));
    std::ranges::sort(std::span(result.labels).subspan(result.label_offsets.back()));  // kNone<Label> is the largest
    result.label_offsets.push_back(result.labels.size());
  }
  result.vertex_label_count = static_cast<std::int64_t>(numbers.of_vertices.size());
  result.edge_label_count = static_cast<std::int64_t>(numbers.of_edges.size());
  return result;
}

EdgeGraphs edge_graphs(const Graph& data, std::span<const Graph> queries) {
  std::map<EdgeKey, Label> numbers;
  for (const Edge& edge : edges_of(data)) numbers.try_emplace(key_of(data, edge), 0);
  Label next = 0;
  for (auto& [key, number] : numbers) number = next++;
  EdgeGraphs result;
  result.data = edge_graph(data, numbers);
  for (const Graph& query : queries) result.queries.push_back(edge_graph(query, numbers));
  return result;
}

}  // namespace warpbench::matching
