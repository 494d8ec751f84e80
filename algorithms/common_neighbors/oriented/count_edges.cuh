// The count of an oriented graph's edges (oriented.hpp, steps 2 to 4).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/stream.hpp"

namespace warpbench::common_neighbors {

/// The tasks that the count of these edges has. Waits for the device.
[[nodiscard]] std::int64_t count_tasks(const OutGraph& graph, Stream& stream);

/// Those that a graph with so many slots has at most.
[[nodiscard]] std::int64_t most_tasks(std::int64_t slots);

/// Device memory that count_edges() takes while it runs, bytes.
[[nodiscard]] std::int64_t task_bytes(std::int64_t tasks);

/// Enqueues: adds to graph.counts, of the edges that are counted there, the number of their ends' common neighbours.
/// There are no more than so many tasks.
void count_edges(const OutGraph& graph, const OrientedOptions& options, std::int64_t tasks, Stream& stream);

}  // namespace warpbench::common_neighbors
