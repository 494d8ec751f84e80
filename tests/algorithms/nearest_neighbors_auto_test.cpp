// auto of nearest_neighbors: its query sample and what that has to show, the recall that is reached, and the choice.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/nearest_neighbors/auto/fewest.hpp"
#include "algorithms/nearest_neighbors/auto/query_sample.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::testing {
namespace {

using nearest_neighbors::demanded_recall;
using nearest_neighbors::QuerySample;
using Input = NearestNeighbors::Input;

constexpr std::uint64_t kSeed = 2023;
constexpr const char* kPrecisions[] = {"int8", "fp16", "fp32"};

QuerySample sample_of(const Input& input, std::int64_t size) {
  const auto& exact = entry_of("exact-gpu");
  return {input, size, *exact.make(Parameters(exact.info.parameters, {}))};
}

TEST(QuerySample, DrawsTheSameQueriesEachTime) {
  const VectorSet set = clustered(50, 40, 4, kSeed);
  const Input input{&set, Metric::euclidean, 3};
  const QuerySample first = sample_of(input, 10);
  EXPECT_FALSE(first.is_held_out());
  EXPECT_EQ(first.rows(), sample_of(input, 10).rows());
  const std::set<std::int64_t> rows(first.rows().begin(), first.rows().end());
  EXPECT_EQ(rows.size(), 10U) << "a query twice";
  EXPECT_GE(*rows.begin(), 0);
  EXPECT_LT(*rows.rbegin(), 40);
  EXPECT_GT(*rows.rbegin(), 9) << "the first ones, which may be alike";
}

TEST(QuerySample, HoldsPointsOutWhereThereAreFewQueries) {
  const VectorSet set = clustered(100, 4, 4, kSeed);
  const Input input{&set, Metric::euclidean, 3};
  const QuerySample sample = sample_of(input, 50);
  EXPECT_TRUE(sample.is_held_out());
  EXPECT_EQ(sample.batch().points(), 90) << "a tenth at most is held out";
  EXPECT_EQ(sample.batch().queries(), 10);
  EXPECT_EQ(sample.places(), 30);
  for (const std::int64_t row : sample.rows()) {
    const auto query = sample.batch().vectors->query(row);
    for (std::int64_t i = 0; i < sample.batch().points(); ++i) {
      EXPECT_FALSE(std::ranges::equal(query, sample.batch().vectors->point(i))) << "it is in the graph itself";
    }
  }
}

TEST(QuerySample, HasTheRecallThatTheJudgeFinds) {
  for (const Metric metric : kMetrics) {
    const VectorSet set = clustered(60, 12, 6, kSeed);
    const Input input{&set, metric, 4};
    const QuerySample sample = sample_of(input, 12);
    Ids ids = as_answer(input, NearestNeighbors::reference(input));
    EXPECT_EQ(sample.recall({ids}), 1.0);
    const NearestNeighbors::Reference all = sorted_by_distance({&set, metric, 60});
    for (std::size_t query = 0; query < 12; ++query) {
      if (query % 2 == 0) ids[query * 4] = kNone<std::uint32_t>;
      if (query % 3 == 0) ids[query * 4 + 2] = all.neighbors[query * 60 + 30 + query];
    }
    EXPECT_DOUBLE_EQ(sample.recall({ids}), judged(input, ids).metrics.at("recall")) << to_string(metric);
  }
}

/// Less of a larger sample; never more than all places.
TEST(QuerySample, DemandsMoreThanIsWanted) {
  EXPECT_NEAR(demanded_recall(0.9, 10'000), 0.9 + 2.33 * 0.003, 1e-9);
  EXPECT_LT(demanded_recall(0.9, 40'000), demanded_recall(0.9, 10'000));
  EXPECT_EQ(demanded_recall(0.999, 100), 1.0);
  EXPECT_EQ(demanded_recall(1, 10'000), 1.0);
}

struct Attempt {
  std::int64_t effort;
  bool reaches;
};

TEST(Fewest, IsTheLeastThatReaches) {
  for (const std::int64_t most : {1, 2, 3, 20, 512}) {
    for (std::int64_t needed = 1; needed <= most; ++needed) {
      std::int64_t hardest = 0;
      const Attempt found = nearest_neighbors::fewest(most, [&](std::int64_t effort) {
        hardest = std::max(hardest, effort);
        return Attempt{effort, effort >= needed};
      });
      EXPECT_TRUE(found.reaches);
      EXPECT_EQ(found.effort, needed) << "of " << most;
      EXPECT_LE(hardest, 2 * needed) << "of " << most;
    }
  }
}

TEST(Fewest, IsTheMostWhereNoneReaches) {
  for (const std::int64_t most : {1, 3, 20, 512}) {
    const Attempt found = nearest_neighbors::fewest(most, [](std::int64_t effort) { return Attempt{effort, false}; });
    EXPECT_FALSE(found.reaches);
    EXPECT_EQ(found.effort, most);
  }
}

/// auto with a wanted recall, of which `sampled` queries are to show.
Prepared prepared_for(double recall, std::int64_t sampled, const Input& input) {
  return Prepared("auto", input, {{"recall", recall}, {"query_sample", integer(sampled)}});
}

/// The whole batch is the sample, so what is estimated is what the judge finds. Of 50 neighbours a search that explores
/// few entries misses some.
TEST(AutoOfNearestNeighbors, ReachesTheWantedRecall) {
  const VectorSet set = clustered(150, 20, 16, kSeed);
  const Input input{&set, Metric::euclidean, 50};
  std::map<std::string, double> before;
  for (const double recall : {0.5, 0.9, 0.99}) {
    Prepared chosen = prepared_for(recall, 20, input);
    const Judgement judgement = judged(input, chosen.answer());
    std::map<std::string, double> counters = chosen.solver->counters();
    EXPECT_EQ(judgement.difference, "");
    EXPECT_EQ(counters["reached"], 1);
    EXPECT_EQ(counters["sampled_queries"], 20);
    EXPECT_GE(counters["estimated_recall"], demanded_recall(recall, 1000));
    EXPECT_DOUBLE_EQ(judgement.metrics.at("recall"), counters["estimated_recall"]);
    int chosen_precisions = 0;
    for (const std::string precision : kPrecisions) {
      const double explore = counters["explore_" + precision];
      EXPECT_GE(explore, before["explore_" + precision]) << "a higher recall explores less";
      if (!counters.contains("chose_" + precision)) continue;
      ++chosen_precisions;
      EXPECT_EQ(counters["explore"], explore);
    }
    EXPECT_EQ(chosen_precisions, 1);
    EXPECT_GE(counters["candidates"], std::max(counters["explore"], 50.0));
    before = counters;
  }
  EXPECT_GT(before["explore_fp32"], 1) << "points that show no difference";
}

/// Two groups that lie so far apart that 8 bits, and halves, do not tell points of a group from each other.
VectorSet far_groups() {
  VectorSet set = clustered(160, 10, 8, kSeed);
  const auto moved = [](const datasets::Array<float>& values) {
    std::vector<float> all(values.begin(), values.end());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += i / 8 % 2 == 0 ? 20'000.0F : -20'000.0F;
    return all;
  };
  set.points = moved(set.points);
  set.queries = moved(set.queries);
  return set;
}

TEST(AutoOfNearestNeighbors, ChoosesAPrecisionThatReachesTheRecall) {
  const VectorSet set = far_groups();
  const Input input{&set, Metric::euclidean, 10};
  Prepared chosen = prepared_for(0.9, 10, input);
  EXPECT_GE(judged(input, chosen.answer()).metrics.at("recall"), 0.9);
  std::map<std::string, double> counters = chosen.solver->counters();
  EXPECT_EQ(counters["explore_int8"], 512) << "points that 8 bits tell from each other";
  EXPECT_EQ(counters["explore_fp16"], 512) << "points that halves tell from each other";
  EXPECT_EQ(counters["chose_fp32"], 1);
}

TEST(AutoOfNearestNeighbors, EstimatesByPointsThatAreHeldOut) {
  const VectorSet set = clustered(150, 5, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  Prepared chosen = prepared_for(0.9, 100, input);
  const Ids answer = chosen.answer();
  EXPECT_EQ(answer.size(), 50U);
  EXPECT_GE(judged(input, answer).metrics.at("recall"), 0.9);
  std::map<std::string, double> counters = chosen.solver->counters();
  EXPECT_EQ(counters["sampled_queries"], 15);
  EXPECT_EQ(counters["reached"], 1);
}

/// Nothing can be held out of nine points, so no recall can be shown.
TEST(AutoOfNearestNeighbors, SaysWhereTheRecallIsNotReached) {
  const VectorSet set = clustered(9, 3, 4, kSeed);
  const Input input{&set, Metric::euclidean, 5};
  Prepared chosen = prepared_for(0.9, 100, input);
  EXPECT_EQ(judged(input, chosen.answer()).verdict, Verdict::exact);
  std::map<std::string, double> counters = chosen.solver->counters();
  EXPECT_EQ(counters["reached"], 0);
  EXPECT_EQ(counters["explore"], 512) << "not the best that there is";
}

TEST(AutoOfNearestNeighbors, RefusesWhatMakesNoSense) {
  const VectorSet set = clustered(50, 3, 4, kSeed);
  const Input input{&set, Metric::euclidean, 513};
  EXPECT_THROW(prepared_for(0, 10, input), ParameterError);
  EXPECT_THROW(prepared_for(0.9, 10, input), Unsupported);
}

}  // namespace
}  // namespace warpbench::testing
