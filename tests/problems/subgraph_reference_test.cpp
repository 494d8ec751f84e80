// The reference of subgraph_matching where it has much to do: hard queries, a limit of time, real ones; and the graphs
// that edge_isomorphism makes of edges, compared with all pairs of edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "problems/subgraph_matching/problem.hpp"
#include "problems/subgraph_matching/reference.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/real_queries.hpp"
#include "tests/problems/support/subgraph_brute_force.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::testing {
namespace {

using datasets::Dataset;
using matching::Label;
using matching::Vertex;

constexpr std::uint64_t kOpen = kNone<std::uint64_t>;
constexpr double kSeconds = 20;  // far more than any of these takes

// ---- hard queries ----

/// A clique of label 0; beside vertex i hang leaves of labels `leaves(i)`.
SmallGraph clique_with_leaves(Vertex size, const std::function<std::vector<Label>(Vertex)>& leaves) {
  std::vector<Label> labels(size, 0);
  for (Vertex i = 0; i < size; ++i) {
    for (const Label label : leaves(i)) labels.push_back(label);
  }
  SmallGraph graph(labels);
  Vertex next = size;
  for (Vertex i = 0; i < size; ++i) {
    for (Vertex j = 0; j < i; ++j) graph.edge(i, j);
    for (std::size_t leaf = 0; leaf < leaves(i).size(); ++leaf) graph.edge(i, next++);
  }
  return graph;
}

TEST(SubgraphReference, SeesWhereLabelsAroundAVertexRuleItOut) {
  // Labels and degrees fit everywhere, and the clique has 10^11 partial matches. None has both leaves.
  const SmallGraph data = clique_with_leaves(30, [](Vertex i) { return std::vector<Label>(2, i % 2 == 0 ? 1U : 2U); });
  const SmallGraph query = clique_with_leaves(8, [](Vertex i) {
    return i == 0 ? std::vector<Label>{1, 2} : std::vector<Label>{};
  });
  const SubgraphMatching::Input input = subgraph_input(dataset_of("leaves", data, {query}));
  EXPECT_EQ(SubgraphMatching::reference(input, kSeconds).counts, std::vector<std::uint64_t>{0});
}

TEST(SubgraphReference, SeesWhatALaterVertexLacks) {
  // At each vertex of a clique hangs a path of labels 1 and 3; one of them ends in label 2, and two are asked for.
  constexpr Vertex kSize = 30;
  std::vector<Label> labels(std::size_t{3} * kSize, 0);
  std::fill(labels.begin() + kSize, labels.begin() + 2 * kSize, 1);
  std::fill(labels.begin() + 2 * kSize, labels.end(), 3);
  labels[2 * kSize] = 2;
  SmallGraph data(labels);
  for (Vertex i = 0; i < kSize; ++i) {
    for (Vertex j = 0; j < i; ++j) data.edge(i, j);
    data.edge(i, kSize + i).edge(kSize + i, 2 * kSize + i);
  }
  SmallGraph query(std::vector<Label>{0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2});
  for (Vertex i = 0; i < 7; ++i) {
    for (Vertex j = 0; j < i; ++j) query.edge(i, j);
  }
  query.edge(0, 7).edge(7, 9).edge(1, 8).edge(8, 10);
  const SubgraphMatching::Input input = subgraph_input(dataset_of("paths", data, {query}));
  EXPECT_EQ(SubgraphMatching::reference(input, kSeconds).counts, std::vector<std::uint64_t>{0});
}

TEST(SubgraphReference, LeavesOpenWhatTakesTooLongAndAnswersTheRest) {
  // 40 * 39 * ... * 29 matches stand first, and take a third of the time.
  const SubgraphMatching::Input input =
      subgraph_input(dataset_of("clique", clique(40), {path(12), path(2), clique(3)}), {{"output", "digest"}});
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input, 3);
  EXPECT_EQ(reference.counts, (std::vector<std::uint64_t>{kOpen, 40U * 39U, 40U * 39U * 38U}));
  EXPECT_EQ(reference.digests.size(), 3U);
  EXPECT_EQ(SubgraphMatching::reference(input, 0).counts, (std::vector<std::uint64_t>{kOpen, kOpen, kOpen}));
}

/// Of this query the candidates alone take seconds: the edges of two labels at the hub are compared pair by pair.
TEST(SubgraphReference, KeepsItsTimeWhileItFindsCandidates) {
  constexpr Vertex kLeaves = 60'000;
  SmallGraph data(kLeaves + 1);
  for (Vertex leaf = 1; leaf <= kLeaves; ++leaf) data.edge(0, leaf, 0).edge(0, leaf, 1);
  SmallGraph query(2);
  query.edge(0, 1, 0).edge(0, 1, 1);
  const SubgraphMatching::Input input = subgraph_input(dataset_of("hub", data, {query}));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(SubgraphMatching::reference(input, 0.05).counts, std::vector<std::uint64_t>{kOpen});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1);
}

/// Where labels rule nothing out, each edge of a query may lie anywhere; the graph is not kept for each.
TEST(SubgraphReference, TakesMemoryForTheGraphOnce) {
  constexpr std::uint64_t kSeed = 20'231;
  constexpr Vertex kVertices = 3000;
  SmallGraph data(kVertices);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<Vertex> any(1, kVertices - 1);
  for (int i = 0; i < 30'000; ++i) {
    const Vertex v = any(random);
    data.edge(any(random) % v, v);
  }
  const SubgraphMatching::Input input = subgraph_input(dataset_of("random", data, {path(2), clique(5)}));
  const auto memory_for = [&](const matching::Graph& query) {
    const PeakOfHostMemory peak;
    EXPECT_TRUE(matching::backtrack(query, input.data(), true, false, {.enough = 1}).has_value());
    return peak.bytes();
  };
  const std::int64_t slots = std::ssize(input.data().neighbors);
  EXPECT_LT(memory_for(input.queries()[1]), memory_for(input.queries()[0]) + 16 * slots) << "seed " << kSeed;
}

// ---- edges as vertices ----

/// What the vertex of an edge stands for: the edge's label and its ends'.
using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Key key_of(const datasets::LabelledGraph& graph, const LabelledEdge& edge) {
  const auto [low, high] = std::minmax(graph.labels(edge.u)[0], graph.labels(edge.v)[0]);
  return {edge.label, low, high};
}

/// The labels of the vertices that two edges share.
std::set<std::uint32_t> shared_labels(const datasets::LabelledGraph& graph, const LabelledEdge& a,
                                      const LabelledEdge& b) {
  std::set<std::uint32_t> labels;
  if (a.u == b.u || a.u == b.v) labels.insert(graph.labels(a.u)[0]);
  if (a.v == b.u || a.v == b.v) labels.insert(graph.labels(a.v)[0]);
  return labels;
}

/// Compares `made` with all pairs of edges of `given`. `vertex_labels` are those of the data graph, ascending.
void expect_pairs(const matching::Graph& made, const datasets::LabelledGraph& given,
                  const std::vector<std::uint32_t>& vertex_labels, const std::string& what) {
  const std::vector<LabelledEdge> edges = edges_of(given);
  ASSERT_EQ(made.offsets.size(), edges.size() + 1) << what;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::multiset<std::pair<std::size_t, std::uint32_t>> expected;
    for (std::size_t j = 0; j < edges.size(); ++j) {
      if (i == j) continue;
      for (const std::uint32_t label : shared_labels(given, edges[i], edges[j])) {
        const auto found = std::ranges::find(vertex_labels, label);
        expected.emplace(
            j, found == vertex_labels.end() ? kNone<Label> : static_cast<std::uint32_t>(found - vertex_labels.begin()));
      }
    }
    std::multiset<std::pair<std::size_t, std::uint32_t>> found;
    for (std::uint64_t slot = made.offsets[i]; slot < made.offsets[i + 1]; ++slot) {
      found.emplace(made.neighbors[slot], made.edge_labels[slot]);
    }
    EXPECT_EQ(found, expected) << what << ", edge " << i;
  }
}

TEST(SubgraphEdgeGraphs, JoinEdgesThatShareAVertexByItsLabel) {
  constexpr std::uint64_t kSeed = 20'200'712;
  int graphs_compared = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    RandomGraphs how{.vertices = 4 + i % 12, .degree = 3, .vertex_labels = 1 + static_cast<std::uint32_t>(i % 4)};
    how.edge_labels = static_cast<std::uint32_t>(i % 3);
    how.parallel_edges = i % 2 == 0;
    const Dataset dataset = random_subgraph_case(kSeed + i, how);
    if (semantics_for(dataset).back() != "edge_isomorphism") continue;
    ++graphs_compared;
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"semantics", "edge_isomorphism"}});
    const auto labels = graphs.data.vertex_labels.span();
    const std::set<std::uint32_t> distinct(labels.begin(), labels.end());
    const std::vector<std::uint32_t> vertex_labels(distinct.begin(), distinct.end());
    const std::string seed = "seed " + std::to_string(kSeed + i);
    expect_pairs(input.data(), graphs.data, vertex_labels, seed);

    std::map<Key, Label> numbers;  // one label a key, and another for each other key
    std::set<Label> used;
    const std::vector<LabelledEdge> edges = edges_of(graphs.data);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Label label = input.data().labels[e];
      const auto [known, is_new] = numbers.try_emplace(key_of(graphs.data, edges[e]), label);
      EXPECT_EQ(known->second, label) << seed << ", edge " << e;
      EXPECT_EQ(used.insert(label).second, is_new) << seed << ", edge " << e;
    }
    for (std::int64_t q = 0; q < graphs.count(); ++q) {
      const datasets::LabelledGraph query = graphs.query(q);
      const matching::Graph& made = input.queries()[static_cast<std::size_t>(q)];
      expect_pairs(made, query, vertex_labels, seed + ", query " + std::to_string(q));
      const std::vector<LabelledEdge> query_edges = edges_of(query);
      for (std::size_t e = 0; e < query_edges.size(); ++e) {
        const auto known = numbers.find(key_of(query, query_edges[e]));
        EXPECT_EQ(made.labels[e], known == numbers.end() ? kNone<Label> : known->second) << seed << ", query " << q;
      }
    }
  }
  EXPECT_GT(graphs_compared, 10);
}

// ---- real data ----

TEST(SubgraphReference, EndsOnceAllImagesOfItsFirstVertexTogetherHaveEnough) {
  constexpr std::uint64_t kPathsOfAClique = 6 * 5 * 4 * 3;
  constexpr SmallGraph::Vertex kCliques = 500;
  SmallGraph cliques(6 * kCliques);
  for (SmallGraph::Vertex c = 0; c < kCliques; ++c) {
    for (SmallGraph::Vertex i = 0; i < 6; ++i) {
      for (SmallGraph::Vertex j = 0; j < i; ++j) cliques.edge(6 * c + i, 6 * c + j);
    }
  }
  const SubgraphMatching::Input input = subgraph_input(dataset_of("cliques", cliques, {path(4)}));
  const auto counted = matching::backtrack(input.queries()[0], input.data(), true, false, {.enough = 1000});
  ASSERT_TRUE(counted.has_value());
  EXPECT_GE(counted->count, 1000);
  EXPECT_LT(counted->count, kCliques * kPathsOfAClique / 2) << "it went on";
}

class RealQueriesNamed : public ::testing::TestWithParam<RealQueries> {};

TEST_P(RealQueriesNamed, AreCountedAsPublished) {
  std::optional<Dataset> queries = counted_queries(GetParam(), 5);
  if (!queries) GTEST_SKIP() << GetParam().graph << " is not here: set WARPBENCH_DATA";
  auto& graphs = std::get<datasets::GraphQueries>(queries->data);
  const std::vector<std::uint64_t> published(graphs.published_counts.begin(), graphs.published_counts.end());
  graphs.published_counts = {};
  const std::vector<std::uint64_t> counts = SubgraphMatching::reference(subgraph_input(*queries), 3).counts;
  ASSERT_EQ(counts.size(), published.size());
  EXPECT_NE(counts, std::vector<std::uint64_t>(counts.size(), kOpen));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_TRUE(counts[i] == kOpen || counts[i] == published[i]) << "query " << i << ": " << counts[i];
  }
  const SubgraphMatching::Input first = subgraph_input(*queries, {{"output", "first"}});
  for (const std::uint64_t count : SubgraphMatching::reference(first, kSeconds).counts) EXPECT_NE(count, kOpen);
}

INSTANTIATE_TEST_SUITE_P(All, RealQueriesNamed, ::testing::ValuesIn(kRealQueries),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpbench::testing
