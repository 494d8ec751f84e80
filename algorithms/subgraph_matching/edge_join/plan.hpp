// In which order the edges of a query are joined: what the edge-by-edge systems of gsi2020 §VIII decide on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::edge_join {

/// Parallel edges of different labels are apart.
struct QueryEdge {
  Vertex from;
  Vertex to;
  Label label;
};
/// Each edge once, from the lower to the higher vertex.
[[nodiscard]] std::vector<QueryEdge> query_edges(const Graph& query);

/// One edge joined to the matches so far, whose rows have `from`.
struct Join {
  std::size_t edge;  ///< which of the query's
  Vertex from;
  Vertex to;
  Label label;
  bool extends;  ///< else the rows have `to` as well, and the edge is checked
};

struct Plan {
  Vertex first;
  std::vector<Join> joins;  ///< each edge once
};

/// What it costs to match `to` along an edge from `from`, which is matched.
using Cost = std::function<double(std::size_t edge, Vertex from, Vertex to)>;

/// From `first` on: an edge with both ends matched, in its own direction, as soon as there is one; else the cheapest
/// that leads on, the earlier of equals. The query is connected. O(edges^2).
[[nodiscard]] Plan plan_joins(const std::vector<QueryEdge>& edges, Vertex first, const Cost& cost);

/// The vertices of each label, and their neighbours along it: those of vertices[i], ascending, are
/// neighbors[begins[i] .. begins[i] + sizes[i]) of the graph. Vertices without an edge of the label are left out.
struct LabelRuns {
  std::vector<std::uint64_t> offsets;  ///< edge labels + 1; the vertices of a label ascend
  std::vector<Vertex> vertices;
  std::vector<std::uint64_t> begins;
  std::vector<std::uint32_t> sizes;

  /// Where in `vertices` those of a label are; nothing for kNoLabel.
  struct Range {
    std::int64_t first = 0;
    std::int64_t count = 0;
  };
  [[nodiscard]] Range of(Label label) const;
};
/// O(slots).
[[nodiscard]] LabelRuns label_runs(const Graph& graph);

/// How many vertices have each label.
[[nodiscard]] std::vector<std::int64_t> label_frequencies(const Graph& graph);
/// The frequency of the rarest label of query vertex u; 0 where no data vertex has it.
[[nodiscard]] std::int64_t rarest_frequency(const Graph& query, Vertex u, const std::vector<std::int64_t>& frequencies);

}  // namespace warpbench::matching::edge_join
