// The rules of subgraph_matching: the reference against counts by hand and against all maps one by one, the
// graphs that solvers read, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "datasets/input_error.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "tests/problems/support/subgraph_brute_force.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::testing {
namespace {

using datasets::Dataset;
using matching::Vertex;
using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t kSeed = 20'231'205;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

Counts counts(const SmallGraph& data, const std::vector<SmallGraph>& queries, const std::string& semantics) {
  return SubgraphMatching::reference(subgraph_input(dataset_of("these", data, queries), {{"semantics", semantics}}))
      .counts;
}

RandomGraphs tiny(std::uint64_t i) {
  RandomGraphs how;
  how.vertices = 2 + i % 6;
  how.degree = 1.5 + static_cast<double>(i % 3) / 2;
  how.vertex_labels = 1 + static_cast<std::uint32_t>(i % 3);
  how.edge_labels = static_cast<std::uint32_t>(i / 2 % 3);
  how.several_vertex_labels = i % 4 == 3;
  how.parallel_edges = i % 5 > 1;
  how.query_vertices = 4;
  return how;
}

TEST(SubgraphReference, FindsWhatAllMapsOneByOneFind) {
  std::uint64_t found = 0;
  std::uint64_t compared = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Dataset dataset = random_subgraph_case(kSeed + i, tiny(i));
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    for (const std::string& semantics : semantics_for(dataset)) {
      const auto reference =
          SubgraphMatching::reference(subgraph_input(dataset, {{"semantics", semantics}, {"output", "digest"}}));
      for (std::int64_t q = 0; q < graphs.count(); ++q) {
        const auto query_edges = static_cast<double>(edges_of(graphs.query(q)).size());
        if (semantics == "edge_isomorphism" &&
            std::pow(static_cast<double>(edges_of(graphs.data).size()), query_edges) > 1e5) {
          continue;
        }
        const std::vector<Map> all = all_matches(graphs, q, semantics);
        const auto place = static_cast<std::size_t>(q);
        EXPECT_EQ(reference.counts[place], all.size()) << "seed " << kSeed + i << ", query " << q << ", " << semantics;
        EXPECT_EQ(reference.digests[place], digest_of(all))
            << "seed " << kSeed + i << ", query " << q << ", " << semantics;
        found += all.size();
        ++compared;
      }
    }
  }
  EXPECT_GT(found, 1000U) << "else the random graphs tell nothing apart";
  EXPECT_GE(compared, 500U);
  print_figure("subgraph_matching: " + std::to_string(compared) + " random queries");
}

// ---- counts by hand ----

TEST(SubgraphReference, CountsMappingsNotInducedSubgraphs) {
  // K4 has three squares of eight automorphisms each; asked for induced ones, as gsi2020 Definition 2 reads literally,
  // it has none, for every four of its vertices have six edges.
  EXPECT_EQ(counts(clique(4), {cycle(4)}, "isomorphism"), Counts{24});
  EXPECT_EQ(counts(clique(4), {clique(3), path(3), path(4), star(3), clique(4)}, "isomorphism"),
            (Counts{24, 24, 24, 24, 24}));
  EXPECT_EQ(counts(clique(5), {SmallGraph(1), path(2), clique(3), cycle(5), clique(6)}, "isomorphism"),
            (Counts{5, 20, 60, 120, 0}));
  EXPECT_EQ(counts(star(5), {path(3), star(2), star(3), path(4), cycle(3)}, "isomorphism"), (Counts{20, 20, 60, 0, 0}));
}

TEST(SubgraphReference, CountsHomomorphisms) {
  EXPECT_EQ(counts(clique(3), {path(3), path(4), cycle(3), cycle(4)}, "homomorphism"), (Counts{12, 24, 6, 18}));
  EXPECT_EQ(counts(path(2), {cycle(4), cycle(3), path(9), star(4)}, "homomorphism"), (Counts{2, 0, 2, 2}));
  EXPECT_EQ(counts(star(3), {star(2), star(3)}, "homomorphism"), (Counts{9 + 3, 27 + 3}));
  // More edges than any data vertex has are no obstacle.
  EXPECT_EQ(counts(path(3), {star(6)}, "homomorphism"), Counts{1 + 64 + 1});
}

TEST(SubgraphReference, CountsEdgeIsomorphisms) {
  EXPECT_EQ(counts(clique(4), {path(2), path(3)}, "edge_isomorphism"), (Counts{6, 24}));
  EXPECT_EQ(counts(path(4), {path(2), path(3), path(4)}, "edge_isomorphism"), (Counts{3, 4, 2}));
  // Whitney's exception: three edges that share an end, and those of a triangle, share vertices alike.
  EXPECT_EQ(counts(star(3), {cycle(3)}, "isomorphism"), Counts{0});
  EXPECT_EQ(counts(star(3), {cycle(3)}, "edge_isomorphism"), Counts{6});
  EXPECT_EQ(counts(cycle(3), {star(3)}, "edge_isomorphism"), Counts{6});
  // Labels of the vertices that edges share tell the two apart.
  SmallGraph triangle({0, 0, 1});
  triangle.edge(0, 1).edge(1, 2).edge(0, 2);
  SmallGraph claw({0, 0, 1, 1});
  claw.edge(0, 1).edge(0, 2).edge(0, 3);
  EXPECT_EQ(counts(claw, {triangle}, "edge_isomorphism"), Counts{0});
  EXPECT_EQ(counts(triangle, {triangle}, "edge_isomorphism"), Counts{2});
}

TEST(SubgraphReference, MapsParallelEdgesOneByOne) {
  SmallGraph data({0, 1, 0});
  data.edge(0, 1, 4).edge(0, 1, 5).edge(1, 2, 4);
  SmallGraph four({0, 1});
  four.edge(0, 1, 4);
  SmallGraph both({0, 1});
  both.edge(0, 1, 4).edge(0, 1, 5);
  SmallGraph other({0, 1});
  other.edge(0, 1, 6);
  EXPECT_EQ(counts(data, {four, both, other}, "isomorphism"), (Counts{2, 1, 0}));
  EXPECT_EQ(counts(data, {four, both, other}, "homomorphism"), (Counts{2, 1, 0}));
  EXPECT_EQ(counts(data, {four, both, other}, "edge_isomorphism"), (Counts{2, 1, 0}));
}

TEST(SubgraphReference, AsksForLabelsThatAreContained) {
  SmallGraph data(std::vector<SmallGraph::Labels>{{1, 2}, {2}, {3}});
  data.edge(0, 1).edge(1, 2);
  const auto one = [](SmallGraph::Labels labels) { return SmallGraph(std::vector{std::move(labels)}); };
  SmallGraph edge(std::vector<SmallGraph::Labels>{{2}, {2}});
  edge.edge(0, 1);
  EXPECT_EQ(counts(data, {one({1}), one({2}), one({1, 2}), one({1, 3}), one({4}), edge}, "isomorphism"),
            (Counts{1, 2, 1, 0, 0, 2}));
}

// ---- references as bytes ----

TEST(SubgraphReference, IsTheSameAfterItWasStored) {
  const Dataset dataset = random_subgraph_case(kSeed);
  for (const char* const output : {"count", "digest"}) {
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", output}});
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    std::vector<std::byte> bytes = bytes_of(reference);
    const SubgraphMatching::Reference again = stored_reference<SubgraphMatching>(input, bytes);
    EXPECT_EQ(again.counts, reference.counts);
    EXPECT_EQ(again.digests, reference.digests);
    EXPECT_EQ(again.digests.empty(), std::string(output) == "count");
    bytes.pop_back();
    EXPECT_THROW(static_cast<void>(stored_reference<SubgraphMatching>(input, bytes)), std::runtime_error) << output;
  }
}

TEST(SubgraphReference, IsWhatIsPublishedWhereMatchesAreCounted) {
  datasets::Dataset dataset = dataset_of("clique", clique(4), {path(2), clique(3)});
  std::get<datasets::GraphQueries>(dataset.data).published_counts = std::vector<std::uint64_t>{5, 6};
  const auto counts = [&](const SubgraphTask& task) {
    return SubgraphMatching::reference(subgraph_input(dataset, task)).counts;
  };
  EXPECT_EQ(counts({}), (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(counts({{"output", "digest"}}), (std::vector<std::uint64_t>{12, 24})) << "digests are not published";
  EXPECT_EQ(counts({{"semantics", "homomorphism"}}), (std::vector<std::uint64_t>{12, 24}));
  EXPECT_EQ(counts({{"output", "first"}}), (std::vector<std::uint64_t>{5, 6}));
}

TEST(SubgraphReference, StopsWhereOnlySomeMatchesAreAskedFor) {
  // 40 * 39 * ... * 31 matches, which nobody could count one by one.
  const datasets::Dataset dataset = dataset_of("clique", clique(40), {path(10), path(2)});
  const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", "first"}, {"first", 2000}});
  const std::vector<std::uint64_t> counts = SubgraphMatching::reference(input).counts;
  EXPECT_GE(counts.at(0), 2000U);
  EXPECT_EQ(counts.at(1), 40U * 39U) << "all, where there are fewer";
}

TEST(SubgraphCounts, NeverWrap) {
  EXPECT_EQ(matching::checked_add(kMax - 1, 1), kMax);
  EXPECT_EQ(matching::checked_add(kMax, 0), kMax);
  EXPECT_THROW(static_cast<void>(matching::checked_add(kMax, 1)), std::overflow_error);
  EXPECT_THROW(static_cast<void>(matching::checked_add(1, kMax)), std::overflow_error);
  EXPECT_EQ(matching::checked_multiply(kMax, 1), kMax);
  EXPECT_EQ(matching::checked_multiply(0, kMax), 0U);
  EXPECT_EQ(matching::checked_multiply(kMax, 0), 0U);
  EXPECT_EQ(matching::checked_multiply(std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) - 1), kMax - 0xffffffffU);
  EXPECT_THROW(static_cast<void>(matching::checked_multiply(std::uint64_t{1} << 32U, std::uint64_t{1} << 32U)),
               std::overflow_error);
}

// ---- the graphs that solvers read ----

TEST(SubgraphGraphs, AreRowsByEdgeLabelWithDenseLabels) {
  SmallGraph data({30, 10, 20});
  data.edge(0, 2, 9).edge(0, 1, 9).edge(0, 1, 3);
  SmallGraph query({20, 11});
  query.edge(0, 1, 4).edge(0, 1, 9);
  const SubgraphMatching::Input input = subgraph_input(dataset_of("these", data, {query}));
  const matching::Graph& graph = input.data();
  EXPECT_EQ(graph.labels, (std::vector<matching::Label>{2, 0, 1}));
  EXPECT_EQ(graph.offsets, (std::vector<std::uint64_t>{0, 3, 5, 6}));
  EXPECT_EQ(graph.neighbors, (std::vector<Vertex>{1, 1, 2, 0, 0, 0})) << "row 0: {1 by 3}, {1, 2 by 9}";
  EXPECT_EQ(graph.edge_labels, (std::vector<matching::Label>{0, 1, 1, 0, 1, 1}));
  EXPECT_TRUE(graph.single_labels());
  EXPECT_EQ(graph.row(0, 1).size(), 2U);
  EXPECT_TRUE(graph.row(0, kNone<matching::Label>).empty());
  EXPECT_TRUE(graph.has_edge(2, 0, 1));
  EXPECT_FALSE(graph.has_edge(2, 0, 0));
  const matching::Graph& asked = input.queries()[0];
  EXPECT_EQ(asked.labels, (std::vector<matching::Label>{1, kNone<matching::Label>}));
  EXPECT_EQ(asked.edge_labels, (std::vector<matching::Label>{1, kNone<matching::Label>, 1, kNone<matching::Label>}));
}

TEST(SubgraphGraphs, FitByLabelsAndWhereInjectiveByDegree) {
  const SubgraphMatching::Input input = subgraph_input(dataset_of("these", path(3), {star(2)}));
  const matching::Graph& query = input.queries()[0];
  EXPECT_TRUE(matching::fits(query, 0, input.data(), 1, true));
  EXPECT_FALSE(matching::fits(query, 0, input.data(), 0, true));
  EXPECT_TRUE(matching::fits(query, 0, input.data(), 0, false));
}

// ---- what is refused ----

TEST(SubgraphInput, RefusesWhatCannotBeAsked) {
  SmallGraph two_parts(3);
  two_parts.edge(0, 1);
  EXPECT_THROW(dataset_of("these", path(3), {two_parts}), datasets::InputError) << "a query of two parts";
  EXPECT_THROW(dataset_of("these", path(3), {}), datasets::InputError) << "no query";
  EXPECT_THROW(dataset_of("these", path(3), {SmallGraph()}), datasets::InputError) << "a query without vertices";
  SmallGraph labelled(2);
  labelled.edge(0, 1, 5);
  EXPECT_THROW(dataset_of("these", path(3), {labelled}), datasets::InputError) << "edge labels in the query alone";

  const SubgraphTask edges{{"semantics", "edge_isomorphism"}};
  SmallGraph several(std::vector<SmallGraph::Labels>{{1, 2}, {1}});
  several.edge(0, 1);
  EXPECT_THROW(static_cast<void>(subgraph_input(dataset_of("these", several, {path(2)}), edges)), datasets::InputError);
  EXPECT_THROW(static_cast<void>(subgraph_input(dataset_of("these", path(2), {SmallGraph(1)}), edges)),
               datasets::InputError);
  EXPECT_THROW(static_cast<void>(subgraph_input(great_star(100'000, false), edges)), datasets::InputError)
      << "10^10 slots";
  EXPECT_THROW(static_cast<void>(subgraph_input(dataset_of("these", path(2), {path(2)}), {{"output", "some"}})),
               ParameterError);
}

TEST(SubgraphInput, GivesQueriesBackAsTheyWere) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Dataset dataset = random_subgraph_case(kSeed + i);
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    std::vector<datasets::LabelledGraph> queries;
    for (std::int64_t q = 0; q < graphs.count(); ++q) queries.push_back(graphs.query(q));
    EXPECT_EQ(datasets::with_queries(graphs.data, queries), graphs) << dataset.name;
  }
}

}  // namespace
}  // namespace warpbench::testing
