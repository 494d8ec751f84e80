#include "algorithms/common_neighbors/oriented/source_order.cuh"

#include <bit>
#include <utility>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/ranges.cuh"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = 256;

/// One thread a vertex. A vertex that is no source gets the number of vertices, which no target is.
__global__ void find_first_targets(OutGraph graph, View<std::uint32_t> first_targets) {
  for (const std::int64_t i : grid::strided(first_targets.size())) {
    const Extent<std::uint32_t> list = graph.out_list(static_cast<std::uint32_t>(i));
    first_targets[i] =
        is_short_source(list.size()) ? graph.neighbors[list.begin] : static_cast<std::uint32_t>(first_targets.size());
  }
}

}  // namespace

Buffer<std::uint32_t> order_sources(const OutGraph& graph, Stream& stream) {
  const std::int64_t vertices = graph.offsets.size() - 1;
  Buffer<std::uint32_t> first_targets(vertices, stream);
  Buffer<std::uint32_t> ids(vertices, stream);
  Buffer<std::uint32_t> sorted(vertices, stream);
  Buffer<std::uint32_t> order(vertices, stream);
  launch(find_first_targets, grid_for(vertices, kThreads), stream, graph, first_targets.view());
  iota(ids.view(), stream);
  sort_pairs(std::as_const(first_targets).view(), sorted.view(), std::as_const(ids).view(), order.view(), stream, 0,
             static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vertices))));
  return order;
}

std::int64_t source_order_bytes(std::int64_t vertices) {
  // Radix sort keeps a second copy of keys and values, and a quarter of a byte an element.
  return 4 * (4 + 2) * vertices + vertices / 4;
}

}  // namespace warpbench::common_neighbors
