// The rules of nearest_neighbors: the reference against a full sort, and the judge against answers that are wrong,
// incomplete, tied or only rounded.
#include "problems/nearest_neighbors/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "datasets/input_error.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/problems/support/vectors.hpp"
#include "tests/support/figure.hpp"

namespace warpbench {
namespace {

using testing::NamedVectors;
using testing::VectorSet;
using Ids = std::vector<std::uint32_t>;
using Input = NearestNeighbors::Input;
using Reference = NearestNeighbors::Reference;
using datasets::Metric;

constexpr std::uint64_t kSeed = 20230413;
constexpr auto kNone = warpbench::kNone<std::uint32_t>;

Judgement judge(const Input& input, Ids ids) {
  return NearestNeighbors::judge(input, {ids}, testing::sorted_by_distance(input));
}

// ---- reference ----

void expect_reference(const Input& input, const std::string& name) {
  const Reference expected = testing::sorted_by_distance(input);
  const Reference found = NearestNeighbors::reference(input);
  ASSERT_EQ(found.neighbors.size(), expected.neighbors.size()) << name;
  EXPECT_EQ(found.neighbors, expected.neighbors) << name;
  EXPECT_EQ(found.distances, expected.distances) << name;
  Ids answer = testing::as_answer(input, found);
  EXPECT_EQ(NearestNeighbors::judge(input, {answer}, expected).verdict, Verdict::exact) << name;
}

TEST(NearestNeighborsReference, AgreesWithAFullSortOnAdversarialSets) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const Metric metric : testing::kMetrics) {
      for (const std::int64_t k : {1, 3, 10, 1024}) {
        expect_reference({&set, metric, k}, name + ", " + std::string(to_string(metric)) + ", k " + std::to_string(k));
      }
    }
  }
}

TEST(NearestNeighborsReference, AgreesWithAFullSortOn500RandomSets) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    std::mt19937_64 random(kSeed + i);
    const VectorSet set = testing::clustered(1 + random() % 300, 1 + random() % 80,
                                             static_cast<std::uint32_t>(1 + random() % 40), kSeed + i);
    const Metric metric = testing::kMetrics[random() % 3];
    expect_reference({&set, metric, static_cast<std::int64_t>(1 + random() % 12)},
                     "seed " + std::to_string(kSeed + i) + ", " + std::string(to_string(metric)));
  }
  testing::print_figure("nearest_neighbors: 500 random sets of vectors");
}

TEST(NearestNeighborsReference, OfPointsOnALine) {
  const VectorSet set = testing::vectors_of(1, {5, 1, 4, 2, 3, 4}, {3.75F});
  const Reference reference = NearestNeighbors::reference({&set, Metric::euclidean, 4});
  EXPECT_EQ(reference.neighbors, (Ids{2, 5, 4, 0})) << "ties ascend by id";
  EXPECT_EQ(reference.distances, (std::vector<double>{0.0625, 0.0625, 0.5625, 1.5625})) << "squared";
}

// ---- the judge: wrong answers ----

TEST(NearestNeighborsJudge, NamesWhatIsWrongAndWhere) {
  const VectorSet set = testing::vectors_of(1, {0, 1, 2, 3, 4}, {0, 4, 2});
  const Input input{&set, Metric::euclidean, 3};
  const Ids right = testing::as_answer(input, testing::sorted_by_distance(input));
  ASSERT_EQ(right, (Ids{0, 1, 2, 4, 3, 2, 2, 1, 3}));
  const auto difference = [&](std::size_t place, std::uint32_t id) {
    Ids ids = right;
    ids[place] = id;
    const Judgement judgement = judge(input, ids);
    EXPECT_EQ(judgement.verdict, Verdict::wrong);
    EXPECT_TRUE(judgement.metrics.empty());
    return judgement.difference;
  };
  EXPECT_EQ(difference(4, 5), "query 1, place 1: expected the id of one of 5 points, found 5");
  EXPECT_EQ(difference(8, kNone - 1), "query 2, place 2: expected the id of one of 5 points, found 4294967294");
  EXPECT_EQ(difference(5, 4), "query 1, place 2: expected another point than at place 0, found 4 again");
  EXPECT_EQ(difference(1, 0), "query 0, place 1: expected another point than at place 0, found 0 again");

  Ids two_faults = right;
  two_faults[3] = 9;
  two_faults[7] = 9;
  EXPECT_EQ(judge(input, two_faults).difference, "query 1, place 0: expected the id of one of 5 points, found 9");
  Ids in_one_row = right;
  in_one_row[1] = 0;
  in_one_row[2] = 9;
  EXPECT_EQ(judge(input, in_one_row).difference,
            "query 0, place 1: expected another point than at place 0, found 0 again");
}

TEST(NearestNeighborsJudge, RefusesAnAnswerOfTheWrongSize) {
  const VectorSet set = testing::clustered(20, 4, 3, 1);
  const Input input{&set, Metric::euclidean, 3};
  const Ids right = testing::as_answer(input, testing::sorted_by_distance(input));
  EXPECT_EQ(judge(input, Ids(right.begin(), right.end() - 1)).difference,
            "expected 12 ids, 3 for each of 4 queries, found 11");
  for (const std::size_t size : {0U, 3U, 9U, 13U, 15U, 24U}) {
    Ids ids = right;
    ids.resize(size, kNone);
    EXPECT_EQ(judge(input, ids).verdict, Verdict::wrong) << size;
  }
}

TEST(NearestNeighborsJudge, FindsTheFirstFaultOfManyQueries) {
  const VectorSet set = testing::clustered(50, 500, 3, 1);
  const Input input{&set, Metric::euclidean, 2};
  Ids ids = testing::as_answer(input, testing::sorted_by_distance(input));
  for (std::size_t query = 123; query < 500; query += 7) ids[2 * query + 1] = ids[2 * query];
  for (int round = 0; round < 20; ++round) EXPECT_EQ(judge(input, ids).difference.substr(0, 10), "query 123,");
}

/// Whoever finds nearer points shows that the reference is wrong.
TEST(NearestNeighborsJudge, RaisesTheAlarmAtAnAnswerNearerThanTheReference) {
  const VectorSet set = testing::vectors_of(1, {0, 1, 2, 3, 4}, {0, 4});
  const Input input{&set, Metric::euclidean, 3};
  Ids right = testing::as_answer(input, testing::sorted_by_distance(input));
  Reference reference = testing::sorted_by_distance(input);
  reference.neighbors = {0, 1, 2, 4, 2, 1};
  reference.distances = {0, 1, 4, 0, 4, 9};
  const Judgement judgement = NearestNeighbors::judge(input, {right}, reference);
  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(
      judgement.difference,
      "query 1: expected no point nearer than the reference's, at 4 on place 1, found point 3 at 1: the reference "
      "is wrong");
  Ids same = reference.neighbors;
  EXPECT_EQ(NearestNeighbors::judge(input, {same}, reference).verdict, Verdict::exact);
  for (const Metric metric : testing::kMetrics) {
    const VectorSet clustered = testing::clustered(200, 30, 7, kSeed);
    const Input asked{&clustered, metric, 10};
    Reference missing = testing::sorted_by_distance(asked);
    Ids all = testing::as_answer(asked, missing);
    missing.distances[299] += 1e-9;
    EXPECT_EQ(NearestNeighbors::judge(asked, {all}, missing).difference.substr(0, 9), "query 29:") << to_string(metric);
    missing.distances[299] -= 1e-9;
    missing.distances[299] *= 1 + 1e-14;
    EXPECT_EQ(NearestNeighbors::judge(asked, {all}, missing).verdict, Verdict::exact) << "another rounding";
  }
}

// ---- the judge: incomplete and tied answers ----

TEST(NearestNeighborsJudge, CountsMisses) {
  const VectorSet set = testing::clustered(100, 4, 6, 1);
  const Input input{&set, Metric::euclidean, 10};
  const Input all{&set, Metric::euclidean, 100};
  const Reference sorted = testing::sorted_by_distance(all);
  const Ids right = testing::as_answer(input, testing::sorted_by_distance(input));
  EXPECT_EQ(judge(input, right).verdict, Verdict::exact);
  EXPECT_EQ(judge(input, right).metrics, (std::map<std::string, double>{{"recall", 1}, {"recall_minimum", 1}}));

  Ids farther = right;
  farther[13] = sorted.neighbors[100 + 10];  // the 11th nearest of query 1
  Ids none = right;
  none[13] = kNone;
  for (const Ids& ids : {farther, none}) {
    const Judgement judgement = judge(input, ids);
    EXPECT_EQ(judgement.verdict, Verdict::approximate);
    EXPECT_EQ(judgement.difference, "");
    EXPECT_DOUBLE_EQ(judgement.metrics.at("recall"), 39.0 / 40);
    EXPECT_DOUBLE_EQ(judgement.metrics.at("recall_minimum"), 0.9);
  }
  const Judgement nothing = judge(input, Ids(40, kNone));
  EXPECT_EQ(nothing.verdict, Verdict::approximate);
  EXPECT_EQ(nothing.metrics.at("recall"), 0);
  EXPECT_EQ(nothing.metrics.at("recall_minimum"), 0);

  Ids of_others = right;
  std::ranges::rotate(of_others, of_others.begin() + 10);
  EXPECT_LT(judge(input, of_others).metrics.at("recall"), 1);
}

TEST(NearestNeighborsJudge, DoesNotJudgeTheOrderWithinARow) {
  const VectorSet set = testing::clustered(100, 4, 6, 1);
  const Input input{&set, Metric::euclidean, 10};
  Ids ids = testing::as_answer(input, testing::sorted_by_distance(input));
  std::reverse(ids.begin() + 10, ids.begin() + 20);
  EXPECT_EQ(judge(input, ids).verdict, Verdict::exact);
}

TEST(NearestNeighborsJudge, TakesAnyOfTiedPoints) {
  const VectorSet equal = testing::vectors_of(2, std::vector<float>(2 * 9, 1.5F), {0, 0});
  const VectorSet around = testing::vectors_of(2, {1, 0, 0, 1, -1, 0, 0, -1, 0, 0, 2, 0}, {0, 0});
  for (const Metric metric : testing::kMetrics) {
    EXPECT_EQ(judge({&equal, metric, 2}, {8, 3}).verdict, Verdict::exact);
  }
  EXPECT_EQ(judge({&around, Metric::euclidean, 3}, {4, 3, 1}).verdict, Verdict::exact);
  EXPECT_EQ(judge({&around, Metric::euclidean, 3}, {4, 5, 1}).verdict, Verdict::approximate);
}

TEST(NearestNeighborsJudge, WantsNoMorePointsThanThereAre) {
  const VectorSet set = testing::vectors_of(1, {0, 1, 2}, {0});
  const Input input{&set, Metric::euclidean, 5};
  EXPECT_EQ(judge(input, {0, 1, 2, kNone, kNone}).verdict, Verdict::exact);
  EXPECT_EQ(judge(input, {kNone, 2, 0, kNone, 1}).verdict, Verdict::exact);
  EXPECT_DOUBLE_EQ(judge(input, {0, 1, kNone, kNone, kNone}).metrics.at("recall"), 2.0 / 3);
  EXPECT_EQ(judge(input, {0, 1, 2, 3, kNone}).verdict, Verdict::wrong);
  EXPECT_EQ(judge(input, {0, 1, 2, 2, kNone}).verdict, Verdict::wrong);
}

// ---- the judge: tolerance ----

/// Whether point 1 counts as the nearest neighbour where point 0 is.
bool counts(const VectorSet& set, Metric metric) {
  return judge({&set, metric, 1}, {1}).verdict == Verdict::exact;
}

TEST(NearestNeighborsJudge, ToleratesAMillionthOfTheSquaredDistance) {
  EXPECT_TRUE(counts(testing::vectors_of(1, {1, 1.0000004F}, {0}), Metric::euclidean));
  EXPECT_FALSE(counts(testing::vectors_of(1, {1, 1.000001F}, {0}), Metric::euclidean));
  EXPECT_TRUE(counts(testing::vectors_of(1, {1000, 1000.0004F}, {0}), Metric::euclidean)) << "relative";
  EXPECT_FALSE(counts(testing::vectors_of(1, {0.001F, 0.00100001F}, {0}), Metric::euclidean)) << "relative";
  EXPECT_FALSE(counts(testing::vectors_of(1, {0, 1e-15F}, {0}), Metric::euclidean)) << "at 0 only 0 counts";
}

TEST(NearestNeighborsJudge, ToleratesAMillionthOfTheLengthsInProducts) {
  EXPECT_TRUE(counts(testing::vectors_of(1, {1, 0.9999995F}, {1}), Metric::inner_product));
  EXPECT_FALSE(counts(testing::vectors_of(1, {1, 0.999998F}, {1}), Metric::inner_product));
  EXPECT_TRUE(counts(testing::vectors_of(2, {0.0005F, 1000, 0, 1000}, {1, 0}), Metric::inner_product));
  EXPECT_FALSE(counts(testing::vectors_of(2, {0.002F, 1000, 0, 1000}, {1, 0}), Metric::inner_product));
  EXPECT_TRUE(counts(testing::vectors_of(2, {5, 0, 7, 0.007F}, {1, 0}), Metric::cosine)) << "1 - cos = 5e-7";
  EXPECT_FALSE(counts(testing::vectors_of(2, {5, 0, 7, 0.014F}, {1, 0}), Metric::cosine)) << "1 - cos = 2e-6";
}

TEST(NearestNeighborsJudge, NoticesASpoiledAnswer) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const std::int64_t k : {1, 10}) {
      const Input input{&set, Metric::euclidean, k};
      Ids ids = testing::as_answer(input, testing::sorted_by_distance(input));
      NearestNeighbors::Answer answer{ids};
      const std::uint64_t before = answer.digest();
      testing::spoil(answer);
      EXPECT_EQ(NearestNeighbors::judge(input, answer, testing::sorted_by_distance(input)).verdict, Verdict::wrong)
          << name;
      EXPECT_NE(answer.digest(), before) << name;
    }
  }
  NearestNeighbors::Answer none;
  testing::spoil(none);
  EXPECT_EQ(none.neighbors.size(), 1U);
}

// ---- stored references, input, facts ----

TEST(NearestNeighborsBytes, RoundTrip) {
  for (const auto& [name, set] : testing::adversarial_vectors()) {
    for (const Metric metric : testing::kMetrics) {
      const Input input{&set, metric, 10};
      const Reference reference = NearestNeighbors::reference(input);
      const Reference again = stored_reference<NearestNeighbors>(input, bytes_of(reference));
      EXPECT_EQ(again.neighbors, reference.neighbors) << name;
      EXPECT_EQ(again.distances, reference.distances) << name;
    }
  }
}

std::string refusal(const Input& input, const Reference& reference) {
  try {
    (void)stored_reference<NearestNeighbors>(input, bytes_of(reference));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NearestNeighborsBytes, RefusesWhatDoesNotFitTheInput) {
  const VectorSet set = testing::vectors_of(1, {0, 1, 2, 3}, {0, 3});
  const Input input{&set, Metric::euclidean, 3};
  const Reference right = NearestNeighbors::reference(input);
  ASSERT_EQ(refusal(input, right), "accepted");
  const std::vector<std::byte> bytes = bytes_of(right);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)stored_reference<NearestNeighbors>(input, std::span(bytes).first(size)), std::runtime_error)
        << size;
  }
  const auto changed = [&](std::size_t place, std::uint32_t id, double distance) {
    Reference reference = right;
    reference.neighbors[place] = id;
    reference.distances[place] = distance;
    return refusal(input, reference);
  };
  const std::string begin = "a stored reference of nearest_neighbors: ";
  EXPECT_EQ(changed(4, 4, 1), begin + "query 1, place 1 holds the id 4, but there are 4 points");
  EXPECT_EQ(changed(4, 2, 1.5), begin + "query 1, place 1 holds the distance 1.5, but point 2 is at 1");
  EXPECT_EQ(changed(4, 3, 0), begin + "query 1, place 1 is not farther than the place before it");
  EXPECT_NE(changed(5, 2, 1.0000001), "accepted") << "the same point twice";
  Reference nearest = NearestNeighbors::reference({&set, Metric::euclidean, 1});
  EXPECT_EQ(refusal({&set, Metric::euclidean, 1}, nearest), "accepted");
  nearest.distances[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal({&set, Metric::euclidean, 1}, nearest), "accepted");
}

datasets::Dataset dataset_of(VectorSet set) {
  datasets::Dataset dataset;
  dataset.name = "few";
  dataset.data = std::move(set);
  return dataset;
}

TEST(NearestNeighborsInput, TakesTheMetricAskedForOrThePublishedOne) {
  const datasets::Dataset dataset = dataset_of(testing::vectors_of(1, {0, 1}, {0}, Metric::cosine));
  const auto input = [&](const std::map<std::string, Value>& task) {
    return NearestNeighbors::input(dataset, Parameters(NearestNeighbors::info().task, task));
  };
  EXPECT_EQ(input({}).metric, Metric::cosine);
  EXPECT_EQ(input({}).k, 10);
  EXPECT_EQ(input({{"k", 1024}}).k, 1024);
  for (const Metric metric : testing::kMetrics) {
    EXPECT_EQ(input({{"metric", std::string(to_string(metric))}}).metric, metric);
  }
  EXPECT_THROW((void)input({{"k", 0}}), ParameterError);
  EXPECT_THROW((void)input({{"k", 1025}}), ParameterError);
  EXPECT_THROW((void)input({{"metric", "manhattan"}}), ParameterError);
}

TEST(NearestNeighborsInput, RefusesSetsWithoutPointsOrQueries) {
  const Parameters task(NearestNeighbors::info().task, {});
  const auto refused = [&](const datasets::Dataset& dataset) -> std::string {
    try {
      (void)NearestNeighbors::input(dataset, task);
    } catch (const datasets::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refused(dataset_of(testing::vectors_of(1, {}, {1}))).find("at least one point"), std::string::npos);
  EXPECT_NE(refused(dataset_of(testing::vectors_of(1, {1}, {}))).find("vectors with queries"), std::string::npos);
  EXPECT_NE(refused(datasets::Dataset{}), "accepted") << "no vectors at all";
  EXPECT_EQ(refused(dataset_of(testing::vectors_of(1, {1}, {1}))), "accepted");
}

TEST(NearestNeighborsInfo, IsRegistered) {
  const ProblemEntry* entry = find_problem("nearest_neighbors");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->info.accepts, std::vector{datasets::Kind::Vectors});
  const VectorSet set = testing::clustered(20, 4, 3, 1);
  EXPECT_EQ((NearestNeighbors::Input{&set, Metric::euclidean, 3}.work()),
            (std::map<std::string, double>{{"queries", 4}, {"points", 20}, {"dimension", 3}}));
  EXPECT_EQ(entry->info.work_unit, "queries");
}

TEST(NearestNeighborsInfo, DigestTellsLengthsAndPlacesApart) {
  std::vector<Ids> answers = {{}, {0}, {0, 0}, {1, 0}, {0, 1}, {kNone, 0}};
  std::vector<std::uint64_t> digests;
  for (Ids& ids : answers) digests.push_back(NearestNeighbors::Answer{ids}.digest());
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
  Ids two{7, 9};
  EXPECT_EQ(NearestNeighbors::Answer{two}.digest(), mix64(mix64(0) ^ 7) + mix64(mix64(1) ^ 9) + 2)
      << "as GPU solvers sum it";
}

}  // namespace
}  // namespace warpbench
