// The tasks of blocks that count at long out-lists (oriented.hpp): pieces of rows, in an order in which those that read
// the same lists come soon after each other. In the order of the vertices nearly all lists and counts would come from
// device memory, since together they are a few times the L2 cache.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/buffer.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

struct TaskTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kTileVertices = 4096;  ///< a block's
  static constexpr std::int64_t kPieceSlots = 512;     ///< of a row that one block handles
  static constexpr std::uint32_t kBuckets = 256;       ///< parts of the order
  static constexpr std::uint32_t kBlockList = 1024;    ///< longer out-lists take a larger table
};

/// One for each launch. Their tasks lie one behind the other, each kind's in the order of buckets.
enum class TaskKind : std::uint32_t { long_list, longest_list };
inline constexpr std::uint32_t kTaskKinds = 2;

/// What a kernel fetches from. A task is (u, first slot within u's row).
struct TaskQueue {
  View<const uint2> tasks;     ///< of all kinds
  const std::uint32_t* begin;  ///< of its own
  const std::uint32_t* end;
  std::uint32_t* fetched;  ///< tasks, so far
};

/// The slots of a task.
__device__ inline Extent<std::int64_t> slots_of(const OutGraph& graph, uint2 task) {
  const Extent<std::int64_t> row = segment(graph.row_offsets, task.x);
  const std::int64_t begin = row.begin + task.y;
  return {begin, row.end - begin < TaskTuning::kPieceSlots ? row.end : begin + TaskTuning::kPieceSlots};
}

/// All tasks of a graph.
class Tasks {
 public:
  /// Enqueues their making. There are no more than `most`.
  Tasks(const OutGraph& graph, std::int64_t most, Stream& stream);

  /// Those of a kind, of which so many have been fetched, a number on the device.
  [[nodiscard]] TaskQueue queue(TaskKind kind, std::uint32_t* fetched) const;

  /// The tasks of a graph. Waits for the device.
  [[nodiscard]] static std::int64_t count(const OutGraph& graph, Stream& stream);
  /// Of a graph with so many slots, at most.
  [[nodiscard]] static std::int64_t most(std::int64_t slots);
  /// Device memory of so many, bytes, while they are made.
  [[nodiscard]] static std::int64_t bytes(std::int64_t tasks);

 private:
  Buffer<uint2> tasks_;
  /// A 0, then a cursor for each kind and bucket, which stands where the next bucket begins: a kind's tasks lie from
  /// the word before its cursors to the last of them.
  Buffer<std::uint32_t> cursors_;
};

}  // namespace warpbench::common_neighbors
