// Transforms: the same graph under other names, or the requested part of it.
#include "datasets/transforms/transforms.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "datasets/transforms/labels.hpp"
#include "datasets/transforms/relabel.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

Csr random_graph(std::uint64_t seed, std::int64_t vertices, std::size_t edges) {
  std::mt19937_64 random(seed);
  std::vector<Edge> list(edges);
  for (Edge& edge : list) {
    edge = {static_cast<Vertex>(random() % static_cast<std::uint64_t>(vertices)),
            static_cast<Vertex>(random() % static_cast<std::uint64_t>(vertices))};
  }
  return build_csr(list, vertices);
}

Content content_of(Csr graph) {
  Content content;
  content.data = std::move(graph);
  return content;
}

/// Every edge of `now` is an edge of `before` under the mapping, and none between chosen vertices is missing.
void expect_renamed(const Csr& before, const Csr& now, const Array<std::uint32_t>& old_of_new) {
  now.validate();
  ASSERT_EQ(static_cast<std::size_t>(now.vertices()), old_of_new.size());
  for (std::int64_t i = 0; i < now.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    for (const Vertex u : now.row(v)) ASSERT_TRUE(before.has_edge(old_of_new[v], old_of_new[u]));
  }
}

TEST(DegreeDescending, SortsByDegreeThenId) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Csr before = random_graph(seed, 50, 120);
    const Content after = transform(content_of(before), "degree_descending");
    const Csr& now = std::get<Csr>(after.data);
    EXPECT_EQ(now.edges(), before.edges());
    expect_renamed(before, now, after.original_ids);
    for (Vertex v = 1; v < 50; ++v) {
      ASSERT_GE(now.degree(v - 1), now.degree(v));
      if (now.degree(v - 1) == now.degree(v)) {
        ASSERT_LT(after.original_ids[v - 1], after.original_ids[v]);
      }
    }
  }
}

TEST(RandomRelabel, IsAPermutationChosenByTheSeed) {
  const Csr before = random_graph(3, 60, 200);
  const Content after = transform(content_of(before), "random_relabel", {{"seed", 4}});
  EXPECT_EQ(std::get<Csr>(after.data).edges(), before.edges());
  expect_renamed(before, std::get<Csr>(after.data), after.original_ids);
  Ids sorted(after.original_ids.begin(), after.original_ids.end());
  EXPECT_FALSE(std::is_sorted(sorted.begin(), sorted.end()));
  std::sort(sorted.begin(), sorted.end());
  for (Vertex v = 0; v < 60; ++v) EXPECT_EQ(sorted[v], v);
  const Content other = transform(content_of(before), "random_relabel", {{"seed", 5}});
  EXPECT_NE(digest_of(other.data), digest_of(after.data));
}

TEST(LargestComponent, PrefersTheFirstOfEqualComponents) {
  // components: {0, 5}, {1, 2, 7}, {3, 4, 6}, {8}
  const Csr before = build_csr(std::vector<Edge>{{0, 5}, {1, 2}, {2, 7}, {3, 4}, {4, 6}, {3, 6}}, 9);
  const Content after = transform(content_of(before), "largest_component");
  EXPECT_EQ(after.original_ids, Array<std::uint32_t>(Ids{1, 2, 7}));
  expect_renamed(before, std::get<Csr>(after.data), after.original_ids);
  EXPECT_EQ(std::get<Csr>(after.data).edges(), 2);
}

TEST(DropIsolated, ComposesMappings) {
  const Csr before = build_csr(std::vector<Edge>{{2, 5}, {5, 8}}, 10);
  Content after = transform(content_of(before), "drop_isolated");
  EXPECT_EQ(after.original_ids, Array<std::uint32_t>(Ids{2, 5, 8}));
  after = transform(std::move(after), "degree_descending");
  EXPECT_EQ(after.original_ids, Array<std::uint32_t>(Ids{5, 2, 8}));
  expect_renamed(before, std::get<Csr>(after.data), after.original_ids);
}

TEST(Labels, FollowThePowerLaw) {
  const Csr graph = random_graph(1, 100'000, 10);
  const LabelledGraph labelled = with_power_law_labels(graph, 10, 1.0, 9);
  std::vector<double> counts(10);
  for (const std::uint32_t label : labelled.vertex_labels) counts.at(label) += 1;
  double harmonic = 0;
  for (int k = 1; k <= 10; ++k) harmonic += 1.0 / k;
  for (std::size_t k = 0; k < 10; ++k) {
    const double expected = 100'000.0 / harmonic / static_cast<double>(k + 1);
    EXPECT_NEAR(counts[k], expected, 5 * std::sqrt(expected)) << "label " << k;
  }
}

TEST(Labels, MakeALabelledGraphAndFollowRelabelling) {
  Content content = transform(content_of(random_graph(2, 30, 60)), "labels", {{"labels", 4}});
  const LabelledGraph before = std::get<LabelledGraph>(content.data);
  content = transform(std::move(content), "degree_descending");
  const auto& now = std::get<LabelledGraph>(content.data);
  for (Vertex v = 0; v < 30; ++v) EXPECT_EQ(labels_of(now, v), labels_of(before, content.original_ids[v]));
}

TEST(Relabel, CarriesEdgeLabels) {
  const Content content = parse_string("t 3 2\nv 0 5 1\nv 1 6 2\nv 2 7 1\ne 0 1 10\ne 1 2 20\n", "graph");
  const auto [graph, order] = relabel(std::get<LabelledGraph>(content.data), Ids{2, 1, 0});
  graph.validate();
  EXPECT_EQ(labels_of_row(graph, 0), (std::vector<Ids>{{20}}));
  EXPECT_EQ(labels_of_row(graph, 2), (std::vector<Ids>{{10}}));
}

TEST(Transforms, UnknownNamesAndParametersAreRefused) {
  const auto name = error_of([] { return transform({}, "degree_ascending"); });
  ASSERT_TRUE(name);
  EXPECT_EQ(name->fix(), "did you mean \"degree_descending\"?");
  EXPECT_THROW(static_cast<void>(transform(content_of({}), "labels")), InputError);
  EXPECT_THROW(static_cast<void>(transform({}, "drop_isolated")), InputError) << "no graph";
}

}  // namespace
}  // namespace warpbench::datasets::testing
