// Query graphs cut out of the data graph by random walks (gsi2020 §VIII-A, yu2023 §5.4.1). So each has at least one
// match.
#pragma once

#include <cstdint>

#include "datasets/graphs/graph_queries.hpp"

namespace warpbench::datasets {

struct QuerySize {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;  // pairs of vertices; 0: all edges of the induced subgraph
};

/// `data` and `count` queries of that size. A walk starts at a random vertex and visits random neighbours until it has
/// seen enough distinct vertices. These, numbered in the order of their first visits, and the edges among them, with
/// all labels, are the query (gsi2020). With size.edges a query keeps only that many edges: a random spanning tree and
/// random others; a query with fewer edges is drawn again. Query i depends on (seed, i) alone. O(count * vertices^2)
/// plus the walks that got stuck. Throws InputError if size.edges cannot connect the vertices or exceeds their pairs,
/// if the graph has too few vertices, or if 2,000 walks gave no query.
[[nodiscard]] GraphQueries random_walk_queries(LabelledGraph data, std::int64_t count, QuerySize size,
                                               std::uint64_t seed, int threads = 0);

}  // namespace warpbench::datasets
