// The order in which the edge-by-edge systems of gsi2020 §VIII join the edges of a query.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::edge_join {

/// One edge joined to the matches so far, whose rows have `from`.
struct EdgeJoin {
  std::size_t edge;  ///< its place among the query's
  Vertex from;
  Vertex to;
  Label label;
  bool extends;  ///< false: the rows have `to` as well, and the edge is only checked
};

struct EdgeJoinPlan {
  Vertex first;
  std::vector<EdgeJoin> joins;  ///< each edge once
};

/// The cost of matching `to` along an edge from `from`, which is matched.
using EdgeCost = std::function<double(std::size_t edge, Vertex from, Vertex to)>;

/// Starts at `first`. Takes an edge with both ends matched, in its own direction, as soon as there is one; else the
/// cheapest edge that leads on, the earlier of equals. The query is connected. O(edges^2).
[[nodiscard]] EdgeJoinPlan plan_joins(const std::vector<Edge>& edges, Vertex first, const EdgeCost& cost);

}  // namespace warpbench::matching::edge_join
