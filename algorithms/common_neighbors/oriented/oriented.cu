#include "algorithms/common_neighbors/oriented/oriented.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "algorithms/common_neighbors/oriented/count_edges.cuh"
#include "algorithms/common_neighbors/oriented/orientation_kernels.cuh"
#include "device/buffer.hpp"
#include "device/primitives.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = 256;  // of the kernels whose threads take an element each

/// For over_words().
Grid grid_of_words(std::int64_t slots) {
  return warp_grid_for(ceil_div(slots, SlotTuning::kWords * kWarpSize), SlotTuning::kThreads);
}

/// The edges of a graph, each from its end of lower (degree, id) to the other.
struct Orientation {
  Buffer<std::uint32_t> bits;       ///< one bit a slot: the slot's edge points away from its row's vertex
  Buffer<std::uint32_t> before;     ///< for each word of bits: set bits in earlier words
  Buffer<std::uint32_t> offsets;    ///< vertices + 1
  Buffer<std::uint32_t> neighbors;  ///< by source, then target

  [[nodiscard]] RankedBits forward() const { return {bits.view(), before.view()}; }
};

Orientation orient(const OrientedInput& graph, Stream& stream) {
  const std::int64_t vertices = graph.offsets.size() - 1;
  const std::int64_t slots = graph.neighbors.size();
  const std::int64_t words = words_for(slots);
  const Buffer<std::uint32_t> degrees = degrees_of(graph.offsets, stream);
  Buffer<std::uint32_t> bits_in_word(words, stream);
  Orientation oriented{Buffer<std::uint32_t>(words, stream), Buffer<std::uint32_t>(words, stream),
                       Buffer<std::uint32_t>(vertices + 1, stream), Buffer<std::uint32_t>(slots / 2, stream)};

  const std::int64_t tiles = ceil_div(slots, std::int64_t{SlotTuning::kTileSlots});
  launch(flag_forward, warp_grid_for(tiles, SlotTuning::kThreads), stream, graph.offsets, graph.neighbors,
         degrees.view(), oriented.bits.view(), bits_in_word.view());
  exclusive_scan(bits_in_word.view(), oriented.before.view(), stream);
  launch(gather_forward, grid_of_words(slots), stream, oriented.forward(), graph.neighbors, oriented.neighbors.view());
  launch(find_out_offsets, grid_for(vertices + 1, kThreads), stream, oriented.forward(), graph.offsets, slots / 2,
         oriented.offsets.view());
  return oriented;
}

/// The common neighbours of each oriented edge, in the words of EdgeCounts.
Buffer<std::uint32_t> count_triangles(const OrientedInput& graph, const Orientation& oriented,
                                      const OrientedOptions& options, Stream& stream) {
  const std::int64_t edges = graph.neighbors.size() / 2;
  Buffer<std::uint32_t> counts(EdgeCounts::words_for(edges, graph.facts.has_short_counts), stream);
  counts.fill(0, stream);
  OutGraph out{graph.offsets,
               graph.neighbors,
               oriented.forward(),
               oriented.offsets.view(),
               oriented.neighbors.view(),
               {counts.view(), 0, static_cast<std::uint32_t>(edges), graph.facts.has_short_counts ? 1 : 0},
               {}};
  const CountingWork work(out, graph.facts.hubs, Tasks::most(graph.neighbors.size()), stream);
  out.hubs = work.hubs.set();
  count_edges(out, options, work, stream);
  return counts;
}

/// Both slots of every edge get its count.
template <typename Count>
void fill_slots(const Orientation& oriented, View<const Count> edge_counts, View<std::uint32_t> counts,
                Stream& stream) {
  const std::int64_t edges = edge_counts.size();
  Buffer<std::uint32_t> targets(edges, stream);
  Buffer<Count> counts_by_target(edges, stream);
  const auto last_vertex = static_cast<std::uint64_t>(oriented.offsets.size() - 2);
  const int vertex_bits = std::max(1, static_cast<int>(std::bit_width(last_vertex)));
  sort_pairs(oriented.neighbors.view(), targets.view(), edge_counts, counts_by_target.view(), stream, 0, vertex_bits);
  launch(fill_both_slots<Count>, grid_of_words(counts.size()), stream, oriented.forward(), edge_counts,
         std::as_const(counts_by_target).view(), counts);
}

}  // namespace

Buffer<std::uint32_t> degrees_of(View<const std::uint64_t> offsets, Stream& stream) {
  Buffer<std::uint32_t> degrees(offsets.size() - 1, stream);
  launch(find_degrees, grid_for(degrees.size(), kThreads), stream, offsets, degrees.view());
  return degrees;
}

std::int64_t oriented_workspace_bytes(std::int64_t vertices, std::int64_t slots, const OrientedFacts& facts) {
  const std::int64_t edges = slots / 2;
  const std::int64_t of_counts = 4 * EdgeCounts::words_for(edges, facts.has_short_counts);
  const std::int64_t kept = 4 * (2 * words_for(slots) + vertices + edges);  // bits, ranks, offsets, neighbours
  const std::int64_t orient = 4 * (vertices + words_for(slots));
  const std::int64_t counting = of_counts + CountingWork::bytes(vertices, Tasks::most(slots), facts.hubs).making;
  // Radix sort keeps a second copy of both, and a quarter of a byte an element.
  const std::int64_t filling = of_counts + 2 * (4 * edges + of_counts) + edges / 4;
  return kept + std::max({orient, counting, filling});
}

void count_oriented(const OrientedInput& graph, const OrientedOptions& options, View<std::uint32_t> counts,
                    Stream& stream, Phases& phases) {
  const Orientation oriented = [&] {
    const auto scope = phases.gpu("orient", stream);
    return orient(graph, stream);
  }();
  const Buffer<std::uint32_t> edge_counts = [&] {
    const auto scope = phases.gpu("count", stream);
    return count_triangles(graph, oriented, options, stream);
  }();
  const auto scope = phases.gpu("mirror", stream);
  const std::int64_t edges = counts.size() / 2;
  if (graph.facts.has_short_counts) {
    // Two in a word, the first one in its low half: as they lie on a little-endian machine.
    static_assert(std::endian::native == std::endian::little);
    fill_slots<std::uint16_t>(oriented, {reinterpret_cast<const std::uint16_t*>(edge_counts.data()), edges}, counts,
                              stream);
  } else {
    fill_slots<std::uint32_t>(oriented, edge_counts.view(), counts, stream);
  }
}

}  // namespace warpbench::common_neighbors
