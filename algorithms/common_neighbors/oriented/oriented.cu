#include "algorithms/common_neighbors/oriented/oriented.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/common_neighbors/oriented/long_lists.cuh"
#include "algorithms/common_neighbors/oriented/orientation_kernels.cuh"
#include "algorithms/common_neighbors/oriented/short_lists.cuh"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/primitives.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = 256;  // of the kernels whose threads take an element each

/// For over_words().
Grid grid_of_words(std::int64_t slots) {
  return warp_grid_for(ceil_div(slots, OrientationTuning::kWords * kWarpSize), OrientationTuning::kThreads);
}

/// Pieces of the rows whose out-list is long. Such a row has more than kShortList slots; it has a last piece, and a
/// full one for each LongListTuning::kTaskSlots slots.
std::int64_t max_tasks(std::int64_t slots) {
  return slots / kShortList + slots / LongListTuning::kTaskSlots + 1;
}

/// The edges of a graph, each from its end of lower (degree, id) to the other.
struct Orientation {
  Buffer<std::uint32_t> bits;       ///< one bit a slot: the slot's edge points away from its row's vertex
  Buffer<std::uint32_t> before;     ///< for each word of bits: set bits in earlier words
  Buffer<std::uint32_t> offsets;    ///< vertices + 1
  Buffer<std::uint32_t> neighbors;  ///< by source, then target

  [[nodiscard]] ForwardSlots forward() const { return {bits.view(), before.view()}; }
};

Orientation orient(const OrientedInput& graph, Stream& stream) {
  const std::int64_t vertices = graph.offsets.size() - 1;
  const std::int64_t slots = graph.neighbors.size();
  const std::int64_t words = words_for(slots);
  Buffer<std::uint32_t> degrees(vertices, stream);
  Buffer<std::uint32_t> bits_in_word(words, stream);
  Orientation oriented{Buffer<std::uint32_t>(words, stream), Buffer<std::uint32_t>(words, stream),
                       Buffer<std::uint32_t>(vertices + 1, stream), Buffer<std::uint32_t>(slots / 2, stream)};

  launch(find_degrees, grid_for(vertices, kThreads), stream, graph.offsets, degrees.view());
  const std::int64_t tiles = ceil_div(slots, std::int64_t{OrientationTuning::kTileSlots});
  launch(flag_forward, warp_grid_for(tiles, OrientationTuning::kThreads), stream, graph.offsets, graph.neighbors,
         degrees.view(), oriented.bits.view(), bits_in_word.view());
  exclusive_scan(bits_in_word.view(), oriented.before.view(), stream);
  launch(gather_forward, grid_of_words(slots), stream, oriented.forward(), graph.neighbors, oriented.neighbors.view());
  launch(find_out_offsets, grid_for(vertices + 1, kThreads), stream, oriented.forward(), graph.offsets, slots / 2,
         oriented.offsets.view());
  return oriented;
}

/// Launches the block kernel with tables of 2^table_bits keys, as many blocks as are resident at once.
template <bool kFilter>
void run_block_kernel(const OutGraph& graph, const TaskQueue& queue, int table_bits, int warps, Stream& stream) {
  const int threads = kWarpSize * warps;
  const std::size_t shared_bytes = static_cast<std::size_t>(long_list_words(warps, table_bits)) * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_long_lists<kFilter>, threads, shared_bytes);
  launch(count_long_lists<kFilter>, Grid{blocks, threads, shared_bytes}, stream, graph, queue, table_bits);
}

/// The longest lists first: their tasks are the ones that could end late.
template <bool kFilter>
void run_count_kernels(const OutGraph& graph, const TaskQueues& queues, std::uint32_t* next_vertices,
                       int warps_per_block, Stream& stream) {
  run_block_kernel<kFilter>(graph, queues.longest_lists, LongListTuning::kLargeTableBits,
                            LongListTuning::kLargeTableWarps, stream);
  run_block_kernel<kFilter>(graph, queues.long_lists, LongListTuning::kTableBits, warps_per_block, stream);
  constexpr int kShortThreads = ShortListTuning::kThreads;
  constexpr std::size_t kSharedBytes = kShortThreads / kWarpSize * kShortListWords * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_short_lists<kFilter>, kShortThreads, kSharedBytes);
  launch(count_short_lists<kFilter>, Grid{blocks, kShortThreads, kSharedBytes}, stream, graph, next_vertices);
}

/// The common neighbours of each oriented edge.
Buffer<std::uint32_t> count_triangles(const OrientedInput& graph, const Orientation& oriented,
                                      const OrientedOptions& options, Stream& stream) {
  const std::int64_t vertices = graph.offsets.size() - 1;
  const std::int64_t slots = graph.neighbors.size();
  Buffer<uint2> long_lists(max_tasks(slots), stream);
  Buffer<uint2> longest_lists(max_tasks(slots), stream);
  Buffer<std::uint32_t> state(5, stream);  // the next vertices with short lists; length and next of each queue
  Buffer<std::uint32_t> counts(slots / 2, stream);
  counts.fill(0, stream);
  state.fill(0, stream);
  const TaskQueues queues{{long_lists.view(), state.data() + 1, state.data() + 2},
                          {longest_lists.view(), state.data() + 3, state.data() + 4}};
  launch(make_tasks, grid_for(vertices, kThreads), stream, graph.offsets, oriented.offsets.view(), queues);
  const OutGraph out{graph.offsets,           graph.neighbors,           oriented.forward(),
                     oriented.offsets.view(), oriented.neighbors.view(), counts.view()};
  const auto run = options.filter ? run_count_kernels<true> : run_count_kernels<false>;
  run(out, queues, state.data(), options.warps_per_block, stream);
  return counts;
}

/// Both slots of every edge get its count.
void fill_slots(const Orientation& oriented, const Buffer<std::uint32_t>& edge_counts, View<std::uint32_t> counts,
                Stream& stream) {
  const std::int64_t edges = edge_counts.size();
  Buffer<std::uint32_t> targets(edges, stream);
  Buffer<std::uint32_t> counts_by_target(edges, stream);
  const auto last_vertex = static_cast<std::uint64_t>(oriented.offsets.size() - 2);
  const int vertex_bits = std::max(1, static_cast<int>(std::bit_width(last_vertex)));
  sort_pairs(oriented.neighbors.view(), targets.view(), edge_counts.view(), counts_by_target.view(), stream, 0,
             vertex_bits);
  launch(fill_both_slots, grid_of_words(counts.size()), stream, oriented.forward(), edge_counts.view(),
         counts_by_target.view(), counts);
}

}  // namespace

std::int64_t oriented_workspace_bytes(std::int64_t vertices, std::int64_t slots) {
  const std::int64_t edges = slots / 2;
  const std::int64_t kept = 4 * (2 * words_for(slots) + vertices + edges);  // bits, ranks, offsets, neighbours
  const std::int64_t orient = 4 * (vertices + words_for(slots));
  const std::int64_t counting = 4 * edges + 8 * 2 * max_tasks(slots);
  const std::int64_t filling = 4 * (edges + 2 * edges) + 8 * edges;  // radix sort keeps a second copy of both
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
  fill_slots(oriented, edge_counts, counts, stream);
}

}  // namespace warpbench::common_neighbors
