// How a pass's kernels are spread over blocks: one launch over the light vertices, one over the pieces of the heavy
// ones (degree_order.cuh, BlockRows).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.cuh"
#include "device/launch.hpp"

namespace warpbench::common_neighbors {

struct BlockLaunches {
  View<const std::uint32_t> heavy;
  std::uint64_t split;
  std::int64_t vertices;
  std::int64_t heavy_vertices;
  std::int64_t heavy_pieces;

  /// Calls body(rows, blocks) once or twice.
  template <typename Body>
  void for_each(const Body& body) const {
    body(BlockRows{{}, split}, Dim3{vertices});
    if (heavy_vertices > 0) body(BlockRows{heavy, split}, Dim3{heavy_vertices, heavy_pieces});
  }
};

}  // namespace warpbench::common_neighbors
