// Oriented counting: what this project adds to BMP. The document's kernel finds each triangle at each of its three
// edges, keeps a bitmap of |V| bits a block in global memory, and gives every vertex, most of them tiny, a block and a
// bitmap. Here
//
//   1. each edge points from its end of lower (degree, id) to the other, so that out-degrees are at most sqrt(2|E|),
//      each triangle is found once, at the edge between its two lower corners, and is added to its three edges;
//   2. an edge is handled at its end with the longer out-list: that list is indexed by a hash table in shared memory,
//      a warp's own for short lists, a block's for longer ones, and the shorter list is walked;
//   3. rows are cut into tasks of at most TaskTuning::kSlots slots, fetched from queues;
//   4. both slots of every edge are filled on the device: a stable sort of the oriented edges by target gives the
//      order in which their second slots lie in the CSR, without any search.
//
// Work: sum over edges (u,v) of min(d+(u), d+(v)) lookups in shared memory, one global atomic addition a triangle.
#pragma once

#include <cstdint>

#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/phases.hpp"

namespace warpbench::common_neighbors {

struct OrientedOptions {
  bool filter;          ///< a bit filter before the hash tables
  int warps_per_block;  ///< of the kernel of long lists
};

/// A graph on the device.
struct OrientedInput {
  View<const std::uint64_t> offsets;
  View<const std::uint32_t> neighbors;
};

/// Enqueues everything; `counts` has one element a slot. Phases orient, count, mirror. Throws OutOfDeviceMemory.
void count_oriented(const OrientedInput& graph, const OrientedOptions& options, View<std::uint32_t> counts,
                    Stream& stream, Phases& phases);

/// Device memory that count_oriented() takes at most while it runs, bytes.
[[nodiscard]] std::int64_t oriented_workspace_bytes(std::int64_t vertices, std::int64_t slots);

}  // namespace warpbench::common_neighbors
