// The CPU solvers of nearest_neighbors by every metric, on random data and, where it is here, on MNIST: exact solvers
// are exact, the others keep a bound on recall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "build_info.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/mnist.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/solver_ids.hpp"
#include "tests/problems/support/vectors.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using datasets::Metric;
using Problem = NearestNeighbors;
using Input = Problem::Input;

constexpr std::uint64_t kSeed = 1133;
constexpr std::uint32_t kPoison = 0xdeadbeefU;

/// The solvers of this folder write their answers where solve() left them the last time.
struct Prepared : testing::Prepared {
  using testing::Prepared::Prepared;

  /// The second of two answers; the first was poisoned, so that places that are never written show.
  Ids answer() {
    std::ranges::fill(solve().neighbors, kPoison);
    return testing::Prepared::answer();
  }
};

class CpuSolver : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!info().unavailable.empty()) GTEST_SKIP() << info().unavailable;
  }
  [[nodiscard]] static const SolverInfo& info() { return entry_of(GetParam()).info; }
};

TEST_P(CpuSolver, FindsWhatSmallSetsHold) {
  for (const auto& [name, set] : adversarial_vectors()) {
    for (const Metric metric : kMetrics) {
      for (const std::int64_t k : {1, 10, 300}) {
        const Input input{&set, metric, k};
        Prepared prepared(GetParam(), input, {{"threads", integer(2)}});
        const Judgement judgement = judged(input, prepared.answer());
        EXPECT_EQ(judgement.difference, "") << name;
        const double min_recall = GetParam() == "exact" ? 1 : 0.9;
        EXPECT_GE(judgement.metrics.at("recall"), min_recall) << name << ", " << to_string(metric) << ", k " << k;
      }
    }
  }
}

/// Want of memory is thrown, however many threads there are; the next query is answered.
TEST_P(CpuSolver, OutlivesWantOfMemory) {
  if (GetParam() == "hnsw" && build_info::kSanitizer[0] != '\0') GTEST_SKIP() << "hnswlib itself leaks then";
  const VectorSet set = clustered(60, 8, 4, kSeed);
  const Input input{&set, Metric::euclidean, 5};
  Prepared prepared(GetParam(), input, {{"threads", integer(2)}});
  const Ids expected = prepared.answer();
  fail_each_allocation([&] { prepared.solve(); });
  EXPECT_EQ(prepared.answer(), expected);
}

TEST_P(CpuSolver, AnswersInAscendingOrder) {
  const VectorSet set = clustered(500, 30, 10, kSeed);
  for (const Metric metric : kMetrics) {
    const Input input{&set, metric, 10};
    const Ids ids = Prepared(GetParam(), input, {}).answer();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i % 10 == 0) continue;
      const auto query = set.query(static_cast<std::int64_t>(i / 10));
      EXPECT_LE(nearest_neighbors::distance(metric, query, set.point(ids[i - 1])),
                nearest_neighbors::distance(metric, query, set.point(ids[i])) + 1e-5)
          << to_string(metric) << ", place " << i;
    }
  }
}

TEST_P(CpuSolver, AnswersTheSameOnAnyNumberOfThreads) {
  const VectorSet set = clustered(2000, 101, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const Ids one = Prepared(GetParam(), input, {{"threads", integer(1)}}).answer();
  for (const std::int64_t threads : {2, 3, 8, 1024}) {
    Prepared prepared(GetParam(), input, {{"threads", integer(threads)}});
    EXPECT_EQ(prepared.answer(), one) << threads << " threads";
    EXPECT_LE(prepared.solver->counters().at("threads"), 101);
  }
}

/// Recall@10 of 200 queries among 5,000 points.
double recall(const std::string& id, Metric metric, const Given& given) {
  const VectorSet set = clustered(5000, 200, 24, kSeed);
  const Input input{&set, metric, 10};
  return judged(input, Prepared(id, input, given).answer()).metrics.at("recall");
}

TEST_P(CpuSolver, ReachesItsRecallOnClusters) {
  for (const Metric metric : kMetrics) {
    if (GetParam() == "exact") {
      EXPECT_EQ(recall("exact", metric, {}), 1) << "seed " << kSeed << ", " << to_string(metric);
      continue;
    }
    const double narrow = recall(GetParam(), metric, {{"ef", integer(10)}});
    const double wide = recall(GetParam(), metric, {{"ef", integer(400)}});
    EXPECT_GT(narrow, 0.4) << "seed " << kSeed << ", " << to_string(metric);
    EXPECT_GT(wide, narrow) << "seed " << kSeed << ", " << to_string(metric);
    EXPECT_GT(wide, 0.95) << "seed " << kSeed << ", " << to_string(metric);
  }
}

INSTANTIATE_TEST_SUITE_P(NearestNeighbors, CpuSolver,
                         ::testing::ValuesIn(solver_ids<NearestNeighbors>([](const SolverInfo& solver) {
                           return solver.device == Target::cpu;
                         })),
                         name_of_solver);

TEST(NearestNeighborsExact, AgreesWithAFullSortOn60RandomSets) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    std::mt19937_64 random(kSeed + i);
    const VectorSet set =
        clustered(1 + random() % 700, 1 + random() % 90, static_cast<std::uint32_t>(1 + random() % 50), kSeed + i);
    const Input input{&set, kMetrics[random() % 3], static_cast<std::int64_t>(1 + random() % 30)};
    Prepared prepared("exact", input, {{"threads", integer(1 + static_cast<std::int64_t>(random() % 4))}});
    const Judgement judgement = judged(input, prepared.answer(), sorted_by_distance(input));
    ASSERT_EQ(judgement.verdict, Verdict::exact)
        << "seed " << kSeed + i << ", " << to_string(input.metric) << ": " << judgement.difference;
  }
}

TEST(NearestNeighborsExact, SaysThatItIsExact) {
  for (const auto& entry : solvers_of<NearestNeighbors>()) {
    EXPECT_EQ(entry.info.exact, entry.info.id.starts_with("exact")) << entry.info.id;
  }
}

TEST(NearestNeighborsExact, RanksByMoreThanFloatsTell) {
  // What is added to 2^24 is too little for a float.
  VectorSet set = vectors_of(2, {}, {0, 0});
  std::vector<float> points;
  for (int i = 4; i >= 0; --i) points.insert(points.end(), {4096, static_cast<float>(i) / 8});
  set.points = std::move(points);
  const Input input{&set, Metric::euclidean, 3};
  EXPECT_EQ(Prepared("exact", input, {}).answer(), (Ids{4, 3, 2}));
}

TEST(NearestNeighborsExact, ComputesEveryDistance) {
  const VectorSet set = clustered(123, 7, 4, kSeed);
  const Input input{&set, Metric::euclidean, 3};
  Prepared prepared("exact", input, {});
  (void)prepared.answer();
  EXPECT_EQ(prepared.solver->counters().at("distances"), 123 * 7);
}

TEST(NearestNeighborsNsw, CountsItsWorkAndRatesItsGraph) {
  const VectorSet set = clustered(1000, 40, 8, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  Prepared prepared("nsw", input, {{"threads", integer(2)}, {"d_min", integer(6)}, {"d_max", integer(9)}});
  (void)prepared.answer();
  const std::map<std::string, double> counters = prepared.solver->counters();
  EXPECT_EQ(counters.at("threads"), 2);
  EXPECT_GE(counters.at("hops"), 40 * 64) << "at least ef a query, of one solve";
  EXPECT_LT(counters.at("hops"), 40 * 1000) << "of one solve, not of both";
  EXPECT_GT(counters.at("distances"), counters.at("hops"));
  EXPECT_LE(counters.at("distances"), 40 * 1000);
  EXPECT_EQ(prepared.solver->index_counters(),
            nearest_neighbors::quality(nearest_neighbors::build_nsw(input, 6, 9, 64), input));
  (void)prepared.answer();
  EXPECT_EQ(prepared.solver->counters(), counters);
}

/// Copies of points, as many as a row of the graph has places and more; copies of growing length where the metric is
/// cosine, for which they are as good as equal.
TEST(NearestNeighborsNsw, FindsPointsThatAreRepeatedAsOftenAsRowsAreLong) {
  const VectorSet distinct = clustered(40, 40, 6, kSeed);
  for (const auto& [metric, factor] : {std::pair{Metric::euclidean, 1.0F}, std::pair{Metric::cosine, 1.1F}}) {
    for (const int copies : {26, 40}) {
      const VectorSet set = with_copies(distinct, copies, factor);
      const Input input{&set, metric, 10};
      EXPECT_EQ(judged(input, Prepared("nsw", input, {}).answer()).metrics.at("recall_minimum"), 1)
          << copies << " copies, " << to_string(metric) << ", seed " << kSeed;
    }
  }
}

/// Like UCI Letter: 20,000 points of 16 coordinates from 0 to 15 around 26 letters, 1,250 of them repetitions, up to 26
/// times the same, which is more than rows have places; queries are among the points, the repeated ones first.
TEST(NearestNeighborsNsw, FindsAllNeighboursAmongLetters) {
  constexpr std::uint32_t kDimension = 16;
  constexpr std::size_t kRepeated = 50;
  constexpr std::size_t kQueries = 200;
  const std::size_t count = usual_or_thorough(4000, 20'000);
  const std::vector<float> letters = around_centres(count - 25 * kRepeated, kDimension, 26, 0.9F, kSeed, 1);
  std::vector<float> points;
  for (const float x : letters) points.push_back(std::clamp(std::round(7.5F + 2.5F * x), 0.0F, 15.0F));
  const std::vector<float> first(points.begin(), points.begin() + kQueries * kDimension);
  for (int copy = 1; copy < 26; ++copy) {
    points.insert(points.end(), first.begin(), first.begin() + kRepeated * kDimension);
  }
  const VectorSet set = vectors_of(kDimension, points, first);
  const Input input{&set, Metric::euclidean, 10};
  const Given given{{"d_min", integer(12)}, {"d_max", integer(24)}, {"ef", integer(400)}};
  EXPECT_EQ(judged(input, Prepared("nsw", input, given).answer()).metrics.at("recall_minimum"), 1) << "seed " << kSeed;
}

TEST(NearestNeighborsNsw, RefusesRowsTooShortForTheLinksOfANewVertex) {
  const SolverInfo& info = entry_of("nsw").info;
  EXPECT_THROW(info.validate(Parameters(info.parameters, {{"d_min", integer(17)}, {"d_max", integer(16)}})),
               ParameterError);
  EXPECT_NO_THROW(info.validate(Parameters(info.parameters, {{"d_min", integer(16)}, {"d_max", integer(16)}})));
}

TEST(NearestNeighborsHnsw, BuildsOneGraphOnOneThreadAndAGoodOneOnMore) {
  if (!entry_of("hnsw").info.unavailable.empty()) GTEST_SKIP() << entry_of("hnsw").info.unavailable;
  const VectorSet set = clustered(3000, 50, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  EXPECT_EQ(Prepared("hnsw", input, {{"ef", integer(10)}}).answer(),
            Prepared("hnsw", input, {{"ef", integer(10)}}).answer());
  Prepared prepared("hnsw", input, {{"build_threads", integer(4)}, {"ef", integer(200)}});
  EXPECT_GT(judged(input, prepared.answer()).metrics.at("recall"), 0.95);
}

// ---- real data ----

TEST_P(CpuSolver, ReachesItsRecallOnMnist) {
  const std::optional<VectorSet> set = mnist(10'000, 100);
  if (!set) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  const Input input{&*set, Metric::euclidean, 10};
  const Given given = GetParam() == "exact" ? Given{} : Given{{"ef", integer(128)}};
  const Judgement judgement = judged(input, Prepared(GetParam(), input, given).answer());
  std::cout << "  recall " << judgement.metrics.at("recall") << '\n';
  EXPECT_GT(judgement.metrics.at("recall"), 0.95);
  EXPECT_EQ(judgement.verdict == Verdict::exact, GetParam() == "exact");
}

}  // namespace
}  // namespace warpbench::testing
