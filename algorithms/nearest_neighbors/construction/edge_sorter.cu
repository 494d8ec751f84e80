#include <algorithm>
#include <bit>

#include "algorithms/nearest_neighbors/construction/growing_graph.cuh"
#include "device/primitives.hpp"
#include "device/ranges.cuh"

namespace warpbench::nearest_neighbors {
namespace {

/// Algorithm 5, phase 2, step 2: where the edges of each start vertex begin.
__global__ void find_begins_kernel(View<const Edge> edges, View<std::uint32_t> begins, View<std::uint32_t> count) {
  for (const std::int64_t i : grid::strided(edges.size())) {
    if (edges[i] == kNone<Edge>) continue;
    if (i == 0 || start_of(edges[i - 1]) != start_of(edges[i])) {
      begins[atomicAdd(&count[0], 1U)] = static_cast<std::uint32_t>(i);
    }
  }
}

}  // namespace

EdgeSorter::EdgeSorter(std::int64_t vertices, std::int64_t places, Stream& stream)
    // Start vertices are below `vertices`, that of no edge is all ones.
    : bits_(32 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vertices)))),
      edges_(places, stream),
      sorted_edges_(places, stream),
      ends_(places, stream),
      sorted_ends_(places, stream),
      begins_(std::min(vertices, places), stream),
      count_(1, stream) {}

std::int64_t EdgeSorter::bytes(std::int64_t vertices, std::int64_t places) {
  constexpr auto kPlace = static_cast<std::int64_t>(sizeof(Edge) + sizeof(std::uint32_t));
  constexpr std::int64_t kPlacesACounter = 4;    // a byte for so many is more than a radix sort's counters take
  constexpr std::int64_t kLeastCounters = 8192;  // bytes, however few the places: an H200 took 5.5 KB more than without
  const std::int64_t of_sort = places * kPlace + places / kPlacesACounter + kLeastCounters;
  return 2 * places * kPlace + (std::min(vertices, places) + 1) * 4 + of_sort;
}

EdgeRuns EdgeSorter::sort(std::int64_t count, Stream& stream) {
  const View<Edge> edges = sorted_edges_.view().first(count);
  const View<std::uint32_t> ends = sorted_ends_.view().first(count);
  sort_pairs(edges_.view().first(count), edges, ends_.view().first(count), ends, stream, 0, bits_);
  return find_runs(edges, ends, stream);
}

EdgeRuns EdgeSorter::sort_with_ends(std::int64_t count, Stream& stream) {
  const View<Edge> edges = edges_.view().first(count);
  const View<std::uint32_t> ends = ends_.view().first(count);
  const View<Edge> by_end = sorted_edges_.view().first(count);
  const View<std::uint32_t> sorted_ends = sorted_ends_.view().first(count);
  sort_pairs(ends, sorted_ends, edges, by_end, stream);
  sort_pairs(by_end, edges, sorted_ends, ends, stream, 0, bits_);  // stable
  return find_runs(edges, ends, stream);
}

EdgeRuns EdgeSorter::find_runs(View<const Edge> edges, View<const std::uint32_t> ends, Stream& stream) {
  count_.fill(0, stream);
  launch(find_begins_kernel, grid_for(edges.size()), stream, edges, begins_.view(), count_.view());
  return {edges, ends, begins_.view(), count_.view()};
}

}  // namespace warpbench::nearest_neighbors
