// bmp-gpu's own method, oriented counting, on graphs that reach its paths: short out-lists (a warp's work), longer ones
// (a block's), rows cut into several tasks, tiles of slots that rows cross and that begin within one, and rows that
// stay in host memory while edges are counted in ranges. The conformance test cannot reach it by changing one parameter
// at a time. Graphs with lists above 1,024 take too long here: oriented_parts_test.cu has their tasks.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>

#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

struct Point {
  const char* name;
  bool range_filter;
  int warps_per_block;
  int passes = 0;

  friend std::ostream& operator<<(std::ostream& out, const Point& point) { return out << point.name; }
};

class Oriented : public ::testing::TestWithParam<Point> {
 protected:
  /// Solves twice on one upload, since the second run must not see what the first left behind.
  static void expect_right(const datasets::Csr& graph, const std::string& what) {
    for (const SolverEntry<CommonNeighbors>& entry : solvers_of<CommonNeighbors>()) {
      if (entry.info.id != "bmp-gpu") continue;
      const Parameters parameters(entry.info.parameters, {{"method", "oriented"},
                                                          {"mirror", "gpu"},
                                                          {"range_filter", GetParam().range_filter},
                                                          {"passes", GetParam().passes},
                                                          {"warps_per_block", GetParam().warps_per_block}});
      const CommonNeighbors::Input input{&graph};
      const CommonNeighbors::Reference expected = CommonNeighbors::reference(input);
      const std::unique_ptr<Solver<CommonNeighbors>> solver = entry.make(parameters);
      Phases phases;
      CommonNeighbors::Answer answer;
      solver->prepare(input, phases);
      solver->upload(phases);
      for (int run = 0; run < 2; ++run) {
        solver->solve(phases);
        solver->download(answer, phases);
        const Judgement judgement = CommonNeighbors::judge(input, answer, expected);
        EXPECT_EQ(judgement.verdict, Verdict::exact) << what << ", run " << run << ": " << judgement.difference;
      }
      return;
    }
    FAIL() << "bmp-gpu is not registered";
  }
};

TEST_P(Oriented, CountsShortLists) {
  expect_right(testing::complete(20), "complete graph of 20");
  expect_right(testing::complete(66), "complete graph of 66: lists of up to 65");
  expect_right(testing::star(500, 3), "star");
}

TEST_P(Oriented, CountsRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= testing::usual_or_thorough(1, 3); ++seed) {
    expect_right(testing::random_graph(300, 0.2, seed), "random graph, seed " + std::to_string(seed));
  }
}

TEST_P(Oriented, CountsListsThatTakeABlock) {
  expect_right(testing::complete(150), "complete graph of 150: lists of up to 149");
}

/// Edges between short and long lists, in both orders of ids, and vertices without edges before, among and after them.
TEST_P(Oriented, CountsAmongEmptyRows) {
  testing::EdgeList edges;
  for (const auto& [u, v] : testing::complete_edges(90)) edges.emplace_back(5 + 7 * u, 5 + 7 * v);
  for (std::uint32_t u = 0; u < 90; ++u) {
    for (std::uint32_t i = 0; i < 3; ++i) edges.emplace_back(6 + 7 * u, 5 + 7 * ((u + 31 * i) % 90));
  }
  expect_right(testing::graph_of(2000, edges), "complete graph of 90 with 90 triangles on it, among empty rows");
}

/// Bitmaps of hubs: a clique, ids mixed, and around it vertices with short and long lists of hubs, neighbours of each
/// other too.
TEST_P(Oriented, CountsAtHubs) {
  expect_right(testing::complete(280), "complete graph of 280, all of them hubs");
  constexpr std::uint32_t kHubs = 270;
  constexpr std::uint32_t kVertices = kHubs + 60;
  const auto mixed = [](std::uint32_t v) { return v * 7 % kVertices; };
  testing::EdgeList edges;
  for (const auto& [u, v] : testing::complete_edges(kHubs)) {
    if ((u + v) % 40 != 0) edges.emplace_back(mixed(u), mixed(v));
  }
  for (std::uint32_t v = kHubs; v < kVertices; ++v) {
    const std::uint32_t hubs = v % 2 == 0 ? 9 : 90;
    for (std::uint32_t i = 0; i < hubs; ++i) edges.emplace_back(mixed(v), mixed((13 * v + i) % kHubs));
    for (std::uint32_t w = v + 1; w < v + 10 && w < kVertices; ++w) edges.emplace_back(mixed(v), mixed(w));
  }
  expect_right(testing::graph_of(kVertices, edges), "270 hubs among 60 others");
}

/// A clique whose vertices have 450 leaves each, ids mixed: two pieces a row, vertices of eight tiles of tasks.
TEST_P(Oriented, CountsRowsOfSeveralPieces) {
  if (!GetParam().range_filter || GetParam().warps_per_block != 4) GTEST_SKIP() << "long for a test";
  constexpr std::uint32_t kClique = 140;
  constexpr std::uint32_t kVertices = kClique * (1 + 450);
  const auto mixed = [](std::uint32_t v) { return static_cast<std::uint32_t>(std::uint64_t{v} * 7919 % kVertices); };
  testing::EdgeList edges;
  for (const auto& [u, v] : testing::complete_edges(kClique)) edges.emplace_back(mixed(u), mixed(v));
  for (std::uint32_t leaf = kClique; leaf < kVertices; ++leaf) edges.emplace_back(mixed(leaf % kClique), mixed(leaf));
  expect_right(testing::graph_of(kVertices, edges), "clique of 140 with leaves");
}

/// Two neighbours that share so many others: 16 bits hold the first count, not the second.
TEST_P(Oriented, CountsMoreThan16BitsHold) {
  const bool is_resident = std::string(GetParam().name) == "filter_4_warps";
  if (!is_resident && (GetParam().passes != 2 || !testing::is_thorough())) GTEST_SKIP() << "long for a test";
  for (const std::uint32_t common : {65'535U, 65'536U}) {
    testing::EdgeList edges{{0, 1}};
    for (std::uint32_t w = 2; w < common + 2; ++w) {
      edges.emplace_back(0, w);
      edges.emplace_back(1, w);
    }
    expect_right(testing::graph_of(common + 2, edges), std::to_string(common) + " common neighbours");
  }
}

INSTANTIATE_TEST_SUITE_P(BmpGpu, Oriented,
                         ::testing::Values(Point{"filter_4_warps", true, 4}, Point{"no_filter_4_warps", false, 4},
                                           Point{"filter_1_warp", true, 1}, Point{"filter_32_warps", true, 32},
                                           Point{"filter_4_warps_2_passes", true, 4, 2},
                                           Point{"no_filter_4_warps_7_passes", false, 4, 7}),
                         [](const auto& point) { return std::string(point.param.name); });

}  // namespace
}  // namespace warpbench
