#include "algorithms/common_neighbors/oriented/count_edges.cuh"

#include "algorithms/common_neighbors/oriented/long_lists.cuh"
#include "algorithms/common_neighbors/oriented/short_lists.cuh"
#include "algorithms/common_neighbors/oriented/source_order.cuh"
#include "device/buffer.hpp"
#include "device/device.hpp"

namespace warpbench::common_neighbors {
namespace {

/// On the device: how much was taken of each kind of work.
enum State { kSources, kLongLists, kLongestLists, kStates };

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
void run_count_kernels(const OutGraph& graph, const CountingWork& work, std::uint32_t* state, int warps_per_block,
                       Stream& stream) {
  run_block_kernel<kFilter>(graph, work.tasks.queue(TaskKind::longest_list, state + kLongestLists),
                            LongListTuning::kLargeTableBits, LongListTuning::kLargeTableWarps, stream);
  run_block_kernel<kFilter>(graph, work.tasks.queue(TaskKind::long_list, state + kLongLists),
                            LongListTuning::kTableBits, warps_per_block, stream);
  constexpr int kShortThreads = ShortListTuning::kThreads;
  constexpr std::size_t kSharedBytes = kShortThreads / kWarpSize * kShortListWords * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_short_lists<kFilter>, kShortThreads, kSharedBytes);
  launch(count_short_lists<kFilter>, Grid{blocks, kShortThreads, kSharedBytes}, stream, graph, work.source_order.view(),
         state + kSources);
}

}  // namespace

CountingWork::CountingWork(const OutGraph& graph, const HubChoice& choice, std::int64_t most_tasks, Stream& stream)
    : hubs(graph, choice, stream), tasks(graph, most_tasks, stream), source_order(order_sources(graph, stream)) {}

CountingWork::Bytes CountingWork::bytes(std::int64_t vertices, std::int64_t most_tasks, const HubChoice& choice) {
  const std::int64_t others = Hubs::bytes(vertices, choice) + Tasks::bytes(most_tasks);
  return {others + source_order_bytes(vertices), others + 4 * vertices};
}

void count_edges(const OutGraph& graph, const OrientedOptions& options, const CountingWork& work, Stream& stream) {
  work.hubs.count(graph, stream);
  Buffer<std::uint32_t> state(kStates, stream);
  state.fill(0, stream);
  const auto run = options.filter ? run_count_kernels<true> : run_count_kernels<false>;
  run(graph, work, state.data(), options.warps_per_block, stream);
}

}  // namespace warpbench::common_neighbors
