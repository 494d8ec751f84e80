// The core-forest-leaf decomposition of a query, by which CFL-Match and fsig order its vertices (yu2023 §5.2.3).
#pragma once

#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

/// In the order in which vertices are matched. Core: the 2-core. Leaf: a vertex with at most one neighbour. Forest: the
/// rest.
enum class Region { core, forest, leaf };

/// The region of each query vertex; parallel edges count once. A query without a cycle has no core.
[[nodiscard]] std::vector<Region> core_forest_leaf(const Graph& query);

}  // namespace warpbench::matching
