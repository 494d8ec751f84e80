// Pruned graphs against the same steps written down plainly for exact lists, and what must hold of every one: each
// vertex can be reached, no edge stands twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/nearest_neighbors/construction/connect.hpp"
#include "algorithms/nearest_neighbors/construction/prune.hpp"
#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"
#include "algorithms/nearest_neighbors/padded_rows.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using testing::VectorSet;
using Rows = std::vector<std::vector<Vertex>>;

constexpr std::uint64_t kSeed = 1821;

struct Pruned {
  ProximityGraph graph;
  std::int64_t unreached;
};

Pruned pruned(const VectorSet& set, const PrunePlan& prune) {
  Stream stream;
  Phases phases;
  const int stride = padded_to(set.dimension(), 8);
  const PinnedBuffer<float> host = padded_rows(set.points.span(), set.dimension(), stride, false);
  const Buffer<float> rows(host.span(), stream);
  const Points<float> points{rows.view(), stride, false};
  BuildPlan plan;
  plan.search = "pipelined";
  plan.d_min = 8;
  plan.d_max = 16;
  DeviceProximityGraph graph = build_graph(points, set.count(), plan, stream, phases);
  const auto find_lists = [&](const DeviceProximityGraph& built, int length, View<Vertex> lists) {
    const SearchMethod& method = search_method("pipelined");
    SearchShape shape = method.shape(length, built.degree, stride);
    shape.explore = shape.candidates;
    shape.entries = method.build_entries;
    Buffer<std::uint32_t> next(1, stream);
    Buffer<WorkTotals> totals(1, stream);
    next.fill(0, stream);
    totals.fill_bytes(0, stream);
    const QueryBatch batch{rows.view(), lists, {}, {}, next.view(), totals.view(), 1, stride, length};
    method.search(points, built.view(), batch, shape, kWarpSize, stream);
  };
  prune_graph(graph, find_lists, prune, stream, phases);
  ProximityGraph result;
  result.layers.push_back({graph.sizes.front(), graph.degree, graph.layers.front().to_vector(stream)});
  validate(result, set.count());
  return {std::move(result), graph.unreached};
}

/// The `length` nearest others of each point, the nearest first.
Rows nearest_lists(const VectorSet& set, std::size_t length) {
  const std::span<const float> points = set.points.span();
  const auto at = [&set, points](std::int64_t v, std::int64_t d) {
    return double{points[static_cast<std::size_t>(v * set.dimension() + d)]};
  };
  Rows lists;
  for (std::int64_t u = 0; u < set.count(); ++u) {
    std::vector<std::pair<double, Vertex>> others;
    for (std::int64_t v = 0; v < set.count(); ++v) {
      double sum = 0;
      for (std::int64_t d = 0; d < set.dimension(); ++d) {
        const double difference = at(u, d) - at(v, d);
        sum += difference * difference;
      }
      if (u != v) others.emplace_back(sum, static_cast<Vertex>(v));
    }
    std::ranges::sort(others);
    lists.emplace_back();
    for (std::size_t i = 0; i < length; ++i) lists.back().push_back(others[i].second);
  }
  return lists;
}

std::int64_t rank_in_list(const std::vector<Vertex>& list, Vertex vertex) {
  const auto found = std::ranges::find(list, vertex);
  return found == list.end() ? -1 : found - list.begin();
}

Rows without_detours(const Rows& lists, std::size_t degree) {
  Rows rows;
  for (const std::vector<Vertex>& list : lists) {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t end = 0; end < list.size(); ++end) {
      int detours = 0;
      for (std::size_t first = 0; first < end; ++first) {
        const std::int64_t second = rank_in_list(lists[list[first]], list[end]);
        detours += second >= 0 && second < static_cast<std::int64_t>(end) ? 1 : 0;
      }
      order.emplace_back(detours, end);
    }
    std::ranges::sort(order);
    rows.emplace_back();
    for (std::size_t i = 0; i < degree; ++i) rows.back().push_back(list[order[i].second]);
  }
  return rows;
}

Rows with_edges_back(const Rows& rows, std::size_t degree) {
  std::vector<std::vector<std::pair<std::size_t, Vertex>>> back(rows.size());
  for (std::size_t u = 0; u < rows.size(); ++u) {
    for (std::size_t place = 0; place < rows[u].size(); ++place) {
      back[rows[u][place]].emplace_back(place, static_cast<Vertex>(u));
    }
  }
  Rows result;
  for (std::size_t u = 0; u < rows.size(); ++u) {
    std::ranges::sort(back[u]);
    std::vector<Vertex> row(rows[u].begin(), rows[u].begin() + static_cast<std::ptrdiff_t>((degree + 1) / 2));
    const auto add = [&row, degree](Vertex v) {
      if (row.size() < degree && rank_in_list(row, v) < 0) row.push_back(v);
    };
    for (std::size_t i = 0; i < std::min(degree, back[u].size()); ++i) add(back[u][i].second);
    for (const Vertex v : rows[u]) add(v);
    result.push_back(row);
  }
  return result;
}

std::vector<Vertex> flat(const Rows& rows) {
  std::vector<Vertex> ids;
  for (const std::vector<Vertex>& row : rows) ids.insert(ids.end(), row.begin(), row.end());
  return ids;
}

TEST(Prune, KeepsTheVerticesWithTheFewestDetours) {
  const VectorSet set = testing::clustered(60, 1, 6, kSeed);
  const Rows expected = without_detours(nearest_lists(set, 20), 7);
  const Pruned found = pruned(set, {20, 7, false});
  EXPECT_EQ(found.graph.layers.front().neighbors, flat(expected));
}

TEST(Prune, GivesHalfOfARowToEdgesBack) {
  const VectorSet set = testing::clustered(60, 1, 6, kSeed);
  for (const std::size_t degree : {7, 8}) {
    const Rows expected = with_edges_back(without_detours(nearest_lists(set, 20), degree), degree);
    const Pruned found = pruned(set, {20, static_cast<std::int64_t>(degree), true});
    EXPECT_EQ(found.graph.layers.front().neighbors, flat(expected)) << degree;
  }
}

/// The number of vertices that paths from vertex 0 reach.
std::size_t reached_from_first(const Layer& layer) {
  std::set<std::uint32_t> seen{0};
  std::vector<std::uint32_t> open{0};
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    for (const std::uint32_t w : layer.row(v)) {
      if (w != kNone<std::uint32_t> && seen.insert(w).second) open.push_back(w);
    }
  }
  return seen.size();
}

TEST(Prune, ReachesIslandsOfNearPoints) {
  constexpr std::size_t kDimension = 8;
  std::vector<float> points = testing::around_centres(120, kDimension, 20, 0.7F, kSeed, 1);
  // Four islands, farther from each other than from their own.
  for (std::size_t v = 0; v < points.size() / kDimension; ++v)
    points[v * kDimension] += 1000.0F * static_cast<float>(v % 4);
  const VectorSet set = testing::vectors_of(kDimension, points, std::vector<float>(kDimension));
  const Pruned found = pruned(set, {16, 8, true});
  EXPECT_EQ(found.unreached, 0);
  EXPECT_EQ(reached_from_first(found.graph.layers.front()), 120U);
}

/// A centre and points around it, all of whose lists are the same.
TEST(Prune, ReachesPointsThatNoListHolds) {
  constexpr std::size_t kPoints = 60;
  std::vector<float> points(kPoints * kPoints);
  for (std::size_t v = 1; v < kPoints; ++v) points[v * kPoints + v] = 1;
  const VectorSet set = testing::vectors_of(kPoints, points, std::vector<float>(kPoints));
  for (const bool reverse_edges : {false, true}) {
    const Pruned found = pruned(set, {16, 8, reverse_edges});
    EXPECT_EQ(found.unreached, 0) << reverse_edges;
    EXPECT_EQ(reached_from_first(found.graph.layers.front()), kPoints) << reverse_edges;
  }
}

/// Rows with free places, which validate() wants at their ends.
TEST(Prune, LinksFromFreePlacesOfShortRows) {
  Stream stream;
  constexpr int kDegree = 4;
  constexpr Vertex kFree = kNone<Vertex>;
  // 0 → 1; nothing leads to 2 and 3.
  Buffer<Vertex> rows(std::vector<Vertex>{1, kFree, kFree, kFree, 0, kFree, kFree, kFree, 3, kFree, kFree, kFree, 2,
                                          kFree, kFree, kFree},
                      stream);
  const Buffer<Vertex> lists(std::vector<Vertex>{1, 2, 0, 2, 0, 3, 2, 0}, stream);
  EXPECT_EQ(connect(rows, kDegree, lists.view(), 2, stream), 0);
  ProximityGraph graph;
  graph.layers.push_back({4, kDegree, rows.to_vector(stream)});
  validate(graph, 4);
  EXPECT_EQ(reached_from_first(graph.layers.front()), 4U);
}

TEST(Prune, TakesListsThatAreLongerThanTheGraph) {
  const VectorSet set = testing::clustered(5, 1, 8, kSeed);
  const Pruned found = pruned(set, {64, 32, true});
  EXPECT_EQ(found.unreached, 0);
  EXPECT_EQ(reached_from_first(found.graph.layers.front()), 5U);
}

TEST(Prune, GivesTheSameGraphOnEveryRun) {
  const VectorSet set = testing::clustered(300, 1, 8, kSeed);
  const PrunePlan plan{32, 8, true};
  EXPECT_EQ(pruned(set, plan).graph.layers.front().neighbors, pruned(set, plan).graph.layers.front().neighbors);
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
