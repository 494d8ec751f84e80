// Query graphs taken out of the data graph by random walks (gsi2020 §VIII-A, yu2023 §5.4.1): each has at least one
// match, where it came from.
#pragma once

#include <cstdint>

#include "datasets/graph_queries.hpp"

namespace warpbench::datasets {

struct QuerySize {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;  // pairs of vertices; 0: all of the induced subgraph
};

/// `data` and `count` queries of that size. A walk goes from a random vertex to random neighbours until it has seen so
/// many different vertices; these, numbered as they were seen, and the edges among them, with all labels, are the query
/// (gsi2020). With size.edges a query keeps so many of its edges: a random spanning tree, and random others; one whose
/// vertices have fewer is drawn again. Query i is a function of (seed, i) alone. O(count * vertices^2) but for walks
/// that lead nowhere. Throws InputError where size.edges cannot connect the vertices or exceeds their pairs, where the
/// graph has fewer vertices, and where 2,000 walks gave no query.
[[nodiscard]] GraphQueries random_walk_queries(LabelledGraph data, std::int64_t count, QuerySize size,
                                               std::uint64_t seed, int threads = 0);

}  // namespace warpbench::datasets
