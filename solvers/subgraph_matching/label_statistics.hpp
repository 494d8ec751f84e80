// The number of data vertices with each label. Solvers of both sides order a query and bound its candidates by it.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

/// The number of vertices with each label.
[[nodiscard]] std::vector<std::int64_t> label_frequencies(const Graph& graph);

/// The frequency of the rarest label of query vertex u; 0 where no data vertex has it.
[[nodiscard]] std::int64_t rarest_frequency(const Graph& query, Vertex u, const std::vector<std::int64_t>& frequencies);

/// The query has a label that no data vertex or edge has, or a vertex of several labels where data vertices have one:
/// there is no match.
[[nodiscard]] bool asks_for_missing_labels(const Graph& query, const Graph& data);

}  // namespace warpbench::matching
