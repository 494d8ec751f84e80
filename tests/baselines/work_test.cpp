// The CPU solvers of common_neighbors do the work that che2019 says they do, by their own counters. An answer is right
// whichever way it is found, so only these tests see that a technique is in use.
#include <gtest/gtest.h>

#include <algorithm>

#include "baselines/common_neighbors/intersect_simd.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"

namespace warpbench {
namespace {

using datasets::Csr;
using Counters = std::map<std::string, double>;

/// Counters of one solve, with `count_operations` on; a kind that did not occur is 0.
Counters counters_of(const Csr& graph, const std::string& id, std::map<std::string, Value> given) {
  given["count_operations"] = true;
  for (const auto& entry : solvers_of<CommonNeighbors>()) {
    if (entry.info.id != id) continue;
    const auto solver = entry.make(Parameters(entry.info.parameters, given));
    Phases phases;
    solver->prepare({&graph}, phases);
    solver->solve(phases);
    return solver->counters();
  }
  ADD_FAILURE() << "no solver '" << id << "'";
  return {};
}

/// Sum over edges of f(d(u), d(v)).
template <typename F>
double over_edges(const Csr& graph, F f) {
  double sum = 0;
  for (std::uint32_t u = 0; u < graph.vertices(); ++u) {
    for (const std::uint32_t v : graph.row(u)) {
      if (u < v) sum += static_cast<double>(f(graph.degree(u), graph.degree(v)));
    }
  }
  return sum;
}

const auto kSmaller = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
const auto kBoth = [](std::int64_t a, std::int64_t b) { return a + b; };

/// Ids ascend by degree: u < v makes BMP loop over the larger list, the worst case of taking u < v for d(v) < d(u).
Csr hub_last() {
  return testing::star(2000, 1999);
}

TEST(MergeWork, IsAtMostTheSumOfDegreesOfEveryEdgeOnce) {
  const Csr graph = testing::skewed(400, 30, 1);
  const Counters counters = counters_of(graph, "merge", {});
  EXPECT_EQ(counters.at("intersections"), static_cast<double>(graph.edges()));
  EXPECT_LE(counters.at("merge_steps"), over_edges(graph, kBoth));
  EXPECT_GE(counters.at("merge_steps"), over_edges(graph, kSmaller) / 2);
}

TEST(MergeWork, IsTwiceWithoutSymmetricAssignment) {
  const Csr graph = testing::skewed(400, 30, 1);
  for (const char* id : {"merge", "mps"}) {
    const double once = counters_of(graph, id, {}).at("intersections");
    EXPECT_EQ(counters_of(graph, id, {{"symmetric", false}}).at("intersections"), 2 * once) << id;
  }
}

TEST(MergeWork, RunsOnTheThreadsAskedFor) {
  const Csr graph = testing::skewed(400, 30, 1);
  EXPECT_EQ(counters_of(graph, "merge", {}).at("threads"), 1);
  EXPECT_EQ(counters_of(graph, "mps", {{"threads", 3}, {"task_size", 10}}).at("threads"), 3);
  EXPECT_EQ(counters_of(graph, "mps", {{"threads", 3}, {"task_size", 100'000}}).at("threads"), 1)
      << "one task occupies one thread";
}

TEST(MergeWork, IsTheSameForAnyNumberOfThreads) {
  const Csr graph = testing::random_graph(200, 0.3, 4);
  for (const char* id : {"merge", "mps", "bmp"}) {
    Counters one = counters_of(graph, id, {{"threads", 1}});
    Counters four = counters_of(graph, id, {{"threads", 4}, {"task_size", 50}});
    EXPECT_EQ(four.at("threads"), 4) << id;
    for (const char* bound_to_threads : {"threads", "bitmap_bytes", "indexed"}) {
      one.erase(bound_to_threads);
      four.erase(bound_to_threads);
    }
    EXPECT_EQ(one, four) << id;
  }
}

TEST(MpsWork, SkipsOnlyWhereDegreesAreSkewed) {
  const Csr star = testing::star(500, 0);
  const Counters skewed = counters_of(star, "mps", {});
  EXPECT_GT(skewed.at("probes"), 0);
  EXPECT_FALSE(skewed.contains("merge_steps"));
  EXPECT_FALSE(skewed.contains("block_pairs"));

  const Counters never = counters_of(star, "mps", {{"skew_threshold", 0}, {"simd", "none"}});
  EXPECT_FALSE(never.contains("probes"));
  EXPECT_GT(never.at("merge_steps"), 0);

  EXPECT_FALSE(counters_of(testing::complete(60), "mps", {}).contains("probes")) << "all degrees equal";
}

TEST(MpsWork, TheThresholdIsARatioOfDegrees) {
  const Csr graph = testing::star(51, 0);  // degrees 50 and 1
  EXPECT_FALSE(counters_of(graph, "mps", {{"skew_threshold", 50}}).contains("probes"));
  EXPECT_TRUE(counters_of(graph, "mps", {{"skew_threshold", 49}}).contains("probes"));
}

TEST(MpsWork, SkipsInLogarithmicSteps) {
  const Csr graph = testing::two_hubs(20'000);
  const double merged = counters_of(graph, "merge", {}).at("merge_steps");
  const Counters counters = counters_of(graph, "mps", {{"simd", "none"}});
  EXPECT_LT(counters.at("probes"), merged / 100);
}

TEST(MpsWork, ComparesBlocks) {
  const Csr graph = testing::complete(64);
  const Simd best = simd_from("auto");
  const Counters scalar = counters_of(graph, "mps", {{"simd", "none"}});
  EXPECT_EQ(scalar.at("simd_width"), 1);
  EXPECT_FALSE(scalar.contains("block_pairs"));
  if (best == kNoSimd) GTEST_SKIP() << "no vectors here";
  const Counters vectorized = counters_of(graph, "mps", {});
  const auto width = static_cast<double>(simd_width(best));
  EXPECT_EQ(vectorized.at("simd_width"), width);
  EXPECT_FALSE(vectorized.contains("merge_steps"));
  EXPECT_LE(vectorized.at("block_pairs"), scalar.at("merge_steps") / width * 4);
}

TEST(MpsWork, TakesTheInstructionSetThatIsAskedFor) {
  const Csr graph = testing::complete(64);
  for (const auto& [name, width] : {std::pair{"avx2", 8}, std::pair{"avx512", 16}}) {
    try {
      (void)simd_from(name);
    } catch (const Unsupported&) {
      continue;
    }
    EXPECT_EQ(counters_of(graph, "mps", {{"simd", name}}).at("simd_width"), width);
  }
}

TEST(BmpWork, LooksTheSmallerDegreeUpForEveryEdge) {  // che2019 backup: "an exact O(min(d(u), d(v))) cost"
  for (const Csr& graph : {testing::skewed(400, 30, 1), hub_last(), testing::random_graph(80, 0.3, 9)}) {
    for (const bool filter : {false, true}) {
      const Counters counters = counters_of(graph, "bmp", {{"range_filter", filter}});
      EXPECT_EQ(counters.at("lookups"), over_edges(graph, kSmaller));
      EXPECT_EQ(counters.at("smaller_degrees"), over_edges(graph, kSmaller));
      EXPECT_EQ(counters.at("intersections"), static_cast<double>(graph.edges()));
    }
  }
}

TEST(BmpWork, WithoutSkewHandlingLoopsOverTheLaterVertex) {
  const Csr graph = hub_last();
  EXPECT_EQ(counters_of(graph, "bmp", {{"skew_handling", false}}).at("lookups"), 1999.0 * 1999.0);
}

TEST(BmpWork, TheRangeFilterSparesTheLargeBitmap) {
  const Csr graph = testing::skewed(3000, 20, 2);
  const Counters plain = counters_of(graph, "bmp", {{"range_filter", false}});
  const Counters filtered = counters_of(graph, "bmp", {{"range_filter", true}, {"range_size", 16}});
  EXPECT_EQ(plain.at("bitmap_reads"), plain.at("lookups"));
  EXPECT_EQ(plain.at("range_size"), 0);
  EXPECT_LT(filtered.at("bitmap_reads"), filtered.at("lookups"));
  EXPECT_EQ(filtered.at("range_size"), 16);
}

TEST(BmpWork, AHubSplitIntoTasksIsIndexedOnceAThread) {
  const Csr graph = testing::star(2000, 0);
  EXPECT_EQ(counters_of(graph, "bmp", {{"threads", 1}, {"task_size", 1}}).at("indexed"), 1999);
  const Counters two = counters_of(graph, "bmp", {{"threads", 2}, {"task_size", 1}});
  EXPECT_LE(two.at("indexed"), 2 * 1999);
}

TEST(BmpWork, VerticesThatIndexNothingBuildNothing) {
  const Csr graph = testing::star(2000, 1999);  // 1999 leaves, none of which has a smaller neighbour
  EXPECT_EQ(counters_of(graph, "bmp", {{"threads", 1}}).at("indexed"), 1999);
}

TEST(BmpWork, EverySolvePaysForItsOwnIndex) {
  const Csr graph = testing::star(10, 0);  // the first vertex to index is also the last
  for (const auto& entry : solvers_of<CommonNeighbors>()) {
    if (entry.info.id != "bmp") continue;
    const auto solver = entry.make(Parameters(entry.info.parameters, {{"count_operations", true}}));
    Phases phases;
    solver->prepare({&graph}, phases);
    solver->solve(phases);
    const Counters first = solver->counters();
    solver->solve(phases);
    EXPECT_EQ(solver->counters(), first);
  }
}

TEST(Work, ConfigureTakesEffectOnAPreparedSolver) {
  const Csr graph = testing::skewed(400, 30, 1);
  const std::map<std::string, std::map<std::string, Value>> others = {
      {"merge", {{"symmetric", false}}},
      {"mps", {{"simd", "none"}, {"skew_threshold", 2}}},
      {"bmp", {{"range_filter", true}, {"skew_handling", false}}}};
  for (const auto& entry : solvers_of<CommonNeighbors>()) {
    if (!others.contains(entry.info.id)) continue;
    const auto solver = entry.make(Parameters(entry.info.parameters, {}));
    Phases phases;
    solver->prepare({&graph}, phases);
    solver->solve(phases);
    std::map<std::string, Value> given = others.at(entry.info.id);
    const Counters made_so = counters_of(graph, entry.info.id, given);
    given["count_operations"] = true;
    solver->configure(Parameters(entry.info.parameters, given));
    solver->solve(phases);
    EXPECT_EQ(solver->counters(), made_so) << entry.info.id;
  }
}

TEST(Work, IsNotCountedUnlessAsked) {
  const Csr graph = testing::complete(10);
  for (const auto& entry : solvers_of<CommonNeighbors>()) {
    if (entry.info.id != "merge" && entry.info.id != "mps" && entry.info.id != "bmp") continue;
    const auto solver = entry.make(Parameters(entry.info.parameters, {}));
    Phases phases;
    solver->prepare({&graph}, phases);
    solver->solve(phases);
    EXPECT_FALSE(solver->counters().contains("intersections")) << entry.info.id;
  }
}

}  // namespace
}  // namespace warpbench
