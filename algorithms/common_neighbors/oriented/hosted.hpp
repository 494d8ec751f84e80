// Oriented counting of a graph whose rows and counts stay in mapped host memory (oriented.hpp), because the device
// holds no more than the oriented edges, a quarter of both. The rows cross the bus three times, the counts once:
//
//   1. orient: rows are copied to the device, some at a time, and their forward edges are kept there;
//   2. count: as in oriented.hpp; blocks read the slots of vertices with long out-lists where they are;
//   3. fill: each slot's edge is searched in the out-list of one of its ends.
//
// Counts take 16 bits where no two neighbours can have more common ones. Where the device has no room for those of
// all edges, steps 2 and 3 are done once for each range of edges; then a row's counts are written in pieces.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/common_neighbors/counter/pass_plan.hpp"
#include "algorithms/common_neighbors/oriented/oriented.hpp"

namespace warpbench::common_neighbors {

/// A graph with its rows in pinned memory.
struct HostedInput {
  View<const std::uint64_t> offsets;  ///< on the device
  std::span<const std::uint64_t> host_offsets;
  std::span<const std::uint32_t> neighbors;
  std::int64_t longest_row;  ///< slots
  OrientedFacts facts;
};

/// Enqueues everything, and waits for the device now and then. The edges between two of `boundaries` are counted at a
/// time; `counts` has one element a slot, in pinned memory. Phases orient, count, mirror. Throws OutOfDeviceMemory.
void count_oriented_hosted(const HostedInput& graph, const OrientedOptions& options,
                           std::span<const std::uint64_t> boundaries, View<std::uint32_t> counts, Stream& stream,
                           Phases& phases);

/// Device memory that count_oriented_hosted() takes at most besides offsets and the counts of a range.
[[nodiscard]] HostedBytes hosted_bytes(std::int64_t vertices, std::int64_t slots, std::int64_t longest_row,
                                       const OrientedFacts& facts);

}  // namespace warpbench::common_neighbors
