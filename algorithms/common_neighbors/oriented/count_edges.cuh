// The count of an oriented graph's edges (oriented.hpp, steps 2 and 3).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/stream.hpp"

namespace warpbench::common_neighbors {

/// Pieces of the rows whose out-list is long, which are tasks.
struct TaskRoom {
  std::int64_t long_lists = 0;
  std::int64_t longest_lists = 0;

  /// Room enough for any graph with so many slots.
  [[nodiscard]] static TaskRoom at_most(std::int64_t slots);
  /// Just enough for this graph. Waits for the device.
  [[nodiscard]] static TaskRoom of(const OutGraph& graph, Stream& stream);

  [[nodiscard]] std::int64_t bytes() const {
    return (long_lists + longest_lists) * static_cast<std::int64_t>(sizeof(uint2));
  }
};

/// Enqueues: adds to graph.counts, of the edges that are counted there, the number of their ends' common neighbours.
void count_edges(const OutGraph& graph, const OrientedOptions& options, const TaskRoom& room, Stream& stream);

}  // namespace warpbench::common_neighbors
