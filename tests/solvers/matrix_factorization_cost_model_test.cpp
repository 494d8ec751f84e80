// The cost models of HSGD*: on synthetic times the fits find what the times were made from.
#include "solvers/matrix_factorization/cost_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20234;

template <typename Seconds>
std::vector<Sample> doubling(double from, int samples, const Seconds& seconds) {
  std::vector<Sample> made;
  for (double size = from; std::ssize(made) < samples; size *= 2) made.push_back({size, seconds(size)});
  return made;
}

TEST(CostModel, FindsTheLineOfPrefixes) {
  std::vector<Sample> samples;
  for (int part = 1; part <= 10; ++part) samples.push_back({part * 1000.0, 2e-7 * part * 1000 + 3e-5});
  const Line line = fit_line(samples);
  EXPECT_NEAR(line.a, 2e-7, 1e-12);
  EXPECT_NEAR(line.b, 3e-5, 1e-10);
  EXPECT_NEAR(line.seconds(50'000), 2e-7 * 50'000 + 3e-5, 1e-8);
  EXPECT_NEAR(relative_error(samples, [&](double size) { return line.seconds(size); }), 0, 1e-9);
}

/// Qilin's single parts have one size: nothing tells a start-up time from the rest.
TEST(CostModel, PutsTheLineOfPartsOfOneSizeThroughTheOrigin) {
  const std::vector<Sample> parts{{1000, 0.9e-3}, {1000, 1.1e-3}, {1000, 1e-3}};
  const Line line = fit_line(parts);
  EXPECT_NEAR(line.a, 1e-6, 1e-12);
  EXPECT_EQ(line.b, 0);
  EXPECT_NEAR(relative_error(parts, [&](double size) { return line.seconds(size); }), 0.0831, 1e-3);
}

/// Their mean is not exactly their size.
TEST(CostModel, KnowsPartsOfOneSizeInSpiteOfRounding) {
  std::vector<Sample> parts;
  for (int part = 0; part < 10; ++part) parts.push_back({409, (part + 1) * 1e-6});
  const Line line = fit_line(parts);
  EXPECT_EQ(line.b, 0);
  EXPECT_NEAR(line.a, 5.5e-6 / 409, 1e-14);
}

TEST(CostModel, NeverFitsALineThatFalls) {
  const std::vector<Sample> noise{{100, 3e-3}, {200, 2e-3}, {300, 1e-3}};
  EXPECT_NEAR(fit_line(noise).a, 1e-5, 1e-12);
  EXPECT_EQ(fit_line({}).seconds(5), 0);
}

TEST(CostModel, TakesTauWhereTheRateChangesByLessThanTwoPercent) {
  const std::vector<Sample> samples{{1, 1}, {2, 1.5}, {4, 2.9}, {8, 5.7}, {16, 11.4}};
  // Rates 1, 1.333, 1.379, 1.404, 1.404: changes of 33 %, 3.4 %, 1.8 %.
  EXPECT_EQ(steady_from(samples), 4);
  EXPECT_EQ(steady_from(std::vector<Sample>{{1, 1}, {2, 1.5}}), 2) << "never steady: the largest";
  EXPECT_EQ(steady_from(std::vector<Sample>{{7, 1}}), 7);
}

class TwoPiecesFit : public ::testing::TestWithParam<Growth> {};

/// Up to 2^20 the rate grows, above it is that of a line through the point at 2^20.
TEST_P(TwoPiecesFit, RecoversWhatTheTimesWereMadeFrom) {
  const double tau = std::exp2(20);
  const double a = 3e7;
  const double b = 1e6;
  const auto grown = [&](double size) {
    return GetParam() == Growth::log ? std::log(size) : std::sqrt(std::log(size));
  };
  const double steady = a * grown(tau) + b;
  const auto truth = [&](double size) { return size <= tau ? size / (a * grown(size) + b) : size / steady; };
  const std::vector<Sample> samples = doubling(1024, 15, truth);
  const TwoPieces model = fit_two_pieces(samples, GetParam());
  EXPECT_EQ(model.tau, tau);
  EXPECT_NEAR(model.a, a, 1e-6 * a);
  EXPECT_NEAR(model.b, b, 1e-3 * b);
  EXPECT_NEAR(model.above.a, 1 / steady, 1e-6 / steady);
  EXPECT_NEAR(relative_error(samples, [&](double size) { return model.seconds(size); }), 0, 1e-6);
}

TEST_P(TwoPiecesFit, FollowsNoisyTimes) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  const auto truth = [&](double size) { return 8e-6 + size / 2e9; };
  std::vector<Sample> samples = doubling(4096, 16, truth);
  for (Sample& sample : samples) sample.seconds *= noise(random);
  const TwoPieces model = fit_two_pieces(samples, GetParam());
  EXPECT_GT(model.tau, 4096) << "seed " << kSeed;
  for (const double size : {1e6, 1e7, 1e8, 1e9}) {
    EXPECT_NEAR(model.seconds(size) / truth(size), 1, 0.35) << size << ", seed " << kSeed;
  }
  for (double size = 1; size < 1e9; size *= 1.5) {
    EXPECT_GT(model.seconds(size), 0) << size;
    EXPECT_TRUE(std::isfinite(model.seconds(size))) << size;
  }
}

TEST_P(TwoPiecesFit, TakesFewSamples) {
  const TwoPieces one = fit_two_pieces(std::vector<Sample>{{100, 0.5}}, GetParam());
  EXPECT_NEAR(one.seconds(100), 0.5, 1e-12);
  EXPECT_NEAR(one.seconds(50), 0.25, 1e-12);
  EXPECT_NEAR(one.seconds(200), 1, 1e-12);
  EXPECT_EQ(one.seconds(0), 0);
  const TwoPieces two = fit_two_pieces(std::vector<Sample>{{100, 0.5}, {200, 0.6}}, GetParam());
  EXPECT_NEAR(two.seconds(100), 0.5, 1e-12);
  EXPECT_NEAR(two.seconds(200), 0.6, 1e-12);
  EXPECT_EQ(fit_two_pieces({}, GetParam()).seconds(0), 0);
}

INSTANTIATE_TEST_SUITE_P(CostModel, TwoPiecesFit, ::testing::Values(Growth::sqrt_log, Growth::log));

TEST(CostModel, SharesSoThatBothSidesTakeEquallyLong) {
  const auto times = [](double factor) { return [factor](double share) { return factor * share; }; };
  EXPECT_NEAR(balanced_share(times(1), times(1)), 0.5, 1e-9);
  EXPECT_NEAR(balanced_share(times(1), times(3)), 0.75, 1e-9);
  EXPECT_NEAR(balanced_share(times(1), [](double) { return 0.0; }), 0, 1e-9) << "a CPU that takes no time";
  EXPECT_NEAR(balanced_share([](double) { return 0.0; }, times(1)), 1, 1e-9);
  // A GPU that needs 0.2 to begin at all.
  EXPECT_NEAR(balanced_share([](double share) { return 0.2 + share; }, times(1)), 0.4, 1e-9);
}

}  // namespace
}  // namespace warpbench::matrix_factorization
