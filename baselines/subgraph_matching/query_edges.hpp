// A query as its edges stand between pairs of vertices: parallel edges as one edge of several labels. And what a data
// graph has to say to such an edge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

struct QueryEdge {
  Vertex to;
  std::vector<Label> labels;  ///< ascending, at least one
};

/// The edges at each vertex, by ascending neighbour.
using QueryEdges = std::vector<std::vector<QueryEdge>>;

[[nodiscard]] QueryEdges edges_by_neighbor(const Graph& graph);

/// The edge at u to w; nullptr where there is none.
[[nodiscard]] inline const QueryEdge* edge_between(const QueryEdges& edges, Vertex u, Vertex w) {
  const auto found = std::ranges::find(edges[u], w, &QueryEdge::to);
  return found == edges[u].end() ? nullptr : &*found;
}

/// Whether data vertices v and w are joined by an edge of each of the labels. O(labels log degree).
[[nodiscard]] inline bool joined(const Graph& data, Vertex v, Vertex w, const std::vector<Label>& labels) {
  return std::ranges::all_of(labels, [&](Label label) { return data.has_edge(v, w, label); });
}

/// body(w) for every w that is joined to v by an edge of each of the labels, ascending.
template <typename Body>
void for_each_joined(const Graph& data, Vertex v, const std::vector<Label>& labels, const Body& body) {
  const auto row = data.row(v, labels[0]);
  if (labels.size() == 1) {
    std::ranges::for_each(row, body);
    return;
  }
  for (const Vertex w : row) {
    if (joined(data, v, w, labels)) body(w);
  }
}

/// Whether there is a w joined to v by an edge of each of the labels of which test(w) holds.
template <typename Test>
bool any_joined(const Graph& data, Vertex v, const std::vector<Label>& labels, const Test& test) {
  return std::ranges::any_of(data.row(v, labels[0]),
                             [&](Vertex w) { return test(w) && (labels.size() == 1 || joined(data, v, w, labels)); });
}

}  // namespace warpbench::matching
