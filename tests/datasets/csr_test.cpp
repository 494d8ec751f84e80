// Csr: compared with a set of pairs when built from edge lists; its invariants; its facts.
#include "datasets/graphs/csr.hpp"

#include <random>
#include <set>
#include <utility>

#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

TEST(BuildCsr, DropsLoopsAndMergesRepeatsInBothDirections) {
  const std::vector<Edge> edges{{2, 0}, {0, 2}, {1, 1}, {0, 1}, {2, 0}};
  EdgeCounts counts;
  const Csr graph = build_csr(edges, 4, 1, &counts);
  EXPECT_EQ(graph.vertices(), 4);
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(row_of(graph, 0), (Ids{1, 2}));
  EXPECT_EQ(row_of(graph, 1), Ids{0});
  EXPECT_EQ(row_of(graph, 2), Ids{0});
  EXPECT_TRUE(row_of(graph, 3).empty());
  EXPECT_EQ(counts.self_loops_dropped, 1);
  EXPECT_EQ(counts.duplicates_merged, 2);
  graph.validate();
}

TEST(BuildCsr, EqualsASetOfPairsOnRandomLists) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto vertices = static_cast<std::int64_t>(1 + random() % 40);
    std::vector<Edge> edges(random() % 200);
    std::set<std::pair<Vertex, Vertex>> pairs;
    for (Edge& edge : edges) {
      edge = {static_cast<Vertex>(random() % static_cast<std::uint64_t>(vertices)),
              static_cast<Vertex>(random() % static_cast<std::uint64_t>(vertices))};
      if (edge.source == edge.target) continue;
      pairs.emplace(edge.source, edge.target);
      pairs.emplace(edge.target, edge.source);
    }
    const Csr graph = build_csr(edges, vertices, 1 + static_cast<int>(seed % 3));
    graph.validate();
    ASSERT_EQ(static_cast<std::size_t>(graph.slots()), pairs.size());
    for (const auto& [u, v] : pairs) ASSERT_TRUE(graph.has_edge(u, v));
  }
}

TEST(BuildCsr, RefusesEndpointsAndSizesOutOfRange) {
  const std::vector<Edge> edges{{0, 3}};
  const auto error = error_of([&] { return build_csr(edges, 3); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), "vertex ids below 3");
  EXPECT_THROW(static_cast<void>(build_csr({}, -1)), InputError);
  EXPECT_THROW(static_cast<void>(build_csr({}, std::int64_t{1} << 33)), InputError);
  EXPECT_EQ(build_csr({}, 0).vertices(), 0);
}

TEST(Csr, FactsOfAStarAndAnEdge) {
  std::vector<Edge> edges;  // vertex 0 has 60 neighbours, 61 - 62 are a pair, 63 is alone
  for (Vertex v = 1; v <= 60; ++v) edges.push_back({0, v});
  edges.push_back({61, 62});
  const Csr graph = build_csr(edges, 64);
  EXPECT_EQ(graph.max_degree(), 60);
  EXPECT_DOUBLE_EQ(graph.skewed_share(50.0), 60.0 / 61.0);
  EXPECT_DOUBLE_EQ(graph.skewed_share(60.0), 0.0) << "the ratio must exceed the threshold";
  const DegreeStatistics degrees = graph.degree_statistics();
  EXPECT_EQ(degrees.minimum, 0);
  EXPECT_EQ(degrees.median, 1);
  EXPECT_EQ(degrees.maximum, 60);
  EXPECT_EQ(degrees.isolated, 1);
  EXPECT_DOUBLE_EQ(degrees.average, 122.0 / 64.0);
}

TEST(Csr, ValidateFindsEveryBreach) {
  using Offsets = std::vector<std::uint64_t>;
  const auto expected_of = [](Offsets offsets, Ids neighbors) {
    const Csr graph{std::move(offsets), std::move(neighbors)};
    const auto error = error_of([&] {
      graph.validate();
      return 0;
    });
    return error ? error->expected() : "";
  };
  EXPECT_EQ(expected_of({}, {}), "offsets that start with 0");
  EXPECT_EQ(expected_of({1, 1}, {0}), "offsets that start with 0");
  EXPECT_EQ(expected_of({0, 1}, {0, 1}), "a last offset equal to the slots, 2");
  EXPECT_EQ(expected_of({0, 2, 1, 2}, {1, 2}), "rising offsets");
  EXPECT_EQ(expected_of({0, 9, 2}, {1, 0}), "rising offsets");
  EXPECT_EQ(expected_of({0, 1, 2}, {1, 2}), "neighbors below 2");
  EXPECT_EQ(expected_of({0, 1, 2}, {0, 0}), "no self-loops");
  EXPECT_EQ(expected_of({0, 2, 3, 4}, {2, 1, 0, 0}), "rows sorted without duplicates");
  EXPECT_EQ(expected_of({0, 2, 4}, {1, 1, 0, 0}), "rows sorted without duplicates");
  EXPECT_EQ(expected_of({0, 1, 1}, {1}), "a symmetric graph");
}

}  // namespace
}  // namespace warpbench::datasets::testing
