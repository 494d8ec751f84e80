#include "algorithms/common_neighbors/oriented/count_edges.cuh"

#include <numeric>
#include <vector>

#include "algorithms/common_neighbors/oriented/long_lists.cuh"
#include "algorithms/common_neighbors/oriented/short_lists.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/primitives.hpp"

namespace warpbench::common_neighbors {
namespace {

/// On the device: the next vertices with short lists, how many tasks were fetched of each kind, a 0, then the cursors.
/// When tasks are made a cursor stands where the next bucket begins, so that a kind's tasks lie from the word before
/// its cursors to the last of them.
constexpr std::int64_t kNextVertices = 0;
constexpr std::int64_t kFetched = 1;
constexpr std::int64_t kZero = kFetched + kTaskKinds;
constexpr std::int64_t kCursors = kZero + 1;
constexpr std::int64_t kStateWords = kCursors + kTaskCursors;
constexpr std::int64_t kScanBytes = 4096;  ///< that the scan of the cursors takes by itself, at most

void run_make_tasks(const OutGraph& graph, View<uint2> tasks, View<std::uint32_t> cursors, Stream& stream) {
  const std::int64_t tiles = ceil_div(graph.offsets.size() - 1, TaskTuning::kTileVertices);
  launch(make_tasks, Grid{tiles, TaskTuning::kThreads}, stream, graph, tasks, cursors);
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
void run_count_kernels(const OutGraph& graph, View<const uint2> tasks, std::uint32_t* state, int warps_per_block,
                       Stream& stream) {
  const auto queue_of = [&](TaskKind kind) {
    const auto k = static_cast<std::uint32_t>(kind);
    const std::uint32_t* const begin = state + kZero + k * TaskTuning::kBuckets;
    return TaskQueue{tasks, begin, begin + TaskTuning::kBuckets, state + kFetched + k};
  };
  run_block_kernel<kFilter>(graph, queue_of(TaskKind::longest_list), LongListTuning::kLargeTableBits,
                            LongListTuning::kLargeTableWarps, stream);
  run_block_kernel<kFilter>(graph, queue_of(TaskKind::long_list), LongListTuning::kTableBits, warps_per_block, stream);
  constexpr int kShortThreads = ShortListTuning::kThreads;
  constexpr std::size_t kSharedBytes = kShortThreads / kWarpSize * kShortListWords * sizeof(std::uint32_t);
  const std::int64_t blocks = max_resident_blocks(count_short_lists<kFilter>, kShortThreads, kSharedBytes);
  launch(count_short_lists<kFilter>, Grid{blocks, kShortThreads, kSharedBytes}, stream, graph, state + kNextVertices);
}

}  // namespace

std::int64_t count_tasks(const OutGraph& graph, Stream& stream) {
  Buffer<std::uint32_t> cursors(kTaskCursors, stream);
  cursors.fill(0, stream);
  run_make_tasks(graph, {}, cursors.view(), stream);
  const std::vector<std::uint32_t> counts = cursors.to_vector(stream);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// A row with a long out-list has full pieces and a last one.
std::int64_t most_tasks(std::int64_t slots) {
  const std::int64_t rows = slots / 2 / (std::int64_t{kShortList} + 1);
  return rows + slots / TaskTuning::kPieceSlots;
}

std::int64_t task_bytes(std::int64_t tasks) {
  return tasks * static_cast<std::int64_t>(sizeof(uint2)) + kStateWords * std::int64_t{sizeof(std::uint32_t)} +
         kScanBytes;
}

void count_edges(const OutGraph& graph, const OrientedOptions& options, std::int64_t tasks, Stream& stream) {
  Buffer<std::uint32_t> state(kStateWords, stream);
  Buffer<uint2> made(tasks, stream);
  state.fill(0, stream);
  const View<std::uint32_t> cursors = state.view().subview(kCursors, kTaskCursors);
  if (tasks > 0) {
    run_make_tasks(graph, {}, cursors, stream);
    exclusive_scan(cursors, cursors, stream);
    run_make_tasks(graph, made.view(), cursors, stream);
  }
  const auto run = options.filter ? run_count_kernels<true> : run_count_kernels<false>;
  run(graph, made.view(), state.data(), options.warps_per_block, stream);
}

}  // namespace warpbench::common_neighbors
