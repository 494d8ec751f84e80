// The order in which warps take sources with short out-lists (short_lists.cuh): by their first targets. Sources that
// share one are at work at the same time and find its list in a cache; they often share other targets too.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::common_neighbors {

/// Enqueues: all vertices in that order; those that are no such source come last.
[[nodiscard]] Buffer<std::uint32_t> order_sources(const OutGraph& graph, Stream& stream);

/// Device memory that order_sources() takes at most while it runs, bytes; it leaves 4 a vertex.
[[nodiscard]] std::int64_t source_order_bytes(std::int64_t vertices);

}  // namespace warpbench::common_neighbors
