#include "algorithms/common_neighbors/oriented/count_edges.cuh"

#include "algorithms/common_neighbors/oriented/long_lists.cuh"
#include "algorithms/common_neighbors/oriented/short_lists.cuh"
#include "device/buffer.hpp"
#include "device/device.hpp"

namespace warpbench::common_neighbors {
namespace {

/// On the device: how much was taken of each kind of work.
enum State { kVertices, kLongLists, kLongestLists, kStates };

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
void run_count_kernels(const OutGraph& graph, const Tasks& tasks, std::uint32_t* state, int warps_per_block,
                       Stream& stream) {
  run_block_kernel<kFilter>(graph, tasks.queue(TaskKind::longest_list, state + kLongestLists),
                            LongListTuning::kLargeTableBits, LongListTuning::kLargeTableWarps, stream);
  run_block_kernel<kFilter>(graph, tasks.queue(TaskKind::long_list, state + kLongLists), LongListTuning::kTableBits,
                            warps_per_block, stream);
  constexpr int kShortThreads = ShortListTuning::kThreads;
  constexpr std::size_t kSharedBytes = kShortThreads / kWarpSize * kShortListWords * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_short_lists<kFilter>, kShortThreads, kSharedBytes);
  launch(count_short_lists<kFilter>, Grid{blocks, kShortThreads, kSharedBytes}, stream, graph, state + kVertices);
}

}  // namespace

void count_edges(const OutGraph& graph, const OrientedOptions& options, const Tasks& tasks, Stream& stream) {
  Buffer<std::uint32_t> state(kStates, stream);
  state.fill(0, stream);
  const auto run = options.filter ? run_count_kernels<true> : run_count_kernels<false>;
  run(graph, tasks, state.data(), options.warps_per_block, stream);
}

}  // namespace warpbench::common_neighbors
