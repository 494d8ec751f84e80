// The GPU solvers of nearest_neighbors: never a wrong answer on awkward sets, the same path by every search where
// distances are exact, recall within bounds on every graph by every builder, and refusals.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench {
namespace {

using datasets::Metric;
using testing::Given;
using testing::Ids;
using testing::integer;
using testing::judged;
using testing::VectorSet;
using testing::word;
using Input = NearestNeighbors::Input;

constexpr std::uint64_t kSeed = 2023;

Ids answer(const std::string& id, const Input& input, const Given& given) {
  return testing::Prepared(id, input, given).answer();
}

/// Points of ganns; all are built with the search that simt runs fastest (construction_test.cu has the others).
const std::vector<Given> kGanns = [] {
  std::vector<Given> points{
      {},
      {{"method", word("pipelined")}, {"visited", integer(64)}, {"entries", integer(8)}},
      {{"method", word("pipelined")}, {"precision", word("fp16")}},
      {{"graph", word("knn")}, {"d_max", integer(16)}},
      {{"graph", word("hnsw")}, {"d_min", integer(4)}, {"groups", integer(3)}},
      {{"builder", word("naive_parallel")}, {"groups", integer(3)}},
  };
  for (Given& point : points) {
    point["build_search"] = word("pipelined");
    point["build_candidates"] = integer(32);
    point["candidates"] = integer(32);
  }
  return points;
}();

TEST(ExactGpu, IsExactOnAwkwardSets) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const Metric metric : testing::kMetrics) {
      const Input input{&set, metric, 10};
      const Judgement judgement = judged(input, answer("exact-gpu", input, {}));
      EXPECT_EQ(judgement.verdict, Verdict::exact) << name << ' ' << to_string(metric) << ": " << judgement.difference;
    }
  }
}

TEST(ExactGpu, TakesMoreThanATileOfEach) {
  const VectorSet set = testing::clustered(140, 130, 5, kSeed);
  for (const std::int64_t k : {3, 141}) {
    const Input input{&set, Metric::euclidean, k};
    EXPECT_EQ(judged(input, answer("exact-gpu", input, {})).verdict, Verdict::exact) << k;
  }
}

TEST(GraphSearch, IsNeverWrongOnAwkwardSets) {
  std::vector<testing::NamedVectors> sets = testing::adversarial_vectors();
  for (auto& [name, set] : sets) {
    const std::int64_t queries = std::min<std::int64_t>(set.query_count(), 4);
    set.queries = std::vector<float>(set.queries.begin(), set.queries.begin() + queries * set.dimension());
    const Input input{&set, Metric::euclidean, 10};
    for (const Given& given : kGanns) {
      if (given.contains("groups") && set.count() > 60) continue;  // seconds each on simt
      const Judgement judgement = judged(input, answer("ganns", input, given));
      EXPECT_EQ(judgement.difference, "") << name;
      if (testing::floods_the_rows(name)) continue;
      EXPECT_GE(judgement.metrics.at("recall"), 0.9) << name;
    }
    const Judgement judgement = judged(input, answer("song", input, {{"build_search", word("pipelined")}}));
    EXPECT_EQ(judgement.difference, "") << name;
    if (testing::floods_the_rows(name)) continue;
    EXPECT_GE(judgement.metrics.at("recall"), 0.9) << name;
  }
}

TEST(GraphSearch, TakesEveryMetric) {
  const VectorSet set = testing::clustered(150, 20, 12, kSeed);
  for (const Metric metric : testing::kMetrics) {
    const Input input{&set, metric, 10};
    for (const Given& given : {kGanns[0], kGanns[1], kGanns[2]}) {
      const Judgement judgement = judged(input, answer("ganns", input, given));
      EXPECT_EQ(judgement.difference, "") << to_string(metric);
      EXPECT_GE(judgement.metrics.at("recall"), 0.9) << to_string(metric);
    }
  }
}

TEST(GraphSearch, FindsTheSameByEverySearchOnTheSameGraph) {
  const VectorSet set = testing::whole_numbers(testing::clustered(200, 10, 6, kSeed), 40);
  const Input input{&set, Metric::euclidean, 10};
  const Given graph{{"build_search", word("pipelined")}, {"groups", integer(3)}, {"candidates", integer(32)}};
  const auto with = [&graph](const Given& more) {
    Given all = more;
    all.insert(graph.begin(), graph.end());
    return all;
  };
  const Ids expected = answer("ganns", input, graph);
  for (const int threads : {4, 8, 16}) {
    EXPECT_EQ(answer("ganns", input, with({{"threads_per_block", integer(threads)}})), expected) << threads;
  }
  for (const int visited : {0, 32, 1024}) {
    EXPECT_EQ(answer("ganns", input, with({{"method", word("pipelined")}, {"visited", integer(visited)}})), expected)
        << "a table of " << visited;
  }
  Given song{{"build_search", word("pipelined")}, {"groups", integer(3)}, {"queue", integer(32)}};
  for (const int threads : {4, 32}) {
    song["threads_per_block"] = integer(threads);
    EXPECT_EQ(answer("song", input, song), expected) << threads;
  }
}

TEST(GraphSearch, ExploresNoMoreThanItIsTold) {
  const VectorSet set = testing::clustered(250, 10, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  double before = 0;
  for (const int explore : {10, 64}) {
    const double recall =
        judged(input, answer("ganns", input, {{"explore", integer(explore)}, {"build_search", word("pipelined")}}))
            .metrics.at("recall");
    EXPECT_GE(recall, before);
    before = recall;
  }
  EXPECT_GT(before, 0.95);
}

TEST(GraphSearch, RefusesWhatMakesNoSense) {
  const VectorSet set = testing::clustered(50, 3, 4, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const auto refused = [&input](const std::string& id, const Given& given, const std::string& name) {
    try {
      static_cast<void>(answer(id, input, given));
      ADD_FAILURE() << name;
    } catch (const ParameterError& error) {
      EXPECT_EQ(error.name(), name);
    }
  };
  refused("ganns", {{"candidates", integer(48)}}, "candidates");
  refused("ganns", {{"threads_per_block", integer(12)}}, "threads_per_block");
  refused("ganns", {{"explore", integer(65)}}, "explore");
  refused("ganns", {{"precision", word("fp16")}}, "precision");
  refused("ganns", {{"entries", integer(2)}}, "entries");
  refused("ganns", {{"visited", integer(64)}}, "visited");
  refused("ganns", {{"method", word("pipelined")}, {"visited", integer(65)}}, "visited");
  refused("ganns", {{"method", word("pipelined")}, {"threads_per_block", integer(8)}}, "threads_per_block");
  refused("ganns", {{"d_min", integer(33)}}, "d_min");
  refused("ganns", {{"graph", word("knn")}, {"builder", word("serial")}}, "builder");
  refused("ganns", {{"graph", word("hnsw")}, {"builder", word("cpu")}}, "builder");
  refused("song", {{"queue", integer(100)}}, "queue");
  const Input wide{&set, Metric::euclidean, 65};
  EXPECT_THROW(answer("ganns", wide, {}), Unsupported);
  EXPECT_THROW(answer("song", wide, {}), Unsupported);
}

}  // namespace
}  // namespace warpbench
