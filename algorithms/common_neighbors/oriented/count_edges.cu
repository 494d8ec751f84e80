#include "algorithms/common_neighbors/oriented/count_edges.cuh"

#include <vector>

#include "algorithms/common_neighbors/oriented/long_lists.cuh"
#include "algorithms/common_neighbors/oriented/short_lists.cuh"
#include "device/buffer.hpp"
#include "device/device.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kTaskThreads = 256;

/// On the device: the next vertices with short lists, then length and next task of each queue.
enum State { kNextVertices, kLongLength, kLongNext, kLongestLength, kLongestNext, kStates };

TaskQueues queues_of(View<uint2> long_lists, View<uint2> longest_lists, std::uint32_t* state) {
  return {{long_lists, state + kLongLength, state + kLongNext},
          {longest_lists, state + kLongestLength, state + kLongestNext}};
}

void fill_queues(const OutGraph& graph, const TaskQueues& queues, Stream& stream) {
  launch(make_tasks, grid_for(graph.offsets.size() - 1, kTaskThreads), stream, graph.row_offsets, graph.offsets,
         queues);
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

}  // namespace

/// Each row with a long out-list has a last piece, and a full one for each LongListTuning::kTaskSlots slots.
TaskRoom TaskRoom::at_most(std::int64_t slots) {
  const std::int64_t rows = slots / 2 / (std::int64_t{kShortList} + 1);
  const std::int64_t pieces = rows + slots / LongListTuning::kTaskSlots + 1;
  return {pieces, pieces};
}

TaskRoom TaskRoom::of(const OutGraph& graph, Stream& stream) {
  Buffer<std::uint32_t> state(kStates, stream);
  state.fill(0, stream);
  fill_queues(graph, queues_of({}, {}, state.data()), stream);
  const std::vector<std::uint32_t> lengths = state.to_vector(stream);
  return {lengths[kLongLength], lengths[kLongestLength]};
}

void count_edges(const OutGraph& graph, const OrientedOptions& options, const TaskRoom& room, Stream& stream) {
  Buffer<uint2> long_lists(room.long_lists, stream);
  Buffer<uint2> longest_lists(room.longest_lists, stream);
  Buffer<std::uint32_t> state(kStates, stream);
  state.fill(0, stream);
  const TaskQueues queues = queues_of(long_lists.view(), longest_lists.view(), state.data());
  if (room.bytes() > 0) fill_queues(graph, queues, stream);
  const auto run = options.filter ? run_count_kernels<true> : run_count_kernels<false>;
  run(graph, queues, state.data() + kNextVertices, options.warps_per_block, stream);
}

}  // namespace warpbench::common_neighbors
