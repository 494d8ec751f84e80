// The interval has the promised coverage and drift is detected. All samples are synthetic: nothing here reads a clock.
#include "harness/record/statistics.hpp"
#include "tests/support/figure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

namespace warpbench::harness {
namespace {

using Generator = std::mt19937_64;
using Draw = std::function<double(Generator&)>;

constexpr std::uint64_t kSeed = 20240607;

std::vector<double> draw_samples(Generator& random, std::size_t n, const Draw& draw) {
  std::vector<double> samples(n);
  for (double& sample : samples) sample = draw(random);
  return samples;
}

double coverage(std::size_t n, double true_median, const Draw& draw) {
  Generator random(kSeed + n);
  constexpr int kTrials = 10'000;
  int covered = 0;
  for (int i = 0; i < kTrials; ++i) {
    const MedianInterval interval = median_interval(draw_samples(random, n, draw));
    covered += interval.low <= true_median && true_median <= interval.high ? 1 : 0;
  }
  return static_cast<double>(covered) / kTrials;
}

double lognormal(Generator& random) {
  return std::lognormal_distribution<double>(0.0, 1.5)(random);
}

/// Pareto with tail index 1.1: its variance is infinite.
double pareto(Generator& random) {
  return std::pow(1.0 - std::uniform_real_distribution<double>(0.0, 1.0)(random), -1.0 / 1.1);
}

/// Seven of ten runs are fast; three run into something slow.
double bimodal(Generator& random) {
  const bool slow = std::bernoulli_distribution(0.3)(random);
  return std::normal_distribution<double>(slow ? 2.0 : 1.0, 0.05)(random);
}

/// The median of the mixture: where the fast mode's distribution function is 0.5 / 0.7.
constexpr double kBimodalMedian = 1.0 + 0.05 * 0.565949;

TEST(MedianRanks, AreExactBinomialRanks) {
  // From tables of order statistics: n = 10, ranks 2 and 9, 97.85 %; n = 20, ranks 6 and 15, 95.86 %.
  const RankInterval ten = median_ranks(10, 0.95);
  EXPECT_EQ(ten.low, 2U);
  EXPECT_EQ(ten.high, 9U);
  EXPECT_NEAR(ten.coverage, 0.978516, 1e-6);
  const RankInterval twenty = median_ranks(20, 0.95);
  EXPECT_EQ(twenty.low, 6U);
  EXPECT_EQ(twenty.high, 15U);
  EXPECT_NEAR(twenty.coverage, 0.958611, 1e-6);
  EXPECT_THROW(median_ranks(0, 0.95), std::invalid_argument);
}

TEST(MedianInterval, IsTheWholeRangeForFewSamples) {
  const MedianInterval one = median_interval({2.0});
  EXPECT_EQ(one.median, 2.0);
  EXPECT_EQ(one.confidence, 0.0);
  EXPECT_TRUE(std::isinf(one.relative_half_width()));
  const MedianInterval four = median_interval({4.0, 1.0, 3.0, 2.0});
  EXPECT_EQ(four.median, 2.5);
  EXPECT_EQ(four.low, 1.0);
  EXPECT_EQ(four.high, 4.0);
  EXPECT_NEAR(four.confidence, 0.875, 1e-12);
  EXPECT_FALSE(four.reached);
  EXPECT_THROW(median_interval({}), std::invalid_argument);
}

TEST(MedianInterval, LiesWithinTheExactRanksAndAroundTheMedian) {
  const MedianInterval interval = median_interval({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(interval.median, 5.5);
  EXPECT_GT(interval.low, 2.0);
  EXPECT_LT(interval.low, 3.0);
  EXPECT_GT(interval.high, 8.0);
  EXPECT_LT(interval.high, 9.0);
  EXPECT_EQ(interval.confidence, 0.95);
}

TEST(MedianInterval, HasThePromisedCoverageForHeavyTailsAndTwoModes) {
  double least = 1.0;
  double most = 0.0;
  for (const std::size_t n : {7U, 10U, 15U, 30U, 100U}) {
    SCOPED_TRACE(::testing::Message() << "seed " << kSeed << ", n " << n);
    for (const double share : {coverage(n, 1.0, lognormal), coverage(n, std::pow(2.0, 1.0 / 1.1), pareto),
                               coverage(n, kBimodalMedian, bimodal)}) {
      EXPECT_GE(share, 0.93);
      EXPECT_LE(share, 0.97);
      least = std::min(least, share);
      most = std::max(most, share);
    }
  }
  testing::print_figure(fmt::format("coverage of 95 % intervals: {:.2f} to {:.2f} %", 100 * least, 100 * most));
}

TEST(DriftOf, IsFlaggedForTrendsAndRarelyOtherwise) {
  Generator random(kSeed);
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  int flagged_still = 0;
  int flagged_moving = 0;
  constexpr int kTrials = 2000;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<double> samples(20);
    for (double& sample : samples) sample = std::lognormal_distribution<double>(0.0, 0.02)(random);
    flagged_still += drift_of(samples).flagged ? 1 : 0;
    for (std::size_t k = 0; k < samples.size(); ++k) samples[k] *= 1.0 + 0.005 * static_cast<double>(k);
    const Drift drift = drift_of(samples);
    flagged_moving += drift.flagged ? 1 : 0;
  }
  testing::print_figure(fmt::format("drift flagged in {} of {} steady and {} of {} drifting samples", flagged_still,
                                    kTrials, flagged_moving, kTrials));
  EXPECT_LE(flagged_still, kTrials * 2 / 100);
  EXPECT_GE(flagged_moving, kTrials * 95 / 100);
  EXPECT_FALSE(drift_of({1, 2, 3, 4, 5}).flagged) << "too few samples";
  EXPECT_FALSE(drift_of(std::vector<double>(20, 1.0)).flagged) << "all the same";
  EXPECT_FALSE(drift_of({1.000, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009}).flagged) << "too small";
  EXPECT_NEAR(drift_of({10, 11, 12, 13, 14, 15, 16, 17, 18, 19}).relative_change, 9.0 / 14.5, 1e-9);
}

}  // namespace
}  // namespace warpbench::harness
