// Parts of oriented counting by themselves: the tasks of long rows, longer than those of a test's graphs, and counts of
// 16 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/buffer.hpp"
#include "device/launch.hpp"

namespace warpbench::common_neighbors {
namespace {

/// The tasks of a queue: vertices, and first slots within their rows.
std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks_of(const TaskQueue& queue, Stream& stream) {
  const auto number = [&](const std::uint32_t* at) {
    std::uint32_t value = 0;
    runtime::copy(&value, at, sizeof(value), runtime::Copy::kDownload, *stream.handle());
    stream.synchronize();
    return value;
  };
  const std::uint32_t begin = number(queue.begin);
  std::vector<uint2> found(number(queue.end) - begin);
  if (!found.empty()) {
    runtime::copy(found.data(), queue.tasks.data() + begin, std::ssize(found) * std::int64_t{sizeof(uint2)},
                  runtime::Copy::kDownload, *stream.handle());
    stream.synchronize();
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks;
  for (const uint2 task : found) tasks.emplace_back(task.x, task.y);
  return tasks;
}

std::vector<std::uint64_t> offsets_of(const std::vector<std::uint32_t>& sizes) {
  std::vector<std::uint64_t> offsets(sizes.size() + 1, 0);
  std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1, std::plus<std::uint64_t>());
  return offsets;
}

/// Rows and out-lists by their sizes alone. Every piece of a long row is a task, in the order of where it lies.
void expect_tasks(const std::vector<std::uint32_t>& row_sizes, const std::vector<std::uint32_t>& out_degrees) {
  const std::vector<std::uint64_t> rows = offsets_of(row_sizes);
  const std::vector<std::uint64_t> wide = offsets_of(out_degrees);
  const std::vector<std::uint32_t> lists(wide.begin(), wide.end());
  Stream stream;
  Buffer<std::uint64_t> row_offsets(std::ssize(rows), stream);
  Buffer<std::uint32_t> offsets(std::ssize(lists), stream);
  row_offsets.upload(rows, stream);
  offsets.upload(lists, stream);
  const OutGraph graph{std::as_const(row_offsets).view(), {}, {}, std::as_const(offsets).view(), {}, {{}, 0, 0, 0}};

  std::map<TaskKind, std::vector<std::pair<std::uint32_t, std::uint32_t>>> expected;
  std::int64_t count = 0;
  for (std::uint32_t u = 0; u < row_sizes.size(); ++u) {
    if (out_degrees[u] <= kShortList) continue;
    const TaskKind kind = out_degrees[u] <= TaskTuning::kBlockList ? TaskKind::long_list : TaskKind::longest_list;
    for (std::uint32_t first = 0; first < row_sizes[u]; first += TaskTuning::kPieceSlots, ++count) {
      expected[kind].emplace_back(u, first);
    }
  }
  EXPECT_EQ(Tasks::count(graph, stream), count);
  const Tasks tasks(graph, count, stream);
  for (const TaskKind kind : {TaskKind::long_list, TaskKind::longest_list}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found = tasks_of(tasks.queue(kind, nullptr), stream);
    const auto bucket = [&](const auto& task) {
      const std::uint64_t pieces = (row_sizes[task.first] + TaskTuning::kPieceSlots - 1) / TaskTuning::kPieceSlots;
      return task.second / TaskTuning::kPieceSlots * TaskTuning::kBuckets / pieces;
    };
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, bucket));
    std::ranges::sort(found);
    EXPECT_EQ(found, expected[kind]);
  }
}

TEST(OrientedTasks, ArePiecesOfLongRowsInOrder) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> row_sizes;
  std::vector<std::uint32_t> out_degrees;
  constexpr std::uint32_t kDegrees[] = {0, 1, 64, 65, 70, 512, 1024, 1025, 3000};
  constexpr std::uint32_t kMore[] = {0, 1, 447, 512, 1024, 5000};
  for (std::int64_t v = 0; v < 2 * TaskTuning::kTileVertices + 100; ++v) {  // of three tiles
    const bool is_long = random() % 8 == 0;
    out_degrees.push_back(kDegrees[is_long ? random() % 9 : random() % 3]);
    row_sizes.push_back(out_degrees.back() + kMore[random() % 6]);
  }
  row_sizes[5000] = 200'000;  // more pieces than buckets
  out_degrees[5000] = 100;
  expect_tasks(row_sizes, out_degrees);
}

TEST(OrientedTasks, AreNoneWithoutLongRows) {
  expect_tasks({}, {});
  expect_tasks({1000, 64, 0}, {64, 64, 0});
}

TEST(OrientedTasks, AreNotMoreThanSlotsAllow) {
  EXPECT_GE(Tasks::most(130), 1);             // one out-list of 65
  EXPECT_GE(Tasks::most(2 * 65 * 100), 100);  // a hundred of them
  EXPECT_GE(Tasks::most(2 * 65 + 5000), 11);  // and a row of 5,065 slots
}

__global__ void add_kernel(EdgeCounts counts, std::uint32_t edge, std::uint32_t found) {
  counts.add(edge, found);
}
__global__ void read_kernel(EdgeCounts counts, std::uint32_t edge, View<std::uint32_t> count) {
  count[0] = counts.of(edge);
}

TEST(EdgeCounts, HoldSixteenBitsSideBySide) {
  for (const bool are_short : {false, true}) {
    Stream stream;
    Buffer<std::uint32_t> words(EdgeCounts::words_for(5, are_short), stream);
    EXPECT_EQ(words.size(), are_short ? 3 : 5);
    words.fill(0, stream);
    const EdgeCounts counts{words.view(), 101, 5, are_short ? 1 : 0};
    const std::map<std::uint32_t, std::uint32_t> added{{101, 65'535}, {102, 3}, {104, 65'535}, {105, 1}};
    for (const auto& [edge, found] : added) launch(add_kernel, Grid{1, 1}, stream, counts, edge, found);
    for (const std::uint32_t other : {100U, 106U, 0U}) launch(add_kernel, Grid{1, 1}, stream, counts, other, 9U);
    Buffer<std::uint32_t> count(1, stream);
    for (std::uint32_t edge = 101; edge < 106; ++edge) {
      launch(read_kernel, Grid{1, 1}, stream, counts, edge, count.view());
      const auto found = added.find(edge);
      EXPECT_EQ(count.to_vector(stream)[0], found == added.end() ? 0 : found->second) << "edge " << edge;
    }
  }
}

}  // namespace
}  // namespace warpbench::common_neighbors
