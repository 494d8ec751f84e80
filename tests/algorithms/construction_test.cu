// Graphs built on the device against serial insertion on a CPU: with searches that see everything they must be the same
// (yu2023 §4.3.3, "Quality of graphs"), and in any case valid, repeatable and good.
#include <gtest/gtest.h>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "algorithms/nearest_neighbors/construction/build_kernels.cuh"
#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"
#include "algorithms/nearest_neighbors/padded_rows.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using testing::VectorSet;

constexpr std::uint64_t kSeed = 435;

ProximityGraph built(const VectorSet& set, const BuildPlan& plan) {
  Stream stream;
  Phases phases;
  const int stride = padded_to(set.dimension(), 8);
  const PinnedBuffer<float> host = padded_rows(set.points.span(), set.dimension(), stride, false);
  const Buffer<float> rows(host.span(), stream);
  const DeviceProximityGraph graph = build_graph({rows.view(), stride, false}, set.count(), plan, stream, phases);
  ProximityGraph result;
  for (std::size_t l = 0; l < graph.layers.size(); ++l) {
    result.layers.push_back({graph.sizes[l], graph.degree, graph.layers[l].to_vector(stream)});
  }
  validate(result, set.count());
  return result;
}

double recall_of(const VectorSet& set, const ProximityGraph& graph) {
  return quality(graph, {&set, Metric::euclidean, 10}).at("graph_recall");
}

/// Of sets of at most 64 points.
BuildPlan seeing_everything() {
  BuildPlan plan;
  plan.search = "ganns";
  plan.d_min = 4;
  plan.d_max = 8;
  plan.groups = 3;
  plan.candidates = 64;
  return plan;
}

BuildPlan seeing_little() {
  BuildPlan plan = seeing_everything();
  plan.candidates = 32;
  return plan;
}

TEST(Construction, EqualsSerialInsertionWhereSearchesSeeEverything) {
  const VectorSet set = testing::whole_numbers(testing::clustered(60, 1, 6, kSeed), 60);
  const ProximityGraph expected = build_nsw({&set, Metric::euclidean, 10}, 4, 8, 64);
  for (const std::string& search : search_method_names()) {
    BuildPlan plan = seeing_everything();
    plan.search = search;
    EXPECT_EQ(built(set, plan).layers.front().neighbors, expected.layers.front().neighbors) << search;
  }
  BuildPlan serial = seeing_everything();
  serial.builder = Builder::serial;
  EXPECT_EQ(built(set, serial).layers.front().neighbors, expected.layers.front().neighbors);
}

TEST(Construction, DoesNotDependOnTheNumberOfBlocks) {
  const VectorSet set = testing::clustered(200, 1, 8, kSeed);
  for (const auto& [kind, builder] :
       {std::pair(GraphKind::nsw, Builder::ggraphcon), std::pair(GraphKind::nsw, Builder::naive_parallel),
        std::pair(GraphKind::hnsw, Builder::ggraphcon)}) {
    BuildPlan plan = seeing_little();
    plan.kind = kind;
    plan.builder = builder;
    const ProximityGraph expected = built(set, plan);
    for (const std::int64_t blocks : {2, 1000}) {
      plan.blocks = blocks;
      EXPECT_EQ(built(set, plan).layers.front().neighbors, expected.layers.front().neighbors) << blocks << " blocks";
    }
  }
}

TEST(Construction, IsBetterThanBatchesThatDoNotSeeThemselves) {
  const VectorSet set = testing::clustered(240, 1, 8, kSeed);
  BuildPlan plan = seeing_little();
  const double good = recall_of(set, built(set, plan));
  plan.builder = Builder::naive_parallel;
  EXPECT_LT(recall_of(set, built(set, plan)), good);
}

TEST(Construction, MergesSeveralGroupsARoundOnceTheGraphIsLarge) {
  const VectorSet set = testing::clustered(320, 1, 8, kSeed);
  BuildPlan plan = seeing_little();
  plan.groups = 64;
  const ProximityGraph one_a_round = built(set, plan);
  plan.growing_rounds = true;
  const ProximityGraph growing = built(set, plan);
  EXPECT_NE(growing.layers.front().neighbors, one_a_round.layers.front().neighbors) << "rounds of 5 points throughout";
  EXPECT_GT(recall_of(set, growing), recall_of(set, one_a_round) - 0.05);
}

TEST(Construction, BuildsTheLayersOfHnswFromTheTop) {
  const VectorSet set = testing::clustered(200, 1, 8, kSeed);
  BuildPlan plan = seeing_little();
  plan.kind = GraphKind::hnsw;
  const ProximityGraph graph = built(set, plan);
  ASSERT_EQ(graph.layers.size(), 4U);  // 200, 50, 12, 3
  EXPECT_EQ(graph.layers[1].vertices, 50);
  EXPECT_EQ(graph.layers[3].vertices, 3);
}

/// The list is sorted as a whole, also where points found fewer neighbours than there are places.
TEST(Construction, WritesEveryPlaceOfAnEdgeList) {
  constexpr std::uint32_t kUnwritten = 77;
  constexpr int kDegree = 8;
  constexpr int kPlaces = 4;
  const VectorSet set = testing::clustered(2, 1, 8, kSeed);
  Stream stream;
  const PinnedBuffer<float> host = padded_rows(set.points.span(), set.dimension(), kDegree, false);
  const Buffer<float> rows(host.span(), stream);
  for (const std::string& name : search_method_names()) {
    const SearchMethod& search = search_method(name);
    SearchShape shape = search.shape(32, kDegree, 8);
    shape.entries = search.build_entries;
    Buffer<Vertex> ids(2 * kDegree, stream);
    Buffer<Key> keys(2 * kDegree, stream);
    Buffer<Key> local(2 * kPlaces, stream);
    Buffer<Edge> edges(kPlaces, stream);
    Buffer<std::uint32_t> ends(kPlaces, stream);
    Buffer<WorkTotals> totals(1, stream);
    ids.fill_bytes(0xff, stream);
    local.fill_bytes(0xff, stream);
    totals.fill_bytes(0, stream);
    ends.fill(kUnwritten, stream);
    GraphView first;  // of vertex 0 alone
    first.layers[0] = std::as_const(ids).view();
    first.degree = kDegree;
    first.vertices = 1;
    search.build_batch({{rows.view(), 8, false},
                        first,
                        {1, 2},
                        {ids.view(), keys.view(), kDegree},
                        {local.view(), kPlaces},
                        {edges.view(), ends.view()},
                        shape,
                        totals.view()},
                       {1, 4}, stream);
    EXPECT_EQ(ends.to_vector(stream), std::vector<std::uint32_t>(kPlaces, 1)) << name;
    EXPECT_EQ(edges.to_vector(stream)[1], kNone<Edge>) << name;
  }
}

TEST(Construction, DescendsToNearestNeighbours) {
  const VectorSet set = testing::clustered(150, 1, 8, kSeed);
  BuildPlan plan;
  plan.kind = GraphKind::knn;
  plan.d_max = 8;
  const ProximityGraph graph = built(set, plan);
  EXPECT_GT(recall_of(set, graph), 0.9);
  EXPECT_EQ(built(set, plan).layers.front().neighbors, graph.layers.front().neighbors)
      << "another graph on another run";
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
