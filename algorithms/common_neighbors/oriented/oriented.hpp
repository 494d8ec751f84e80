// Oriented counting: what this project adds to BMP. The document's kernel finds each triangle at each of its three
// edges, keeps a bitmap of |V| bits a block in global memory, and gives every vertex, most of them tiny, a block and a
// bitmap. Here
//
//   1. each edge points from its end of lower (degree, id) to the other, so that out-degrees are at most sqrt(2|E|),
//      each triangle is found once, at the edge between its two lower corners, and is added to its three edges;
//   2. where both ends have short out-lists, a warp indexes the lists of a few sources in shared memory, and walks
//      those of their targets: a source's edges lie together, and nobody looks at an edge from its other end. Sources
//      with the same first target are at work at the same time (source_order.cuh);
//   3. any other edge is handled at its end with the longer out-list: that list is indexed by a hash table in shared
//      memory, and the shorter one is walked. Rows are cut into pieces, each a block's task;
//   4. pieces with the same neighbours are done soon after each other, so that the lists of these are in the L2 cache
//      (tasks.cuh);
//   5. an edge between two hubs, vertices of high degree that are neighbours of many others, is counted by bitmaps
//      (hubs.cuh);
//   6. both slots of every edge are filled on the device: a stable sort of the oriented edges by target gives the
//      order in which their second slots lie in the CSR, without any search.
//
// Work: the sum of oriented_lookups() over edges that are not between two hubs, in shared memory, and one global atomic
// addition for each triangle found there; a kilobyte of bitmap for each other edge. Which vertices are hubs depends on
// all out-degrees; the host finds it out in prepare().
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/hubs.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/phases.hpp"

namespace warpbench::common_neighbors {

/// The longest out-list that a warp indexes, and the elements that it indexes at a time: two a lane.
inline constexpr std::uint32_t kShortList = 64;

/// Whether a vertex with such an out-list is a warp's source: a triangle has two edges from its lowest corner.
WARPBENCH_HOST_DEVICE constexpr bool is_short_source(std::int64_t out_degree) {
  return out_degree >= 2 && out_degree <= kShortList;
}

/// The lookups for an edge from u to v with such out-degrees.
constexpr std::int64_t oriented_lookups(std::int64_t out_degree_u, std::int64_t out_degree_v) {
  const bool is_short = out_degree_u <= kShortList && out_degree_v <= kShortList;
  if (is_short) return is_short_source(out_degree_u) ? out_degree_v : 0;
  return out_degree_u < out_degree_v ? out_degree_u : out_degree_v;
}

/// What the host finds out about a graph once, in prepare().
struct OrientedFacts {
  bool has_short_counts;  ///< 16 bits hold each count
  HubChoice hubs;
};

struct OrientedOptions {
  bool filter;          ///< a bit filter before the hash tables
  int warps_per_block;  ///< of the kernel of long lists
};

/// A graph on the device.
struct OrientedInput {
  View<const std::uint64_t> offsets;
  View<const std::uint32_t> neighbors;
  OrientedFacts facts;
};

/// Enqueues: the degree of each vertex, by its `offsets`.
[[nodiscard]] Buffer<std::uint32_t> degrees_of(View<const std::uint64_t> offsets, Stream& stream);

/// Enqueues everything; `counts` has one element a slot. Phases orient, count, mirror. Throws OutOfDeviceMemory.
void count_oriented(const OrientedInput& graph, const OrientedOptions& options, View<std::uint32_t> counts,
                    Stream& stream, Phases& phases);

/// Device memory that count_oriented() takes at most while it runs, bytes.
[[nodiscard]] std::int64_t oriented_workspace_bytes(std::int64_t vertices, std::int64_t slots,
                                                    const OrientedFacts& facts);

}  // namespace warpbench::common_neighbors
