// The order in which GSI joins query vertices (gsi2020 §V, Algorithm 2), and the edges that link each of them to those
// before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::gsi {

/// An edge between the vertex to be joined and one in column `column` of the intermediate table.
struct LinkingEdge {
  int column;
  Label label;
};

struct JoinStep {
  Vertex vertex;
  std::vector<LinkingEdge> links;  // the first edge, whose label is the rarest, first (Algorithm 4); of the first
                                   // vertex none
};

/// Starts with the least |C(u)| / deg(u); then always the least score of what is linked to the joined ones, where
/// joining u multiplies its neighbours' scores by the frequencies of the edges' labels. `candidates`: |C(u)| > 0 of
/// each query vertex; `frequencies`: of each edge label in the data graph.
[[nodiscard]] std::vector<JoinStep> join_order(const Graph& query, std::span<const std::int64_t> candidates,
                                               std::span<const std::uint64_t> frequencies);

}  // namespace warpbench::matching::gsi
