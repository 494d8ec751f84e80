// The rules of matrix_factorization: first factors, rates, RMSE, the reference against the update by hand, and the
// judge against answers that are wrong or incomplete.
#include "problems/matrix_factorization/problem.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "datasets/input_error.hpp"
#include "problems/matrix_factorization/serial_sgd.hpp"
#include "solvers/threads.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/ratings.hpp"

namespace warpbench {
namespace {

using matrix_factorization::initial_factor;
using matrix_factorization::rmse_of;
using testing::list_of;
using testing::planted;
using testing::Ratings;
using testing::ratings_of;
using Input = MatrixFactorization::Input;
using Reference = MatrixFactorization::Reference;

constexpr std::uint64_t kSeed = 20231;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kForever = std::numeric_limits<double>::infinity();

/// `ratings` outlives it.
Input input_of(const Ratings& ratings, const std::map<std::string, Value>& task = {}) {
  datasets::Dataset dataset;
  dataset.data = ratings;
  Input input = MatrixFactorization::input(dataset, Parameters(MatrixFactorization::info().task, task));
  input.ratings = &ratings;
  return input;
}

// ---- factors, rates, RMSE ----

/// Over all pairs of a user and an item: the mean of products is the product of means, summed over factors.
TEST(MatrixFactorizationRules, FirstFactorsMultiplyToTheMeanOnAverage) {
  constexpr std::uint64_t kRows = 2000;
  const Ratings ratings = planted(10, 10, 200, kSeed);
  for (const std::uint64_t k : {8, 128}) {
    const Input input = input_of(ratings, {{"k", k}});
    const double limit = 2 * std::sqrt(input.mean / static_cast<double>(k));
    double product = 0;
    for (std::uint64_t f = 0; f < k; ++f) {
      std::array<double, 2> sums{};
      for (std::uint64_t row = 0; row < kRows; ++row) {
        for (const int matrix : {0, 1}) {
          const double factor = initial_factor(input, matrix, row * k + f);
          ASSERT_TRUE(factor >= 0 && factor < limit) << factor;
          sums[static_cast<std::size_t>(matrix)] += factor;
        }
      }
      product += sums[0] * sums[1] / static_cast<double>(kRows * kRows);
    }
    EXPECT_NEAR(product, input.mean, 0.03 * input.mean) << "k " << k;
  }
}

TEST(MatrixFactorizationRules, FirstFactorsDifferByMatrixPlaceAndSeed) {
  const Ratings ratings = planted(10, 10, 200, kSeed);
  Input input = input_of(ratings);
  std::set<float> seen;
  for (const std::uint64_t seed : {1, 2}) {
    input.seed = seed;
    for (const int matrix : {0, 1}) {
      for (const std::uint64_t index : {0, 1}) seen.insert(initial_factor(input, matrix, index));
    }
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(MatrixFactorizationRules, FirstFactorsOfRatingsBelowZeroAreFinite) {
  const Ratings ratings = ratings_of(1, 1, {{0, 0, -4}}, {{0, 0, 3}});
  const float factor = initial_factor(input_of(ratings, {{"k", 1}}), 0, 0);
  EXPECT_TRUE(factor >= 0 && factor < 1) << factor;
}

TEST(MatrixFactorizationRules, RatesAreFixedOrDecay) {
  const Ratings ratings = ratings_of(1, 1, {{0, 0, 3}}, {{0, 0, 3}});
  const Input fixed = input_of(ratings, {{"gamma", 0.5}});
  EXPECT_EQ(fixed.rate_of(0), 0.5F);
  EXPECT_EQ(fixed.rate_of(19), 0.5F);
  const Input decay = input_of(ratings, {{"gamma", 0.5}, {"rate", "decay"}, {"decay", 0.3}});
  EXPECT_EQ(decay.rate_of(0), 0.5F);
  EXPECT_FLOAT_EQ(decay.rate_of(1), 0.5F / 1.3F);
  EXPECT_FLOAT_EQ(decay.rate_of(4), 0.5F / 3.4F);  // 4^1.5 = 8
}

TEST(MatrixFactorizationRules, TheRmseIsThatOfTheProducts) {
  const std::vector<float> p{1, 2, 3, 4};
  const std::vector<float> q{5, 6, 7, 8, 1, 1};
  const auto list = list_of({{0, 0, 18}, {1, 2, 5}, {1, 1, 53}});  // products 17, 7, 53
  EXPECT_DOUBLE_EQ(rmse_of(list, p, q, 2), std::sqrt(5.0 / 3));
  EXPECT_EQ(rmse_of({}, p, q, 2), 0);
  EXPECT_DOUBLE_EQ(matrix_factorization::rmse_of_constant(list_of({{0, 0, 1}, {0, 0, 4}}), 2), std::sqrt(2.5));
}

TEST(MatrixFactorizationRules, TheRmseIsTheSameOnAnyNumberOfThreads) {
  const Ratings ratings = planted(30, 20, 30'000, kSeed);
  std::vector<float> p(30 * 4);
  std::vector<float> q(20 * 4);
  const Input input = input_of(ratings);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = initial_factor(input, 0, i);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = initial_factor(input, 1, i);
  std::set<double> found;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    found.insert(rmse_of(ratings.train, p, q, 4));
  }
  EXPECT_EQ(found.size(), 1U);
}

TEST(MatrixFactorizationRules, RefuseAnInputWithoutTrainingOrTestRatings) {
  EXPECT_THROW((void)input_of(ratings_of(2, 2, {}, {{0, 0, 3}})), datasets::InputError);
  EXPECT_THROW((void)input_of(ratings_of(2, 2, {{0, 0, 3}}, {})), datasets::InputError);
}

TEST(MatrixFactorizationRules, WorkIsOneUpdateARatingAndIteration) {
  const Ratings ratings = planted(9, 7, 100, kSeed);
  const std::map<std::string, double> work = input_of(ratings, {{"iterations", 3}, {"k", 5}}).work();
  EXPECT_EQ(work.at("updates"), 300);
  EXPECT_EQ(work.at("users"), 9);
  EXPECT_EQ(work.at("items"), 7);
  EXPECT_EQ(work.at("k"), 5);
}

// ---- reference ----

/// One user and one item with one rating, updated in double precision: both factors by the old ones.
TEST(MatrixFactorizationReference, UpdatesBothFactorsByTheOldOnes) {
  const Ratings ratings = ratings_of(1, 1, {{0, 0, 4}}, {{0, 0, 5}});
  const Input input = input_of(
      ratings, {{"k", 2}, {"gamma", 0.1}, {"lambda_p", 0.5}, {"lambda_q", 0.25}, {"iterations", 2}, {"rate", "decay"}});
  std::array<double, 2> p{initial_factor(input, 0, 0), initial_factor(input, 0, 1)};
  std::array<double, 2> q{initial_factor(input, 1, 0), initial_factor(input, 1, 1)};
  const std::vector<double> rmse = matrix_factorization::serial_sgd(input, 1, kForever).front();
  ASSERT_EQ(rmse.size(), 2U);
  for (const double gamma : {0.1, 0.1 / 1.3}) {
    const double e = 4 - (p[0] * q[0] + p[1] * q[1]);
    for (std::size_t f = 0; f < 2; ++f) {
      const double old = p[f];
      p[f] += gamma * (e * q[f] - 0.5 * p[f]);
      q[f] += gamma * (e * old - 0.25 * q[f]);
    }
    EXPECT_NEAR(rmse[gamma == 0.1 ? 0 : 1], std::abs(5 - (p[0] * q[0] + p[1] * q[1])), 1e-5);
  }
}

TEST(MatrixFactorizationReference, LearnsAPlantedMatrix) {
  const Ratings ratings = planted(60, 40, 3000, kSeed);
  const Input input = input_of(ratings, {{"k", 8}, {"gamma", 0.02}, {"iterations", 30}});
  const Reference reference = MatrixFactorization::reference(input, kForever);
  ASSERT_EQ(reference.low.size(), 30U);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_LE(reference.low[i], reference.high[i]) << "iteration " << i + 1;
  EXPECT_LT(reference.high.back(), 0.5 * reference.mean_rmse.front()) << "seed " << kSeed;
  EXPECT_LT(reference.high.back(), reference.low.front()) << "seed " << kSeed;
  const Reference again = MatrixFactorization::reference(input, kForever);
  EXPECT_EQ(again.low, reference.low);
  EXPECT_EQ(again.high, reference.high);
}

TEST(MatrixFactorizationReference, KnowsOnlyTheMeanWithoutTime) {
  const Ratings ratings = planted(60, 40, 300, kSeed);
  const Input input = input_of(ratings, {{"iterations", 3}});
  const Reference reference = MatrixFactorization::reference(input, 0);
  EXPECT_GT(reference.mean_rmse.front(), 0);
  ASSERT_EQ(reference.low.size(), 3U);
  for (const double rmse : reference.low) EXPECT_TRUE(std::isnan(rmse));
  for (const double rmse : reference.high) EXPECT_TRUE(std::isnan(rmse));
}

/// Seeds that run one after another are the same seeds.
TEST(MatrixFactorizationReference, RunsFewerSeedsAtOnceWhereMemoryIsShort) {
  Ratings ratings = planted(60, 40, 300, kSeed);
  ratings.shape = std::vector<std::uint64_t>{6000, 4000};
  const Input input = input_of(ratings, {{"iterations", 3}, {"k", 8}});
  const std::vector<std::vector<double>> together = matrix_factorization::serial_sgd(input, 5, kForever);
  ASSERT_EQ(together.size(), 5U);
  EXPECT_NE(together.front(), together.back());
  constexpr std::int64_t kOneSeed = (6000 + 4000) * 8 * 4;
  for (const auto& [bytes, seeds_at_once] : {std::pair{std::int64_t{0}, 1}, {kOneSeed, 1}, {2 * kOneSeed + 1, 2}}) {
    const testing::PeakOfHostMemory peak;
    EXPECT_EQ(matrix_factorization::serial_sgd(input, 5, kForever, bytes), together) << bytes << " bytes";
    EXPECT_LT(peak.bytes(), seeds_at_once * kOneSeed + kOneSeed / 2) << bytes << " bytes";
  }
}

TEST(MatrixFactorizationReference, HasAQuarterOfTheMemoryOfItsControlGroup) {
  const std::filesystem::path group = ::testing::TempDir() + "group_of_" + std::to_string(::getpid());
  std::filesystem::create_directories(group);
  { std::ofstream(group / "memory.max") << "4000000\n"; }
  EXPECT_EQ(matrix_factorization::memory_of_seeds(group), 1'000'000);
  std::filesystem::remove_all(group);
}

TEST(MatrixFactorizationReference, GivesEachSeedAsManyIterationsWhereTimeIsShort) {
  const Ratings ratings = planted(60, 40, 3000, kSeed);
  const Input input = input_of(ratings, {{"iterations", 10'000}, {"k", 8}});
  const std::vector<std::vector<double>> rmse = matrix_factorization::serial_sgd(input, 3, 0.06, 0);
  ASSERT_EQ(rmse.size(), 3U);
  EXPECT_LT(rmse.front().size(), 10'000U);
  for (const std::vector<double>& one : rmse) EXPECT_EQ(one.size(), rmse.front().size());
}

TEST(MatrixFactorizationReference, LeavesOpenWhereItDiverges) {
  const Ratings ratings = planted(6, 4, 300, kSeed);
  const Input input = input_of(ratings, {{"gamma", 10}, {"iterations", 5}, {"k", 4}});
  const Reference reference = MatrixFactorization::reference(input, kForever);
  EXPECT_TRUE(std::isnan(reference.low.back()) && std::isnan(reference.high.back()));
}

TEST(MatrixFactorizationReference, IsReadBackAndRefusedWhereItCannotBeRight) {
  const Ratings ratings = planted(6, 4, 300, kSeed);
  const Input input = input_of(ratings, {{"iterations", 3}, {"k", 4}});
  const auto read = [&](const Reference& reference) {
    return stored_reference<MatrixFactorization>(input, bytes_of(reference));
  };
  const Reference right{{0.9}, {0.5, 0.4, kNaN}, {0.6, 0.4, kNaN}};
  EXPECT_EQ(bytes_of(read(right)), bytes_of(right));
  EXPECT_THROW((void)read({{kNaN}, {0.5, 0.4, 0.3}, {0.6, 0.4, 0.3}}), std::runtime_error);
  EXPECT_THROW((void)read({{0.9}, {0.5, 0.4, 0.3}, {0.6, 0.39, 0.3}}), std::runtime_error) << "low above high";
  EXPECT_THROW((void)read({{0.9}, {-0.5, 0.4, 0.3}, {0.6, 0.4, 0.3}}), std::runtime_error);
  EXPECT_THROW((void)read({{0.9}, {0.5, 0.4, 0.3}, {0.6, 0.4, kNaN}}), std::runtime_error) << "half open";
  EXPECT_THROW((void)read({{0.9}, {0.5, 0.4}, {0.6, 0.4}}), std::runtime_error) << "too short";
  EXPECT_THROW((void)read({{0.9}, {0.5, 0.4, 0.3, 0.3}, {0.6, 0.4, 0.3, 0.3}}), std::runtime_error) << "too long";
}

// ---- judge ----

/// An answer of first factors, and what becomes of it.
class MatrixFactorizationJudge : public ::testing::Test {
 protected:
  MatrixFactorizationJudge()
      : p_(static_cast<std::size_t>(input_.users() * input_.k)),
        q_(static_cast<std::size_t>(input_.items() * input_.k)) {
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = initial_factor(input_, 0, i);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = initial_factor(input_, 1, i);
    rmse_ = {2, 1.5, rmse_of(ratings_.test, p_, q_, input_.k)};
  }

  [[nodiscard]] MatrixFactorization::Answer answer() { return {p_, q_, rmse_, seconds_}; }
  [[nodiscard]] Judgement judgement() { return MatrixFactorization::judge(input_, answer(), reference_); }
  /// That the answer is wrong, and the difference that is told has these words.
  void expect_wrong(const std::string& words) {
    const Judgement judged = judgement();
    EXPECT_EQ(judged.verdict, Verdict::wrong) << words;
    EXPECT_NE(judged.difference.find(words), std::string::npos) << judged.difference;
  }

  Ratings ratings_ = planted(6, 5, 100, kSeed);
  Input input_ = input_of(ratings_, {{"k", 4}, {"iterations", 3}});
  Reference reference_{{0.9}, {0.5, 0.4, 0.3}, {0.6, 0.5, 0.4}};
  std::vector<float> p_;
  std::vector<float> q_;
  std::vector<double> rmse_;
  std::vector<double> seconds_{0.1, 0.2, 0.3};
};

TEST_F(MatrixFactorizationJudge, TakesARightAnswerAndMeasuresIt) {
  const Judgement judged = judgement();
  EXPECT_EQ(judged.verdict, Verdict::approximate) << judged.difference;
  EXPECT_EQ(judged.metrics.at("rmse"), rmse_.back());
  EXPECT_EQ(judged.metrics.at("mean_rmse"), 0.9);
  EXPECT_EQ(judged.metrics.at("serial_rmse_low"), 0.3);
  EXPECT_EQ(judged.metrics.at("serial_rmse_high"), 0.4);
  EXPECT_EQ(judged.metrics.at("rmse_after_2"), 1.5);
  EXPECT_EQ(judged.metrics.at("time_after_2_s"), 0.2);
  EXPECT_FALSE(judged.metrics.contains("time_to_target_s")) << "no target";
}

TEST_F(MatrixFactorizationJudge, FindsWhenTheTargetIsReached) {
  input_.target_rmse = 1.5;
  EXPECT_EQ(judgement().metrics.at("reached_target"), 1);
  EXPECT_EQ(judgement().metrics.at("iterations_to_target"), 2);
  EXPECT_EQ(judgement().metrics.at("time_to_target_s"), 0.2);
  input_.target_rmse = 0.001;
  EXPECT_FALSE(judgement().metrics.contains("time_to_target_s"));
  EXPECT_EQ(judgement().metrics.at("reached_target"), 0);
}

TEST_F(MatrixFactorizationJudge, NeedsNoReferenceOfSerialSgd) {
  reference_ = {{0.9}, {kNaN, kNaN, kNaN}, {kNaN, kNaN, kNaN}};
  const Judgement judged = judgement();
  EXPECT_EQ(judged.verdict, Verdict::approximate);
  EXPECT_FALSE(judged.metrics.contains("serial_rmse_low"));
}

/// As far as its time sufficed.
TEST_F(MatrixFactorizationJudge, ShowsTheBandOfTheIterationsThatSerialSgdDid) {
  reference_ = {{0.9}, {0.5, 0.4, kNaN}, {0.6, 0.5, kNaN}};
  const std::map<std::string, double> metrics = judgement().metrics;
  EXPECT_FALSE(metrics.contains("serial_rmse_low")) << "of the last iteration";
  ASSERT_TRUE(metrics.contains("serial_rmse_low_after_2"));
  EXPECT_EQ(metrics.at("serial_rmse_low_after_1"), 0.5);
  EXPECT_EQ(metrics.at("serial_rmse_low_after_2"), 0.4);
  EXPECT_EQ(metrics.at("serial_rmse_high_after_2"), 0.5);
  EXPECT_FALSE(metrics.contains("serial_rmse_low_after_3"));
}

TEST_F(MatrixFactorizationJudge, TakesAnRmseInSinglePrecision) {
  rmse_.back() *= 1 + 5e-5;
  EXPECT_EQ(judgement().verdict, Verdict::approximate);
}

TEST_F(MatrixFactorizationJudge, RefusesAnotherRmseThanThatOfTheFactors) {
  rmse_.back() *= 1.001;
  expect_wrong("expected the RMSE of P and Q");
  rmse_.back() = 0;
  expect_wrong("expected the RMSE of P and Q");
}

TEST_F(MatrixFactorizationJudge, RefusesWhatIsNotFinite) {
  p_[9] = std::numeric_limits<float>::quiet_NaN();
  expect_wrong("P, row 2, column 1");
  p_[9] = 1;
  q_[19] = std::numeric_limits<float>::infinity();
  expect_wrong("Q, row 4, column 3");
  q_[19] = 1;
  rmse_.front() = kNaN;
  expect_wrong("iteration 1: expected a finite RMSE");
}

TEST_F(MatrixFactorizationJudge, RefusesOtherSizes) {
  const std::vector<float> p = p_;
  p_.resize(p_.size() - 4);
  expect_wrong("expected 4 factors of each of 6 users and 5 items, found 20 and 20");
  p_ = p;
  q_.push_back(0);
  expect_wrong("found 24 and 21");
}

TEST_F(MatrixFactorizationJudge, RefusesMissingIterations) {
  rmse_.erase(rmse_.begin());
  expect_wrong("of 3 iterations, found 2 and 3");
  seconds_.pop_back();
  expect_wrong("of 3 iterations, found 2 and 2");
}

TEST_F(MatrixFactorizationJudge, RefusesTimesThatFall) {
  seconds_[1] = 0.05;
  expect_wrong("iteration 2: expected a time of 0.1 s or more");
  seconds_ = {kNaN, 0.2, 0.3};
  expect_wrong("iteration 1");
}

TEST_F(MatrixFactorizationJudge, RefusesAPoisonedAnswer) {
  MatrixFactorization::Answer poisoned = answer();
  const std::uint64_t digest = poisoned.digest();
  poisoned.poison();
  EXPECT_NE(poisoned.digest(), digest);
  EXPECT_EQ(MatrixFactorization::judge(input_, poisoned, reference_).verdict, Verdict::wrong);
  EXPECT_TRUE(std::isnan(p_.front()) && std::isnan(q_.back())) << "where it lies";
}

TEST_F(MatrixFactorizationJudge, DigestsTellAnswersApart) {
  const std::uint64_t digest = answer().digest();
  EXPECT_EQ(answer().digest(), digest);
  std::swap(p_, q_);
  EXPECT_NE(answer().digest(), digest);
  std::swap(p_, q_);
  std::swap(p_[0], p_[1]);
  EXPECT_NE(answer().digest(), digest);
  std::swap(p_[0], p_[1]);
  rmse_.front() = 3;
  EXPECT_NE(answer().digest(), digest);
  rmse_.front() = 2;
  EXPECT_EQ(answer().digest(), digest);
  seconds_.front() = 0.05;
  EXPECT_NE(answer().digest(), digest) << "metrics have the times";
}

}  // namespace
}  // namespace warpbench
