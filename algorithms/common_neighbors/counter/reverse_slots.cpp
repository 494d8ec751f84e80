#include "algorithms/common_neighbors/counter/reverse_slots.hpp"

#include <algorithm>

#include "algorithms/common_neighbors/counter/degree_order.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kVerticesPerTask = 256;  // small enough that hubs spread, large enough that scheduling costs nothing

}  // namespace

void find_mirror_slots(const datasets::Csr& graph, std::span<std::uint32_t> mirror) {
  const std::int64_t vertices = graph.vertices();
#pragma omp parallel for schedule(dynamic, kVerticesPerTask)
  for (std::int64_t i = 0; i < vertices; ++i) {
    // Walking from the end that comes second, each of its slots is written by one thread, in order.
    const auto v = static_cast<datasets::Vertex>(i);
    for (std::uint64_t slot = graph.offsets[v]; slot < graph.offsets[std::size_t{v} + 1]; ++slot) {
      const datasets::Vertex u = graph.neighbors[slot];
      if (!comes_before(graph, u, v)) continue;
      const auto row = graph.row(u);
      const auto at = std::ranges::lower_bound(row, v) - row.begin();
      mirror[slot] = static_cast<std::uint32_t>(graph.first_slot(u) + static_cast<std::uint64_t>(at));
    }
  }
}

void assign_mirrored(const datasets::Csr& graph, std::span<const std::uint32_t> mirror,
                     std::span<std::uint32_t> counts) {
  const std::int64_t vertices = graph.vertices();
#pragma omp parallel for schedule(dynamic, kVerticesPerTask)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto v = static_cast<datasets::Vertex>(i);
    for (std::uint64_t slot = graph.offsets[v]; slot < graph.offsets[std::size_t{v} + 1]; ++slot) {
      if (comes_before(graph, graph.neighbors[slot], v)) counts[slot] = counts[mirror[slot]];
    }
  }
}

}  // namespace warpbench::common_neighbors
