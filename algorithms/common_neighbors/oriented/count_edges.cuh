// The count of an oriented graph's edges (oriented.hpp, steps 2 to 5).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/hubs.cuh"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::common_neighbors {

/// What is made of a graph once, however many ranges of its edges are counted.
struct CountingWork {
  Hubs hubs;
  Tasks tasks;
  Buffer<std::uint32_t> source_order;

  /// Enqueues its making. There are no more than `most_tasks`.
  CountingWork(const OutGraph& graph, const HubChoice& choice, std::int64_t most_tasks, Stream& stream);

  /// Device memory, bytes: while it is made, and from then on.
  struct Bytes {
    std::int64_t making;
    std::int64_t kept;
  };
  [[nodiscard]] static Bytes bytes(std::int64_t vertices, std::int64_t most_tasks, const HubChoice& choice);
};

/// Enqueues: adds to graph.counts, of the edges that are counted there, the number of their ends' common neighbours.
/// `work` is the graph's, and graph.hubs its set of hubs.
void count_edges(const OutGraph& graph, const OrientedOptions& options, const CountingWork& work, Stream& stream);

}  // namespace warpbench::common_neighbors
