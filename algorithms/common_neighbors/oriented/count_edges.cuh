// The count of an oriented graph's edges (oriented.hpp, steps 2 to 4).
#pragma once

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/stream.hpp"

namespace warpbench::common_neighbors {

/// Enqueues: adds to graph.counts, of the edges that are counted there, the number of their ends' common neighbours.
/// `tasks` are the graph's.
void count_edges(const OutGraph& graph, const OrientedOptions& options, const Tasks& tasks, Stream& stream);

}  // namespace warpbench::common_neighbors
