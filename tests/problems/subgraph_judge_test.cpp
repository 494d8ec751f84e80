// The judge of subgraph_matching: it accepts what brute force finds, and refuses answers that are wrong.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <thread>

#include "problems/subgraph_matching/problem.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/problems/support/subgraph_brute_force.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::testing {
namespace {

using datasets::Dataset;
using matching::Vertex;

/// The right answer, from all maps.
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

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
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
      const Judgement judgement = judged({{"output", output}, {"semantics", semantics}, {"first", 5}}, nothing);
      EXPECT_EQ(judgement.verdict, Verdict::exact) << output << ", " << semantics << ": " << judgement.difference;
      EXPECT_EQ(judgement.metrics.at("solved"), 2);
      EXPECT_EQ(judgement.metrics.at("verified"), 2);
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

TEST_F(SubgraphJudge, NamesTheFileOfTheQuery) {
  Dataset from_files = dataset_;
  const std::string_view names = "q_3.graph\nq_9.graph\n";
  from_files.query_names = std::vector<char>(names.begin(), names.end());
  const SubgraphMatching::Input input = subgraph_input(from_files, {});
  SubgraphMatching::Answer answer = right_answer(from_files, {});
  ++answer.queries[1].count;
  EXPECT_EQ(SubgraphMatching::judge(input, answer, SubgraphMatching::reference(input)).difference,
            "query 1 (q_9.graph): expected 16 matches, found 17");
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
  const SubgraphTask five{{"output", "first"}, {"first", 5}};
  const SubgraphTask many{{"output", "first"}, {"first", 15}};
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

/// Threads that a judge leaves behind would spin beside the next timed solve.
TEST_F(SubgraphJudge, LeavesNoThreadsBehind) {
  const SubgraphMatching::Input input = subgraph_input(dataset_, kMatches);
  const SubgraphMatching::Answer right = right_answer(dataset_, kMatches);
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  ASSERT_EQ(omp_pause_resource_all(omp_pause_soft), 0);  // ends those of the reference
  const std::ptrdiff_t before = threads_of_this_process();
  EXPECT_NE(right.digest(), 0U);
  EXPECT_EQ(SubgraphMatching::judge(input, right, reference).verdict, Verdict::exact);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);  // to exit takes a moment
  while (threads_of_this_process() > before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(threads_of_this_process(), before);
}

TEST_F(SubgraphJudge, DigestsTheMatchesThemselvesInAnyOrder) {
  const SubgraphMatching::Answer right = right_answer(dataset_, kMatches);
  SubgraphMatching::Answer other = right;
  std::vector<std::uint32_t>& matches = other.queries[1].matches;
  std::ranges::rotate(matches, matches.begin() + 3);  // a path of three vertices
  EXPECT_EQ(other.digest(), right.digest());
  std::swap(matches[0], matches[1]);
  EXPECT_NE(other.digest(), right.digest());
  other = right;
  other.queries[0].matches.pop_back();
  EXPECT_NE(other.digest(), right.digest()) << "no whole row";
}

TEST_F(SubgraphJudge, AsksNothingOfUnsolvedQueries) {
  const Judgement judgement = judged(kMatches, [](auto& answer) { answer.queries[0] = {false, 77, 0, {9}}; });
  EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
  EXPECT_EQ(judgement.metrics.at("solved"), 1);
  EXPECT_EQ(judgement.metrics.at("matches"), 16);
}

TEST_F(SubgraphJudge, NamesUnsolvedQueries) {
  const auto leave_the_first = [](auto& answer) { answer.queries[0] = {}; };
  EXPECT_TRUE(judged(kMatches, leave_the_first).metrics.contains("unsolved_query_0"));
  EXPECT_FALSE(judged(kMatches, leave_the_first).metrics.contains("unsolved_query_1"));

  SubgraphMatching::Input input = subgraph_input(dataset_, kMatches);
  SubgraphMatching::Graphs named = *input.graphs;
  named.query_files = {"query_dense_3_8.graph", "query_sparse_3_2.graph"};
  input.graphs = std::make_shared<const SubgraphMatching::Graphs>(named);
  SubgraphMatching::Answer answer = right_answer(dataset_, kMatches);
  answer.queries[1] = {};
  const Judgement judgement = SubgraphMatching::judge(input, answer, SubgraphMatching::reference(input));
  EXPECT_EQ(judgement.metrics.at("unsolved_query_sparse_3_2"), 1);
  EXPECT_FALSE(judgement.metrics.contains("unsolved_query_dense_3_8"));
}

TEST_F(SubgraphJudge, VerifiesQueryByQuery) {
  constexpr std::uint64_t kOpen = kNone<std::uint64_t>;
  const auto judged_by = [&](const SubgraphTask& task, const SubgraphMatching::Reference& reference,
                             const SubgraphMatching::Answer& answer) {
    return SubgraphMatching::judge(subgraph_input(dataset_, task), answer, reference);
  };
  SubgraphMatching::Answer answer = right_answer(dataset_, {});
  answer.queries[0].count = 11;  // nobody can tell
  const Judgement half = judged_by({}, {{kOpen, 16}, {}}, answer);
  EXPECT_EQ(half.verdict, Verdict::exact) << half.difference;
  EXPECT_EQ(half.metrics, (std::map<std::string, double>{
                              {"solved", 2}, {"verified", 1}, {"matches", 27}, {"unverified_count_of_query_0", 11}}));
  EXPECT_EQ(judged_by({}, {{kOpen, 15}, {}}, answer).verdict, Verdict::wrong);
  const Judgement none = judged_by({}, {{kOpen, kOpen}, {}}, answer);
  EXPECT_EQ(none.verdict, Verdict::unverified);
  EXPECT_EQ(none.difference, "the reference left all 2 solved queries open");
  EXPECT_EQ(none.metrics.at("unverified_count_of_query_1"), 16);

  const SubgraphMatching::Answer all = right_answer(dataset_, kMatches);
  EXPECT_EQ(judged_by(kMatches, {{kOpen, kOpen}, {}}, all).verdict, Verdict::unverified);
  SubgraphMatching::Answer no_match = all;
  no_match.queries[0].matches[1] = no_match.queries[0].matches[0];
  EXPECT_EQ(judged_by(kMatches, {{kOpen, kOpen}, {}}, no_match).verdict, Verdict::wrong) << "which needs no reference";

  const SubgraphTask five{{"output", "first"}, {"first", 5}};
  EXPECT_EQ(judged_by(five, {{kOpen, kOpen}, {}}, right_answer(dataset_, five)).verdict, Verdict::exact)
      << "as many as were asked for, and each a match";
  EXPECT_EQ(judged_by(five, {{kOpen, kOpen}, {}}, all).difference, "query 0: expected at most 5 matches, found 12");
}

TEST_F(SubgraphJudge, NoticesASpoiledAnswer) {
  const SubgraphMatching::Answer right = right_answer(dataset_, {});
  SubgraphMatching::Answer spoiled = right;
  spoil(spoiled);
  EXPECT_NE(right.digest(), spoiled.digest());
  EXPECT_EQ(judged({}, [](auto& answer) { spoil(answer); }).verdict, Verdict::wrong);
  spoiled = right;
  spoiled.queries[0].solved = false;
  spoil(spoiled);
  EXPECT_EQ(spoiled.queries[1].count, right.queries[1].count + 1) << "an unsolved query cannot be spoiled";
}

}  // namespace
}  // namespace warpbench::testing
