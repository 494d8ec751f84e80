// The rules of subgraph_matching: the reference against counts by hand and against all maps one by one, the judge
// against answers that are wrong, the graphs that solvers read, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

#include "datasets/input_error.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "problems/subgraph_matching/reference.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench {
namespace {

using datasets::Dataset;
using matching::Vertex;
using testing::clique;
using testing::cycle;
using testing::dataset_of;
using testing::path;
using testing::SmallGraph;
using testing::star;
using testing::subgraph_input;
using testing::SubgraphTask;
using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t kSeed = 20'231'205;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Counts counts(const SmallGraph& data, const std::vector<SmallGraph>& queries, const std::string& semantics) {
  return SubgraphMatching::reference(subgraph_input(dataset_of("these", data, queries), {{"semantics", semantics}}))
      .counts;
}

// ---- all maps, one by one, on the graphs as they were given ----

using Map = std::vector<std::size_t>;

/// Calls body(map) for each of the targets^places maps.
void for_each_map(std::size_t places, std::size_t targets, const std::function<void(const Map&)>& body) {
  if (targets == 0) return;
  Map map(places, 0);
  for (std::size_t place = 0; place < places;) {
    body(map);
    for (place = 0; place < places && ++map[place] == targets; ++place) map[place] = 0;
  }
}

bool distinct(const Map& map) {
  return std::set<std::size_t>(map.begin(), map.end()).size() == map.size();
}

bool within(std::span<const std::uint32_t> part, std::span<const std::uint32_t> whole) {
  return std::ranges::all_of(part, [&](std::uint32_t one) { return std::ranges::find(whole, one) != whole.end(); });
}

/// Whether every label and edge of the query is kept.
bool keeps(const datasets::LabelledGraph& query, const datasets::LabelledGraph& data, const Map& map) {
  for (std::size_t u = 0; u < map.size(); ++u) {
    if (!within(query.labels(static_cast<Vertex>(u)), data.labels(static_cast<Vertex>(map[u])))) return false;
    for (std::uint64_t slot = query.graph.offsets[u]; slot < query.graph.offsets[u + 1]; ++slot) {
      const std::size_t to = map[query.graph.neighbors[slot]];
      const auto row = data.graph.row(static_cast<Vertex>(map[u]));
      const auto found = std::ranges::find(row, to);
      if (found == row.end()) return false;
      const auto data_slot = data.graph.offsets[map[u]] + static_cast<std::uint64_t>(found - row.begin());
      if (!within(query.slot_labels(slot), data.slot_labels(data_slot))) return false;
    }
  }
  return true;
}

struct Edge {
  Vertex u;
  Vertex v;
  std::uint32_t label;
};

/// Parallel edges apart, in the order of matching::Graph's rows.
std::vector<Edge> edges_of(const datasets::LabelledGraph& graph) {
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (std::uint64_t slot = graph.graph.offsets[u]; slot < graph.graph.offsets[u + 1]; ++slot) {
      const Vertex v = graph.graph.neighbors[slot];
      if (u > v) continue;
      if (!graph.has_edge_labels()) edges.push_back({u, v, 0});
      for (const std::uint32_t label : graph.slot_labels(slot)) edges.push_back({u, v, label});
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::tuple(edge.u, edge.label, edge.v); });
  return edges;
}

/// The labels of the vertices that both have.
std::set<std::uint32_t> shared(const datasets::LabelledGraph& graph, const Edge& a, const Edge& b) {
  std::set<std::uint32_t> labels;
  for (const Vertex end : {a.u, a.v}) {
    if (end == b.u || end == b.v) labels.insert(graph.labels(end)[0]);
  }
  return labels;
}

/// Whether different edges go to different ones of their labels, edges that share a vertex to such that share one of
/// its label (gsi2020 §VII-A).
bool keeps_edges(const datasets::LabelledGraph& query, const std::vector<Edge>& query_edges,
                 const datasets::LabelledGraph& data, const std::vector<Edge>& data_edges, const Map& map) {
  const auto labels = [](const datasets::LabelledGraph& graph, const Edge& edge) {
    return std::multiset<std::uint32_t>{graph.labels(edge.u)[0], graph.labels(edge.v)[0]};
  };
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Edge& image = data_edges[map[i]];
    if (query_edges[i].label != image.label || labels(query, query_edges[i]) != labels(data, image)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::ranges::includes(shared(data, image, data_edges[map[j]]),
                                 shared(query, query_edges[i], query_edges[j]))) {
        return false;
      }
    }
  }
  return distinct(map);
}

std::vector<Map> all_matches(const datasets::GraphQueries& graphs, std::int64_t i, const std::string& semantics) {
  const datasets::LabelledGraph query = graphs.query(i);
  std::vector<Map> matches;
  if (semantics == "edge_isomorphism") {
    const std::vector<Edge> query_edges = edges_of(query);
    const std::vector<Edge> data_edges = edges_of(graphs.data);
    for_each_map(query_edges.size(), data_edges.size(), [&](const Map& map) {
      if (keeps_edges(query, query_edges, graphs.data, data_edges, map)) matches.push_back(map);
    });
    return matches;
  }
  for_each_map(static_cast<std::size_t>(query.vertices()), static_cast<std::size_t>(graphs.data.vertices()),
               [&](const Map& map) {
                 if ((semantics == "homomorphism" || distinct(map)) && keeps(query, graphs.data, map)) {
                   matches.push_back(map);
                 }
               });
  return matches;
}

std::uint64_t digest_of(const std::vector<Map>& matches) {
  std::uint64_t sum = 0;
  for (const Map& match : matches) {
    std::uint64_t parts = 0;
    for (std::size_t u = 0; u < match.size(); ++u) {
      parts += matching::digest_part(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(match[u]));
    }
    sum += matching::digest_of_match(parts);
  }
  return sum;
}

testing::RandomGraphs tiny(std::uint64_t i) {
  testing::RandomGraphs how;
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
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Dataset dataset = testing::random_subgraph_case(kSeed + i, tiny(i));
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    for (const std::string& semantics : testing::semantics_for(dataset)) {
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
      }
    }
  }
  EXPECT_GT(found, 1000U) << "else the random graphs tell nothing apart";
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

// ---- the judge ----

/// What an answer must say, from all maps.
SubgraphMatching::Answer right_answer(const Dataset& dataset, const SubgraphTask& task) {
  const auto& graphs = dataset.as<datasets::GraphQueries>();
  const SubgraphMatching::Input input = subgraph_input(dataset, task);
  SubgraphMatching::Answer answer;
  for (std::int64_t q = 0; q < graphs.count(); ++q) {
    std::vector<Map> all = all_matches(graphs, q, input.injective() ? "isomorphism" : "homomorphism");
    if (input.first > 0) all.resize(std::min<std::size_t>(all.size(), input.first));
    SubgraphMatching::QueryAnswer one{true, all.size(), digest_of(all), {}};
    for (const Map& match : all) one.matches.insert(one.matches.end(), match.begin(), match.end());
    answer.queries.push_back(std::move(one));
  }
  return answer;
}

class SubgraphJudge : public ::testing::Test {
 protected:
  // A square with a diagonal: 0 - 1 - 2 - 3 - 0 and 0 - 2.
  const Dataset dataset_ = dataset_of("a square with a diagonal", cycle(4).edge(0, 2), {clique(3), path(3)});

  /// The judgement on the right answer, spoiled.
  Judgement judged(const SubgraphTask& task, const std::function<void(SubgraphMatching::Answer&)>& spoil) const {
    const SubgraphMatching::Input input = subgraph_input(dataset_, task);
    SubgraphMatching::Answer answer = right_answer(dataset_, task);
    spoil(answer);
    return SubgraphMatching::judge(input, answer, SubgraphMatching::reference(input));
  }
  static void nothing(SubgraphMatching::Answer& /*answer*/) {}
};

const SubgraphTask kMatches{{"output", "matches"}};

TEST_F(SubgraphJudge, AcceptsWhatIsRight) {
  for (const char* const output : {"count", "digest", "matches", "first"}) {
    for (const char* const semantics : {"isomorphism", "homomorphism"}) {
      const Judgement judgement =
          judged({{"output", output}, {"semantics", semantics}, {"first", std::int64_t{5}}}, nothing);
      EXPECT_EQ(judgement.verdict, Verdict::exact) << output << ", " << semantics << ": " << judgement.difference;
      EXPECT_EQ(judgement.metrics.at("solved"), 2);
    }
  }
  EXPECT_EQ(judged(kMatches, nothing).metrics.at("matches"), 12 + 16);
}

TEST_F(SubgraphJudge, RefusesWrongCounts) {
  for (const int by : {-1, 1}) {
    EXPECT_EQ(judged({}, [by](auto& answer) { answer.queries[1].count += static_cast<std::uint64_t>(by); }).difference,
              by < 0 ? "query 1: expected 16 matches, found 15" : "query 1: expected 16 matches, found 17");
  }
  EXPECT_EQ(judged({}, [](auto& answer) { answer.queries.pop_back(); }).difference,
            "expected answers to 2 queries, found 1");
  EXPECT_EQ(judged({}, [](auto& answer) { std::swap(answer.queries[0], answer.queries[1]); }).verdict, Verdict::wrong);
}

TEST_F(SubgraphJudge, RefusesWrongDigests) {
  const auto flip = [](auto& answer) { answer.queries[0].digest ^= 1U; };
  EXPECT_EQ(judged({{"output", "digest"}}, flip).verdict, Verdict::wrong);
  EXPECT_EQ(judged({}, flip).verdict, Verdict::exact) << "nobody asked for it";
}

TEST_F(SubgraphJudge, RefusesMatchesThatAreNone) {
  const auto spoiled = [&](std::vector<Vertex> first_path) {
    return judged(kMatches, [&](auto& answer) { std::ranges::copy(first_path, answer.queries[1].matches.begin()); })
        .difference;
  };
  EXPECT_EQ(spoiled({0, 1, 0}), "query 1: match 0: query vertices 0 and 2 both map to data vertex 0");
  EXPECT_EQ(spoiled({1, 3, 0}), "query 1: match 0: query edge {0, 1} maps to {1, 3}, which is no edge of its label");
  EXPECT_EQ(spoiled({0, 1, 4}), "query 1: match 0: query vertex 2: expected one of 4 data vertices, found 4");
  EXPECT_EQ(judged(kMatches, [](auto& answer) { answer.queries[0].matches.pop_back(); }).difference,
            "query 0: expected 12 matches of 3 vertices, as the count says, found 35 vertices");
  EXPECT_NE(judged(kMatches,
                   [](auto& answer) {
                     auto& matches = answer.queries[0].matches;
                     std::ranges::copy(std::vector(matches.end() - 3, matches.end()), matches.begin());
                   })
                .difference.find("is given twice"),
            std::string::npos);
  EXPECT_EQ(judged({{"output", "matches"}, {"semantics", "homomorphism"}}, nothing).verdict, Verdict::exact)
      << "where vertices may share an image";
}

TEST_F(SubgraphJudge, RefusesMatchesWithoutTheirLabels) {
  SmallGraph data({1, 2, 1});
  data.edge(0, 1, 7).edge(1, 2, 8);
  SmallGraph query({1, 2});
  query.edge(0, 1, 8);
  const Dataset labelled = dataset_of("labelled", data, {query});
  const SubgraphMatching::Input input = subgraph_input(labelled, kMatches);
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  SubgraphMatching::Answer answer = right_answer(labelled, kMatches);
  ASSERT_EQ(answer.queries[0].matches, (std::vector<Vertex>{2, 1}));
  answer.queries[0].matches = {0, 1};
  EXPECT_EQ(SubgraphMatching::judge(input, answer, reference).difference,
            "query 0: match 0: query edge {0, 1} maps to {0, 1}, which is no edge of its label");
  answer.queries[0].matches = {1, 2};
  EXPECT_EQ(SubgraphMatching::judge(input, answer, reference).difference,
            "query 0: match 0: query vertex 0 maps to data vertex 1, which lacks a label of it");
}

TEST_F(SubgraphJudge, AsksForSoManyOfTheFirstMatches) {
  const SubgraphTask five{{"output", "first"}, {"first", std::int64_t{5}}};
  const SubgraphTask many{{"output", "first"}, {"first", std::int64_t{15}}};
  const auto fewer = [](auto& answer) {
    answer.queries[1].count -= 1;
    answer.queries[1].matches.resize(answer.queries[1].matches.size() - 3);
  };
  EXPECT_EQ(judged(five, fewer).difference, "query 1: expected 5 matches, found 4");
  EXPECT_EQ(judged(many, fewer).difference, "query 1: expected 15 matches, found 14");
  EXPECT_EQ(judged(many, nothing).metrics.at("matches"), 12 + 15) << "all, where there are fewer";
  const auto others = [&](auto& answer) {  // the last five of all serve as well
    const SubgraphMatching::Answer all = right_answer(dataset_, kMatches);
    const auto& matches = all.queries[1].matches;
    answer.queries[1].matches.assign(matches.end() - 15, matches.end());
  };
  EXPECT_EQ(judged(five, others).verdict, Verdict::exact);
  const auto more = [&](auto& answer) { answer = right_answer(dataset_, kMatches); };
  EXPECT_EQ(judged(five, more).verdict, Verdict::wrong);
}

TEST_F(SubgraphJudge, AsksNothingOfUnsolvedQueries) {
  const Judgement judgement = judged(kMatches, [](auto& answer) { answer.queries[0] = {false, 77, 0, {9}}; });
  EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
  EXPECT_EQ(judgement.metrics.at("solved"), 1);
  EXPECT_EQ(judgement.metrics.at("matches"), 16);
}

TEST_F(SubgraphJudge, NoticesWhatCorruptDoes) {
  const SubgraphMatching::Answer right = right_answer(dataset_, {});
  SubgraphMatching::Answer spoiled = right;
  SubgraphMatching::corrupt(spoiled);
  EXPECT_NE(SubgraphMatching::digest(right), SubgraphMatching::digest(spoiled));
  EXPECT_EQ(judged({}, [](auto& answer) { SubgraphMatching::corrupt(answer); }).verdict, Verdict::wrong);
  spoiled = right;
  spoiled.queries[0].solved = false;
  SubgraphMatching::corrupt(spoiled);
  EXPECT_EQ(spoiled.queries[1].count, right.queries[1].count + 1) << "an unsolved query cannot be spoiled";
}

// ---- references as bytes ----

TEST(SubgraphReference, IsTheSameAfterItWasStored) {
  const Dataset dataset = testing::random_subgraph_case(kSeed);
  for (const char* const output : {"count", "digest"}) {
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", output}});
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    std::vector<std::byte> bytes = SubgraphMatching::to_bytes(reference);
    const SubgraphMatching::Reference again = SubgraphMatching::from_bytes(input, bytes);
    EXPECT_EQ(again.counts, reference.counts);
    EXPECT_EQ(again.digests, reference.digests);
    EXPECT_EQ(again.digests.empty(), std::string(output) == "count");
    bytes.pop_back();
    EXPECT_THROW(static_cast<void>(SubgraphMatching::from_bytes(input, bytes)), std::runtime_error) << output;
  }
}

TEST(SubgraphCounts, NeverWrap) {
  EXPECT_EQ(matching::checked_add(kMost - 1, 1), kMost);
  EXPECT_EQ(matching::checked_add(kMost, 0), kMost);
  EXPECT_THROW(static_cast<void>(matching::checked_add(kMost, 1)), std::overflow_error);
  EXPECT_THROW(static_cast<void>(matching::checked_add(1, kMost)), std::overflow_error);
  EXPECT_EQ(matching::checked_multiply(kMost, 1), kMost);
  EXPECT_EQ(matching::checked_multiply(0, kMost), 0U);
  EXPECT_EQ(matching::checked_multiply(kMost, 0), 0U);
  EXPECT_EQ(matching::checked_multiply(std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) - 1), kMost - 0xffffffffU);
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
  EXPECT_TRUE(graph.row(0, matching::kNoLabel).empty());
  EXPECT_TRUE(graph.has_edge(2, 0, 1));
  EXPECT_FALSE(graph.has_edge(2, 0, 0));
  const matching::Graph& asked = input.queries()[0];
  EXPECT_EQ(asked.labels, (std::vector<matching::Label>{1, matching::kNoLabel}));
  EXPECT_EQ(asked.edge_labels, (std::vector<matching::Label>{1, matching::kNoLabel, 1, matching::kNoLabel}));
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
  EXPECT_THROW(static_cast<void>(subgraph_input(dataset_of("these", path(2), {path(2)}), {{"output", "some"}})),
               ParameterError);
}

TEST(SubgraphInput, GivesQueriesBackAsTheyWere) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Dataset dataset = testing::random_subgraph_case(kSeed + i);
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    std::vector<datasets::LabelledGraph> queries;
    for (std::int64_t q = 0; q < graphs.count(); ++q) queries.push_back(graphs.query(q));
    EXPECT_EQ(datasets::with_queries(graphs.data, queries), graphs) << dataset.name;
  }
}

}  // namespace
}  // namespace warpbench
