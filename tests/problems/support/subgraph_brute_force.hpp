// Subgraph matching by brute force: every map of query vertices, or edges, is tried, on the graphs as they were given.
// Shares nothing with problems/subgraph_matching but the digest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/graphs/graph_queries.hpp"

namespace warpbench::testing {

/// The image of each query vertex, or edge.
using Map = std::vector<std::size_t>;

struct LabelledEdge {
  datasets::Vertex u;
  datasets::Vertex v;
  std::uint32_t label;
};

/// Parallel edges apart, in the order of matching::Graph's rows.
[[nodiscard]] std::vector<LabelledEdge> edges_of(const datasets::LabelledGraph& graph);

/// All matches of query i. O(vertices^query_vertices), or edges likewise.
[[nodiscard]] std::vector<Map> all_matches(const datasets::GraphQueries& graphs, std::int64_t i,
                                           const std::string& semantics);

/// matching::digest_of_match() summed over them.
[[nodiscard]] std::uint64_t digest_of(const std::vector<Map>& matches);

}  // namespace warpbench::testing
