// Parts of oriented counting by themselves: the tasks of long rows, longer than those of a test's graphs, the order of
// sources, which vertices are hubs, and counts of 16 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "algorithms/common_neighbors/bmp_gpu/lookups.hpp"
#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/oriented/hosted.hpp"
#include "algorithms/common_neighbors/oriented/hubs.cuh"
#include "algorithms/common_neighbors/oriented/source_order.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/buffer.hpp"
#include "device/launch.hpp"
#include "tests/algorithms/support/graphs.hpp"

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

/// Each vertex joined to the 70 next ones and, beyond that, the first `clique` ones to each other.
datasets::Csr ring_with_clique(std::uint32_t vertices, std::uint32_t clique) {
  testing::EdgeList edges = testing::complete_edges(clique);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for (std::uint32_t i = 1; i <= 70; ++i) edges.emplace_back(v, (v + i) % vertices);
  }
  return testing::graph_of(vertices, edges);
}

TEST(Hubs, AreSoManyThatABitmapHasABitForEach) {
  const HubChoice hubs = choose_hubs(ring_with_clique(HubTuning::kMost + 200, 400));
  EXPECT_EQ(hubs.count, 400);  // all others have one degree, 140, and are too many together
  EXPECT_EQ(hubs.least_degree, 141);
  EXPECT_EQ(choose_hubs(ring_with_clique(HubTuning::kMost + 200, 0)).count, 0);
}

TEST(Hubs, AreThereOnlyWhereTheyAreOftenNeighbors) {
  EXPECT_EQ(choose_hubs(testing::complete(256)).count, 0);  // mean out-degree 127.5
  EXPECT_EQ(choose_hubs(testing::complete(257)).count, 257);
  EXPECT_EQ(choose_hubs(testing::star(1000, 3)).count, 0);
}

TEST(Hubs, TakeTheirEdgesFromTheLookups) {
  const datasets::Csr graph = testing::complete(257);
  EXPECT_EQ(oriented_lookups(graph, choose_hubs(graph)), 0);
  EXPECT_GT(oriented_lookups(graph, {}), 0);
}

/// A graph with its oriented edges, on the host.
struct HostOutGraph {
  explicit HostOutGraph(const datasets::Csr& graph) {
    for (std::uint32_t u = 0; u < graph.vertices(); ++u) {
      for (const std::uint32_t v : graph.row(u)) {
        if (comes_before(graph, v, u)) neighbors.push_back(v);
      }
      offsets.push_back(static_cast<std::uint32_t>(neighbors.size()));
    }
  }
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> neighbors;
};

/// More hubs than half a bitmap has bits, far apart in it; some have the least degree.
TEST(Hubs, AreCountedAtTheirEdges) {
  constexpr std::uint32_t kVertices = 9000;
  testing::EdgeList edges;
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    const std::uint32_t fan = v % 11 == 0 ? 0 : 3;
    for (std::uint32_t i = 1; i <= fan; ++i) edges.emplace_back(v, (v + i * 2791) % kVertices);
    if (v % 3 == 0) edges.emplace_back(v, (v + 2 * 2791) % kVertices);
  }
  const datasets::Csr graph = testing::graph_of(kVertices, edges);
  HubChoice choice{.least_degree = 6};
  for (std::uint32_t v = 0; v < kVertices; ++v) choice.count += graph.degree(v) >= choice.least_degree ? 1 : 0;
  ASSERT_GT(choice.count, HubTuning::kMost / 2);
  ASSERT_LE(choice.count, HubTuning::kMost);

  const HostOutGraph host(graph);
  Stream stream;
  const Buffer<std::uint64_t> rows(graph.offsets.span(), stream);
  const Buffer<std::uint32_t> offsets(host.offsets, stream);
  const Buffer<std::uint32_t> neighbors(host.neighbors, stream);
  Buffer<std::uint32_t> counts(neighbors.size(), stream);
  counts.fill(0, stream);
  const OutGraph out{rows.view(),
                     {},
                     {},
                     offsets.view(),
                     neighbors.view(),
                     {counts.view(), 0, static_cast<std::uint32_t>(counts.size()), 0}};
  const Hubs hubs(out, choice, stream);
  hubs.count(out, stream);
  const std::vector<std::uint32_t> found = counts.to_vector(stream);
  for (std::uint32_t u = 0; u < kVertices; ++u) {
    for (std::uint32_t e = host.offsets[u]; e < host.offsets[u + 1]; ++e) {
      const std::uint32_t v = host.neighbors[e];
      std::uint32_t expected = 0;
      if (choice.has(graph.degree(u))) {
        for (const std::uint32_t w : graph.row(u)) {
          const bool is_common = std::ranges::binary_search(graph.row(v), w);
          expected += is_common && choice.has(graph.degree(w)) ? 1 : 0;
        }
      }
      ASSERT_EQ(found[e], expected) << u << ", " << v;
    }
  }
}

/// 10^9 edges of friendster-like under 8 GiB: one range, since several take three times as long.
TEST(HostedBytes, LeaveRoomForAllShortCountsOfABillionEdges) {
  constexpr std::int64_t kVertices = 69'159'244;
  constexpr std::int64_t kEdges = 1'000'534'962;
  const HostedBytes bytes = hosted_bytes(kVertices, 2 * kEdges, 3644, {.has_short_counts = true, .hubs = {}});
  EXPECT_EQ(bytes.of_an_edge, 2);
  const std::int64_t beside = std::max(bytes.before_counts, bytes.beside_counts + 2 * kEdges);
  EXPECT_LT(8 * (kVertices + 1) + bytes.kept + beside, (std::int64_t{8} << 30) / 20 * 19);
}

/// Sources come by their first targets, then by id; others last.
TEST(SourceOrder, IsByFirstTarget) {
  Stream stream;
  const Buffer<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 2, 3, 5, 5, 70, 72}, stream);
  std::vector<std::uint32_t> lists(72, 5);
  const std::vector<std::uint32_t> first{4, 5, 0, 1, 3};
  std::ranges::copy(first, lists.begin());
  lists[70] = 1;
  const Buffer<std::uint32_t> neighbors(lists, stream);
  OutGraph graph{{}, {}, {}, offsets.view(), neighbors.view(), {{}, 0, 0, 0}};
  EXPECT_EQ(order_sources(graph, stream).to_vector(stream), (std::vector<std::uint32_t>{2, 5, 0, 1, 3, 4}));
}

}  // namespace
}  // namespace warpbench::common_neighbors
