// Labels for edges, and query graphs by random walks.
#include "datasets/transforms/random_walk.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "datasets/generators/generators.hpp"
#include "datasets/transforms/labels.hpp"
#include "datasets/transforms/transforms.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

Content power_law_graph(I vertices, I edges, std::uint64_t seed) {
  return generate("power_law", {{"vertices", vertices}, {"edges", edges}, {"max_degree", 50}}, seed, 2);
}

Content labelled(std::uint64_t seed, I vertices = 300, I edges = 1200) {
  Content content = transform(power_law_graph(vertices, edges, seed), "labels", {{"labels", 5}}, 2);
  return transform(std::move(content), "edge_labels", {{"labels", 3}, {"seed", 4}}, 2);
}

const LabelledGraph& graph_of(const Content& content) {
  return std::get<LabelledGraph>(content.data);
}

/// Whether `data` contains `query`: tries to map the query's vertices in the order of the walk, from every start.
bool occurs(const LabelledGraph& query, const LabelledGraph& data, std::vector<Vertex>& match) {
  const auto u = static_cast<Vertex>(match.size());
  if (u == query.vertices()) return true;
  for (Vertex v = 0; v < data.vertices(); ++v) {
    if (std::ranges::find(match, v) != match.end() || labels_of(query, u) != labels_of(data, v)) continue;
    const auto row = query.graph.row(u);
    bool fits = true;
    for (std::size_t i = 0; i < row.size() && row[i] < u && fits; ++i) {
      const auto target = data.graph.row(v);
      const auto found = std::lower_bound(target.begin(), target.end(), match[row[i]]);
      fits = found != target.end() && *found == match[row[i]] &&
             std::ranges::equal(
                 query.slot_labels(query.graph.first_slot(u) + i),
                 data.slot_labels(data.graph.first_slot(v) + static_cast<std::uint64_t>(found - target.begin())));
    }
    if (!fits) continue;
    match.push_back(v);
    if (occurs(query, data, match)) return true;
    match.pop_back();
  }
  return false;
}

TEST(EdgeLabels, FollowThePowerLawOnBothSlots) {
  Content content = generate("uniform", {{"vertices", 20'000}, {"edges", 100'000}}, 3, 2);
  content = transform(std::move(content), "edge_labels", {{"labels", 10}, {"seed", 9}}, 2);
  const LabelledGraph& graph = graph_of(content);
  graph.validate();
  EXPECT_EQ(graph.distinct_vertex_labels(), 1) << "vertices had none";
  std::vector<double> counts(10);
  for (const std::uint32_t label : graph.edge_labels) counts.at(label) += 0.5;
  double harmonic = 0;
  for (int k = 1; k <= 10; ++k) harmonic += 1.0 / k;
  for (std::size_t k = 0; k < 10; ++k) {
    const double expected = static_cast<double>(graph.edges()) / harmonic / static_cast<double>(k + 1);
    EXPECT_NEAR(counts[k], expected, 5 * std::sqrt(expected)) << "label " << k;
  }
}

TEST(EdgeLabels, KeepWhatTheyDoNotChange) {
  const Content bare = power_law_graph(100, 300, 1);
  const Content vertices = transform(bare, "labels", {{"labels", 4}});
  const Content both = transform(vertices, "edge_labels", {{"labels", 6}});
  EXPECT_EQ(graph_of(both).vertex_labels, graph_of(vertices).vertex_labels);
  const Content again = transform(both, "labels", {{"labels", 4}});
  EXPECT_EQ(graph_of(again), graph_of(both)) << "other vertex labels leave the edges theirs";
  EXPECT_EQ(transform(vertices, "edge_labels", {{"labels", 6}}, 3).data, both.data);
  EXPECT_NE(transform(vertices, "edge_labels", {{"labels", 6}, {"seed", 2}}).data, both.data);
  const Content uniform = transform(bare, "edge_labels", {{"labels", 2}, {"exponent", 0.0}});
  const auto ones = std::ranges::count(graph_of(uniform).edge_labels, 1U);
  EXPECT_NEAR(static_cast<double>(ones) / 2, 150, 5 * std::sqrt(75.0));
}

TEST(RandomWalk, QueriesAreInducedSubgraphsThatOccur) {
  const std::uint64_t seed = std::random_device{}() % 1000;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const Content content = labelled(seed);
  const GraphQueries graphs = random_walk_queries(graph_of(content), 10, {6, 0}, seed, 2);
  graphs.validate();
  ASSERT_EQ(graphs.count(), 10);
  EXPECT_EQ(graphs.data, graph_of(content));
  for (I i = 0; i < 10; ++i) {
    SCOPED_TRACE("query " + std::to_string(i));
    const LabelledGraph query = graphs.query(i);
    query.validate();
    EXPECT_EQ(query.vertices(), 6);
    EXPECT_GE(query.edges(), 5);
    EXPECT_TRUE(query.has_edge_labels());
    std::vector<Vertex> match;
    EXPECT_TRUE(occurs(query, graphs.data, match));
  }
}

TEST(RandomWalk, AWholeGraphIsItsOnlyQueryOfItsSize) {
  const Content content = parse_string(
      "t 4 5\nv 0 1,2 2\nv 1 3 3\nv 2 4 3\nv 3 9 2\ne 0 1 1\ne 0 2 2\ne 1 2 3\ne 1 3 4\ne 2 3 5\n", "graph");
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const LabelledGraph query = random_walk_queries(graph_of(content), 1, {4, 0}, seed).query(0);
    query.validate();
    EXPECT_EQ(query.edges(), 5);
    std::vector<Vertex> match;
    EXPECT_TRUE(occurs(query, graph_of(content), match)) << "seed " << seed;
  }
}

TEST(RandomWalk, KeepsTheRequestedEdgesAndStaysConnected) {
  const Content content = labelled(7, 200, 2000);
  for (const I edges : {7, 9, 10}) {
    const GraphQueries graphs = random_walk_queries(graph_of(content), 20, {8, edges}, 3, 2);
    graphs.validate();  // each is connected
    for (I i = 0; i < graphs.count(); ++i) {
      EXPECT_EQ(graphs.query(i).edges(), edges);
      EXPECT_EQ(graphs.query(i).vertices(), 8);
    }
  }
  std::vector<Vertex> match;
  EXPECT_TRUE(occurs(random_walk_queries(graph_of(content), 1, {5, 5}, 3).query(0), graph_of(content), match));
}

TEST(RandomWalk, DependsOnTheSeedAlone) {
  const Content content = labelled(11);
  const auto queries = [&](I count, std::uint64_t seed, int threads) {
    return random_walk_queries(graph_of(content), count, {5, 0}, seed, threads);
  };
  EXPECT_EQ(queries(20, 1, 1), queries(20, 1, 3));
  EXPECT_NE(queries(20, 1, 1), queries(20, 2, 1));
  EXPECT_EQ(first_queries(queries(20, 1, 2), 6), queries(6, 1, 2)) << "more queries do not change the first";
  std::set<std::vector<std::uint32_t>> different;
  for (I i = 0; i < 20; ++i) {
    const LabelledGraph query = queries(20, 1, 2).query(i);
    std::vector<std::uint32_t> all(query.vertex_labels.begin(), query.vertex_labels.end());
    all.insert(all.end(), query.edge_labels.begin(), query.edge_labels.end());
    different.insert(all);
  }
  EXPECT_GE(different.size(), 15u);
}

TEST(RandomWalk, GoesThroughTheTransforms) {
  const Properties asked{{"count", 3}, {"vertices", 4}};
  const Content content = transform(labelled(2), "random_walk_queries", asked);
  EXPECT_EQ(std::get<GraphQueries>(content.data).count(), 3);
  EXPECT_EQ(std::get<GraphQueries>(transform(content, "first", {{"queries", 2}}).data).count(), 2);
  const Content ordered = transform(content, "degree_descending");
  const auto& graphs = std::get<GraphQueries>(ordered.data);
  graphs.validate();
  EXPECT_EQ(graphs.queries, std::get<GraphQueries>(content.data).queries);
  EXPECT_GE(graphs.data.graph.degree(0), graphs.data.graph.degree(1));
  EXPECT_EQ(ordered.original_ids.size(), 300u);
}

TEST(RandomWalk, RefusesImpossibleSizes) {
  const auto refusal = [](Content content, I vertices, I edges) {
    const auto error = error_of([&] {
      return transform(std::move(content), "random_walk_queries",
                       {{"count", 2}, {"vertices", vertices}, {"edges", edges}});
    });
    return error ? std::string(error->what()) : "";
  };
  const std::string start = "transform random_walk_queries: expected ";
  EXPECT_EQ(refusal(labelled(1, 20, 40), 21, 0),
            start + "queries of at most 20 vertices, those of the graph, found 21");
  EXPECT_EQ(refusal(labelled(1, 20, 40), 4, 2), start + "3 to 6 edges for 4 connected vertices, or 0 for all, found 2");
  EXPECT_EQ(refusal(labelled(1, 20, 40), 4, 7), start + "3 to 6 edges for 4 connected vertices, or 0 for all, found 7");
  EXPECT_EQ(refusal(power_law_graph(20, 40, 1), 4, 0),
            start + "a labelled graph, found graph (label it first: labels)");
  const std::string pair = "t 4 2\nv 0 1 1\nv 1 1 1\nv 2 1 1\nv 3 1 1\ne 0 1\ne 2 3\n";
  EXPECT_EQ(refusal(parse_string(pair, "graph"), 3, 0),
            start + "random walks that see 3 vertices, found none in 2000 for query 0 (ask smaller queries)");
  const std::string path = "t 3 2\nv 0 1 1\nv 1 1 2\nv 2 1 1\ne 0 1\ne 1 2\n";
  EXPECT_EQ(refusal(parse_string(path, "graph"), 3, 3),
            start +
                "random walks that see 3 vertices with at least 3 edges among them, found none in 2000 for query 0 "
                "(ask smaller queries or fewer edges)");
  const auto labels = error_of([] {
    Content content = transform(labelled(1, 20, 40), "random_walk_queries", {{"count", 1}, {"vertices", 2}});
    return transform(std::move(content), "labels", {{"labels", 2}});
  });
  ASSERT_TRUE(labels);
  EXPECT_STREQ(labels->what(), "transform labels: expected a graph without queries, found graph_queries");
}

}  // namespace
}  // namespace warpbench::datasets::testing
