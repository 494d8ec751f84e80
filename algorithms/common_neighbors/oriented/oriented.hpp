// Oriented counting: what this project adds to BMP. The document's kernel finds each triangle at each of its three
// edges, keeps a bitmap of |V| bits a block in global memory, and gives every vertex, most of them tiny, a block and a
// bitmap. Here
//
//   1. each edge points from its end of lower (degree, id) to the other, so that out-degrees are at most sqrt(2|E|),
//      each triangle is found once, at the edge between its two lower corners, and is added to its three edges;
//   2. an edge is handled at its end with the longer out-list: that list is indexed by a hash table in shared memory,
//      a warp's own for short lists, a block's for longer ones, and the shorter list is walked;
//   3. rows are cut into tasks of at most kTaskSlots slots, fetched from queues;
//   4. both slots of every edge are filled on the device: a stable sort of the oriented edges by target gives the
//      order in which their second slots lie in the CSR, without any search.
//
// Work: sum over edges (u,v) of min(d+(u), d+(v)) lookups in shared memory, one global atomic addition a triangle.
#pragma once

#include <cstdint>

#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "solvers/phases.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {

class OrientedCounter {
 public:
  /// `filter`: a bit filter before the hash tables of long lists. `warps_per_block` applies to their kernel.
  OrientedCounter(View<const std::uint64_t> offsets, View<const std::uint32_t> neighbors, bool filter,
                  int warps_per_block, Stream& stream);

  /// Enqueues everything; `counts` has one element a slot. Phases orient, count, mirror. Throws OutOfDeviceMemory.
  void count(View<std::uint32_t> counts, Phases& phases);

  /// Device memory taken at most while it runs, bytes.
  static std::int64_t workspace_bytes(std::int64_t vertices, std::int64_t slots);

 private:
  void orient();
  void count_triangles();
  void fill_slots(View<std::uint32_t> counts);

  View<const std::uint64_t> offsets_;
  View<const std::uint32_t> neighbors_;
  bool filter_;
  int warps_per_block_;
  Stream& stream_;
  std::int64_t vertices_;
  std::int64_t slots_;

  Buffer<std::uint32_t> forward_bits_;    ///< one bit a slot: the slot's edge points away from its row's vertex
  Buffer<std::uint32_t> forward_before_;  ///< for each word of forward_bits_: set bits in earlier words
  Buffer<std::uint32_t> out_offsets_;     ///< vertices + 1
  Buffer<std::uint32_t> out_neighbors_;   ///< oriented edges, by source, then target
  Buffer<std::uint32_t> edge_counts_;     ///< common neighbours of each oriented edge
};

}  // namespace warpbench::common_neighbors
