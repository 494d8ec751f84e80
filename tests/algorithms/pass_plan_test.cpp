// The multi-pass planner against che2019 Table 6 and at its limits.
#include "algorithms/common_neighbors/counter/pass_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/error.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;
constexpr std::int64_t kTitanXp = 12 * kGigabyte;  // the card of Table 6

datasets::Csr path_graph(std::int64_t vertices) {
  std::vector<datasets::Edge> edges;
  for (std::int64_t v = 0; v + 1 < vertices; ++v) {
    edges.push_back({static_cast<datasets::Vertex>(v), static_cast<datasets::Vertex>(v + 1)});
  }
  return datasets::build_csr(edges, vertices);
}

TEST(PassPlan, GivesTheEstimatesOfTable6) {
  const std::int64_t twitter_csr = 53 * kGigabyte / 10;
  const std::int64_t friendster_csr = 139 * kGigabyte / 10;
  EXPECT_EQ(estimated_passes(twitter_csr, 0, kTitanXp), 1);                    // TW, MPS
  EXPECT_EQ(estimated_passes(twitter_csr, 23 * kGigabyte / 10, kTitanXp), 1);  // TW, BMP
  EXPECT_EQ(estimated_passes(friendster_csr, 0, kTitanXp), 2);                 // FR, MPS
  EXPECT_EQ(estimated_passes(friendster_csr, 7 * kGigabyte, kTitanXp), 4);     // FR, BMP
}

TEST(PassPlan, SaysWhenBitmapsLeaveNothing) {
  EXPECT_THROW((void)estimated_passes(kGigabyte, kTitanXp, kTitanXp), OutOfDeviceMemory);
}

TEST(PassPlan, StaysResidentInOnePassWhereEverythingFits) {
  const datasets::Csr graph = path_graph(1000);
  const PassPlan plan = plan_passes(graph, 0, 0, kGigabyte);
  EXPECT_TRUE(plan.resident);
  EXPECT_EQ(plan.boundaries, (std::vector<std::uint64_t>{0, 1000}));
}

TEST(PassPlan, CutsTheVerticesIntoRangesOfEqualSlots) {
  const datasets::Csr graph = path_graph(1001);
  const PassPlan plan = plan_passes(graph, 4, 0, kGigabyte);
  EXPECT_TRUE(plan.resident);
  ASSERT_EQ(plan.passes(), 4);
  EXPECT_EQ(plan.boundaries.front(), 0U);
  EXPECT_EQ(plan.boundaries.back(), 1001U);
  for (std::size_t p = 0; p < 4; ++p) {
    const auto slots = graph.offsets[plan.boundaries[p + 1]] - graph.offsets[plan.boundaries[p]];
    EXPECT_NEAR(static_cast<double>(slots), 500.0, 2.0) << "pass " << p;
  }
}

TEST(PassPlan, LeavesMemoryWhenItDoesNotFitAndTakesMorePasses) {
  const datasets::Csr graph = path_graph(100'000);  // offsets 0.8 MB, rows 0.8 MB, counts 0.8 MB
  const PassPlan plan = plan_passes(graph, 0, 0, 1'200'000);
  EXPECT_FALSE(plan.resident);
  EXPECT_EQ(plan.passes(), 3);  // 0.8 / (1.2 - 0.8 - 0.06) = 2.4
}

TEST(PassPlan, TakesMorePassesThanVertices) {
  const PassPlan plan = plan_passes(path_graph(3), 10, 0, kGigabyte);
  EXPECT_EQ(plan.passes(), 10);
  EXPECT_TRUE(std::ranges::is_sorted(plan.boundaries));
}

TEST(EdgeRanges, AreOneWhereEverythingFits) {
  const PassPlan plan = plan_edge_ranges(path_graph(1001), 0, 0, {}, kGigabyte);
  EXPECT_TRUE(plan.resident);
  EXPECT_EQ(plan.boundaries, (std::vector<std::uint64_t>{0, 1000}));
}

TEST(EdgeRanges, AreAsManyAsAsked) {
  const PassPlan plan = plan_edge_ranges(path_graph(1001), 3, 0, {}, kGigabyte);
  EXPECT_FALSE(plan.resident);
  EXPECT_EQ(plan.boundaries, (std::vector<std::uint64_t>{0, 333, 666, 1000}));
}

TEST(EdgeRanges, HaveCountsThatFit) {
  const datasets::Csr graph = path_graph(100'001);  // offsets 0.8 MB, counts of its edges 0.4 MB
  const auto plan = [&](std::int64_t passes, std::int64_t free_bytes) {
    return plan_edge_ranges(graph, passes, kGigabyte, {60'000, 90'000, 40'000}, free_bytes);
  };
  EXPECT_FALSE(plan(0, 1'100'000).resident);
  EXPECT_EQ(plan(0, 1'100'000).passes(), 3);  // 0.4 / (1.1 - 0.055 - 0.8 - 0.06 - 0.04) = 2.8
  EXPECT_EQ(plan(0, 1'400'000).passes(), 1);
  EXPECT_EQ(plan(2, 1'100'000).passes(), 3) << "two do not suffice";
  EXPECT_EQ(plan(5, 1'100'000).passes(), 5);
  EXPECT_GT(plan(0, 1'005'000).passes(), 3);  // room for the first step: 0.95 * 1.005 - 0.8 - 0.06 > 0.09
  EXPECT_THROW((void)plan(0, 990'000), OutOfDeviceMemory) << "too little for the first step";
}

TEST(EdgeRanges, MayBeMoreThanEdgesOrOfNone) {
  EXPECT_EQ(plan_edge_ranges(path_graph(3), 10, 0, {}, kGigabyte).passes(), 10);
  const PassPlan none = plan_edge_ranges(datasets::build_csr({}, 5), 2, 0, {}, kGigabyte);
  EXPECT_EQ(none.boundaries, (std::vector<std::uint64_t>{0, 0, 0}));
}

}  // namespace
}  // namespace warpbench::common_neighbors
