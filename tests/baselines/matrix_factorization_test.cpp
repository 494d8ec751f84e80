// The CPU solvers of matrix_factorization: sgd against the reference's descent, fpsgd against sgd.
#include "problems/matrix_factorization/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>

#include "solvers/solver.hpp"
#include "tests/problems/support/factorization_solvers.hpp"
#include "tests/problems/support/ratings.hpp"
#include "tests/problems/support/solver_ids.hpp"

namespace warpbench {
namespace {

constexpr std::uint64_t kSeed = 20233;

using testing::planted;
using testing::Ratings;
using testing::ratings_of;
using Given = std::map<std::string, Value>;
using Input = MatrixFactorization::Input;
using Prepared = testing::PreparedFactorization;

/// `ratings` outlives it.
Input input_of(const Ratings& ratings) {
  return testing::factorization_input(ratings, 20, 12);
}

/// P, Q and the RMSEs, one after the other; times differ from run to run.
std::vector<double> learnt(const MatrixFactorization::Answer& answer) {
  std::vector<double> all(answer.p.begin(), answer.p.end());
  all.insert(all.end(), answer.q.begin(), answer.q.end());
  all.insert(all.end(), answer.rmse.begin(), answer.rmse.end());
  return all;
}

class MatrixFactorizationCpuSolver : public ::testing::TestWithParam<std::string> {};

TEST_P(MatrixFactorizationCpuSolver, LearnsLikeTheReference) {
  const Ratings ratings = planted(80, 60, 4000, kSeed);
  const Input input = input_of(ratings);
  const auto reference = MatrixFactorization::reference(input, std::numeric_limits<double>::infinity());
  Prepared prepared(GetParam(), input, {});
  const MatrixFactorization::Answer answer = prepared.solve();
  const Judgement judgement = MatrixFactorization::judge(input, answer, reference);
  ASSERT_EQ(judgement.verdict, Verdict::approximate) << judgement.difference;
  for (std::size_t i = 0; i < answer.rmse.size(); ++i) {
    EXPECT_GT(answer.rmse[i], 0.9 * reference.low[i]) << "iteration " << i + 1 << ", seed " << kSeed;
    EXPECT_LT(answer.rmse[i], 1.1 * reference.high[i]) << "iteration " << i + 1 << ", seed " << kSeed;
  }
  EXPECT_LT(answer.rmse.back(), 0.8 * reference.mean_rmse.front());
}

TEST_P(MatrixFactorizationCpuSolver, BeginsAnewEachTime) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared prepared(GetParam(), input, {});
  const std::vector<double> first = prepared.solve().rmse;
  MatrixFactorization::Answer answer = prepared.solve();
  EXPECT_LT(first.back(), 0.9 * first.front());
  EXPECT_GT(answer.rmse.front(), (first.front() + first.back()) / 2) << "goes on where the first solve ended";
  EXPECT_EQ(std::ssize(answer.rmse), input.iterations);
  EXPECT_EQ(std::ssize(answer.seconds), input.iterations);
}

TEST_P(MatrixFactorizationCpuSolver, TimesIterationsWithoutTheirRmse) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared prepared(GetParam(), input, {});
  const MatrixFactorization::Answer answer = prepared.solve();
  EXPECT_TRUE(std::ranges::is_sorted(answer.seconds));
  EXPECT_LE(answer.seconds.back(), prepared.phases.seconds().at("train"));
  EXPECT_GT(answer.seconds.back(), 0);
  EXPECT_TRUE(prepared.phases.untimed_seconds().contains("rmse"));
}

/// Which no rating updates, in whatever rows they are kept.
TEST_P(MatrixFactorizationCpuSolver, LeavesFactorsOfUsersAndItemsWithoutRatings) {
  Ratings ratings = planted(10, 8, 400, kSeed);
  ratings.shape = std::vector<std::uint64_t>{25, 21};
  const Input input = input_of(ratings);
  Prepared prepared(GetParam(), input, {});
  const MatrixFactorization::Answer answer = prepared.solve();
  for (std::size_t i = 0; i < answer.p.size(); ++i) {
    EXPECT_EQ(answer.p[i] == matrix_factorization::initial_factor(input, 0, i), i >= 10 * 20) << "of P, " << i;
  }
  for (std::size_t i = 0; i < answer.q.size(); ++i) {
    EXPECT_EQ(answer.q[i] == matrix_factorization::initial_factor(input, 1, i), i >= 8 * 20) << "of Q, " << i;
  }
}

TEST_P(MatrixFactorizationCpuSolver, DecaysItsRate) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  Input input = input_of(ratings);
  input.rate = MatrixFactorization::Rate::decay;
  input.decay = 1000;
  const std::vector<double> rmse = Prepared(GetParam(), input, {}).solve().rmse;
  EXPECT_NEAR(rmse.back(), rmse.front(), 0.01 * rmse.front()) << "the first iteration is all";
}

INSTANTIATE_TEST_SUITE_P(MatrixFactorization, MatrixFactorizationCpuSolver,
                         ::testing::ValuesIn(testing::solver_ids<MatrixFactorization>([](const SolverInfo& solver) {
                           return solver.device == Target::cpu && solver.role != Role::peer;
                         })),
                         testing::name_of_solver);

TEST(MatrixFactorizationSgd, GivesTheSameAnswerEachTime) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared prepared("sgd", input, {});
  const std::vector<double> first = learnt(prepared.solve());
  EXPECT_EQ(learnt(prepared.solve()), first);
  Prepared again("sgd", input, {});
  EXPECT_EQ(learnt(again.solve()), first);
  Prepared in_order_of_file("sgd", input, {{"shuffle", false}});
  EXPECT_NE(learnt(in_order_of_file.solve()), first);
}

TEST(MatrixFactorizationFpsgd, UpdatesByEachBlockOnceAnIterationOnOneThread) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  Prepared prepared("fpsgd", input, {{"threads", 1}, {"grid", 4}});
  const std::vector<double> first = learnt(prepared.solve());
  const std::map<std::string, double> counters = prepared.solver->counters();
  EXPECT_EQ(counters.at("updates_made"), 12 * 1500);
  EXPECT_EQ(counters.at("fewest_updates_of_a_block"), 12);
  EXPECT_EQ(counters.at("most_updates_of_a_block"), 12);
  EXPECT_EQ(learnt(prepared.solve()), first);
}

TEST(MatrixFactorizationFpsgd, MakesAsManyUpdatesAsRatingsOnManyThreads) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  for (const char* order : {"user", "random"}) {
    for (const bool shuffle : {false, true}) {
      Prepared prepared("fpsgd", input, {{"threads", 7}, {"order", order}, {"shuffle", shuffle}});
      (void)prepared.solve();
      const std::map<std::string, double> counters = prepared.solver->counters();
      EXPECT_EQ(counters.at("threads"), 7);
      EXPECT_EQ(counters.at("grid"), 14) << "twice as many bands as threads";
      EXPECT_GE(counters.at("updates_made"), 12 * 1500);
      EXPECT_LT(counters.at("updates_made"), 12 * 1500 + 1500) << "less than a block too many";
    }
  }
}

/// Users and items of small ids have more ratings than others.
TEST(MatrixFactorizationFpsgd, DealsUsersAndItemsOutToEvenBlocks) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform;
  const auto skewed = [&](double count) {
    const double x = uniform(random);
    return static_cast<std::uint32_t>(count * x * x);
  };
  std::vector<testing::OneRating> train;
  for (int i = 0; i < 20'000; ++i) train.push_back({skewed(900), skewed(700), 3});
  const Ratings ratings = ratings_of(900, 700, train, {});
  const Input input = input_of(ratings);
  const auto imbalance = [&](bool shuffle) {
    Prepared prepared("fpsgd", input, {{"threads", 4}, {"shuffle", shuffle}});
    return prepared.solver->index_counters().at("block_imbalance");
  };
  EXPECT_GT(imbalance(false), 4) << "seed " << kSeed;
  EXPECT_LT(imbalance(true), 2) << "seed " << kSeed;
}

TEST(MatrixFactorizationFpsgd, TakesMoreThreadsThanRatings) {
  const Ratings ratings = ratings_of(30, 20, {{4, 5, 3}, {9, 1, 4}}, {{4, 5, 3}});
  const Input input = input_of(ratings);
  Prepared prepared("fpsgd", input, {{"threads", 16}});
  EXPECT_TRUE(std::isfinite(prepared.solve().rmse.back()));
  EXPECT_EQ(prepared.solver->counters().at("threads"), 2);
}

/// FPSGD's rule.
TEST(MatrixFactorizationFpsgd, RefusesAGridTooSmallForItsThreads) {
  const Ratings ratings = planted(40, 30, 1500, kSeed);
  const Input input = input_of(ratings);
  EXPECT_THROW(Prepared("fpsgd", input, {{"threads", 4}, {"grid", 4}}), Unsupported);
  EXPECT_NO_THROW(Prepared("fpsgd", input, {{"threads", 4}, {"grid", 5}}));
}

}  // namespace
}  // namespace warpbench
