#include "algorithms/common_neighbors/oriented/oriented.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/common_neighbors/oriented/oriented_kernels.cuh"
#include "device/device.hpp"
#include "device/primitives.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = 256;
// Slots of a block's table, at most half of them taken: 16 KiB with counters for most lists, so that many blocks are
// resident, 128 KiB for the longest, whose blocks have an SM each; lists beyond 8192 are handled in parts.
constexpr int kTableBits = 11;
constexpr int kLargeTableBits = 14;
constexpr int kLargeTableWarps = 32;
static_assert(kBlockListLimit == 1 << (kTableBits - 1));

std::int64_t words_for(std::int64_t bits) {
  return (bits + 31) / 32;
}

/// Every row has a last piece, and a full one for each kTaskSlots slots.
std::int64_t most_tasks(std::int64_t rows, std::int64_t slots) {
  return rows + slots / kTaskSlots + 1;
}

/// Rows whose out-list is long have more than kWarpListLimit slots.
std::int64_t most_long_rows(std::int64_t slots) {
  return slots / kWarpListLimit;
}

/// Launches the block kernel with tables of 2^table_bits keys, as many blocks as are resident at once.
template <bool kFilter>
void run_block_kernel(const OutGraph& graph, const TaskQueue& queue, int table_bits, int warps, Stream& stream) {
  const Dim3 threads{kWarpSize, warps};
  const std::size_t shared_bytes = static_cast<std::size_t>(block_words(warps, table_bits)) * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_long_lists<kFilter>, threads.count(), shared_bytes);
  launch(count_long_lists<kFilter>, Grid{blocks, threads, shared_bytes}, stream, graph, queue, table_bits);
}

/// The longest lists first: their tasks are the ones that could end late.
template <bool kFilter>
void run_count_kernels(const OutGraph& graph, const TaskQueues& queues, int warps_per_block, Stream& stream) {
  run_block_kernel<kFilter>(graph, queues.longest_lists, kLargeTableBits, kLargeTableWarps, stream);
  run_block_kernel<kFilter>(graph, queues.long_lists, kTableBits, warps_per_block, stream);
  const std::size_t shared_bytes = kThreads / kWarpSize * kWarpWords * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_short_lists<kFilter>, kThreads, shared_bytes);
  launch(count_short_lists<kFilter>, Grid{blocks, kThreads, shared_bytes}, stream, graph, queues.short_lists);
}

}  // namespace

std::int64_t OrientedCounter::workspace_bytes(std::int64_t vertices, std::int64_t slots) {
  const std::int64_t edges = slots / 2;
  const std::int64_t kept = 4 * (2 * words_for(slots) + vertices + edges);  // bits, ranks, offsets, neighbours
  const std::int64_t orient = 4 * (slots + vertices + words_for(slots));
  const std::int64_t counting =
      4 * edges + 8 * (most_tasks(vertices, slots) + 2 * most_tasks(most_long_rows(slots), slots));
  const std::int64_t filling = 4 * (edges + 2 * edges) + 8 * edges;  // radix sort keeps a second copy of both
  return kept + std::max({orient, counting, filling});
}

OrientedCounter::OrientedCounter(View<const std::uint64_t> offsets, View<const std::uint32_t> neighbors, bool filter,
                                 int warps_per_block, Stream& stream)
    : offsets_(offsets),
      neighbors_(neighbors),
      filter_(filter),
      warps_per_block_(warps_per_block),
      stream_(stream),
      vertices_(offsets.size() - 1),
      slots_(neighbors.size()) {}

void OrientedCounter::count(View<std::uint32_t> counts, Phases& phases) {
  {
    const auto scope = phases.gpu("orient", stream_);
    orient();
  }
  {
    const auto scope = phases.gpu("count", stream_);
    count_triangles();
  }
  {
    const auto scope = phases.gpu("mirror", stream_);
    fill_slots(counts);
  }
}

void OrientedCounter::orient() {
  const std::int64_t words = words_for(slots_);
  Buffer<std::uint32_t> rows(slots_, stream_);
  Buffer<std::uint32_t> degrees(vertices_, stream_);
  Buffer<std::uint32_t> set_bits(words, stream_);
  forward_bits_ = Buffer<std::uint32_t>(words, stream_);
  forward_before_ = Buffer<std::uint32_t>(words, stream_);
  out_neighbors_ = Buffer<std::uint32_t>(slots_ / 2, stream_);
  out_offsets_ = Buffer<std::uint32_t>(vertices_ + 1, stream_);

  rows.fill(0, stream_);
  launch(mark_rows, grid_for(vertices_, kThreads), stream_, offsets_, degrees.view(), rows.view());
  inclusive_scan(rows.view(), rows.view(), stream_);
  launch(flag_forward, grid_for(slots_, kThreads), stream_, rows.view(), neighbors_, degrees.view(),
         forward_bits_.view(), set_bits.view());
  exclusive_scan(set_bits.view(), forward_before_.view(), stream_);
  const ForwardSlots forward{forward_bits_.view(), forward_before_.view()};
  launch(gather_forward, grid_for(slots_, kThreads), stream_, forward, neighbors_, out_neighbors_.view());
  launch(find_out_offsets, grid_for(vertices_ + 1, kThreads), stream_, forward, offsets_,
         static_cast<std::uint32_t>(slots_ / 2), out_offsets_.view());
}

void OrientedCounter::count_triangles() {
  const std::int64_t edges = slots_ / 2;
  Buffer<uint2> short_lists(most_tasks(vertices_, slots_), stream_);
  Buffer<uint2> long_lists(most_tasks(most_long_rows(slots_), slots_), stream_);
  Buffer<uint2> longest_lists(most_tasks(most_long_rows(slots_), slots_), stream_);
  Buffer<std::uint32_t> state(6, stream_);  // length and next of each queue
  edge_counts_ = Buffer<std::uint32_t>(edges, stream_);
  edge_counts_.fill(0, stream_);
  state.fill(0, stream_);
  const TaskQueues queues{{short_lists.view(), state.data(), state.data() + 1},
                          {long_lists.view(), state.data() + 2, state.data() + 3},
                          {longest_lists.view(), state.data() + 4, state.data() + 5}};
  launch(make_tasks, grid_for(vertices_, kThreads), stream_, offsets_, out_offsets_.view(), queues);

  const OutGraph graph{offsets_,
                       neighbors_,
                       {forward_bits_.view(), forward_before_.view()},
                       out_offsets_.view(),
                       out_neighbors_.view(),
                       edge_counts_.view()};
  if (filter_) {
    run_count_kernels<true>(graph, queues, warps_per_block_, stream_);
  } else {
    run_count_kernels<false>(graph, queues, warps_per_block_, stream_);
  }
}

void OrientedCounter::fill_slots(View<std::uint32_t> counts) {
  const std::int64_t edges = slots_ / 2;
  Buffer<std::uint32_t> targets(edges, stream_);
  Buffer<std::uint32_t> counts_by_target(edges, stream_);
  const int vertex_bits = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vertices_ - 1))));
  sort_pairs(View<const std::uint32_t>(out_neighbors_.view()), targets.view(),
             View<const std::uint32_t>(edge_counts_.view()), counts_by_target.view(), stream_, 0, vertex_bits);
  launch(fill_both_slots, grid_for(slots_, kThreads), stream_,
         ForwardSlots{forward_bits_.view(), forward_before_.view()}, edge_counts_.view(), counts_by_target.view(),
         counts);
}

}  // namespace warpbench::common_neighbors
