// The rules of set_similarity_join: thresholds as fractions, both references against the definition, and what the judge
// says.
#include "problems/set_similarity_join/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "datasets/input_error.hpp"
#include "problems/set_similarity_join/reference.hpp"
#include "solvers/threads.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using datasets::SetCollection;
using similarity::fraction_of;
using similarity::Measure;
using similarity::Pair;
using similarity::Threshold;
using Answer = SetSimilarityJoin::Answer;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;
using Reference = SetSimilarityJoin::Reference;

constexpr std::uint64_t kSeed = 452022;

Input input_of(const SetCollection& sets, const std::string& measure, double threshold, std::int64_t left = 0,
               Output output = Output::digest) {
  return {&sets, left, measure_of(measure), fraction_of(threshold), output, {}};
}

/// Whether o tokens in common are enough for sets of a and b, by exact fractions: squares for cosine.
bool is_similar(Measure measure, Threshold threshold, std::int64_t o, std::int64_t a, std::int64_t b) {
  const auto [p, q] = threshold;
  if (measure == Measure::jaccard) return o > 0 && o * q >= p * (a + b - o);
  if (measure == Measure::dice) return o > 0 && 2 * o * q >= p * (a + b);
  return o > 0 && (o * q) * (o * q) >= (p * p) * (a * b);
}

/// All pairs, by the definition, with their similarities in double precision.
std::vector<Pair> pairs_of(const Input& input) {
  std::vector<Pair> pairs;
  const SetCollection& sets = *input.sets;
  for (std::int64_t a = 0; a < sets.count(); ++a) {
    for (std::int64_t b = a + 1; b < sets.count(); ++b) {
      if (input.left > 0 && (a < input.left) == (b < input.left)) continue;
      Tokens common;
      std::ranges::set_intersection(sets.set(a), sets.set(b), std::back_inserter(common));
      const auto o = static_cast<std::int64_t>(common.size());
      if (!is_similar(input.measure, input.threshold, o, sets.size(a), sets.size(b))) continue;
      const auto size_a = static_cast<double>(sets.size(a));
      const auto size_b = static_cast<double>(sets.size(b));
      const auto shared = static_cast<double>(o);
      const double similarity = input.measure == Measure::jaccard ? shared / (size_a + size_b - shared)
                                : input.measure == Measure::dice  ? 2 * shared / (size_a + size_b)
                                                                  : shared / std::sqrt(size_a * size_b);
      pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<float>(similarity)});
    }
  }
  return pairs;
}

Reference reference_of(const std::vector<Pair>& pairs) {
  Reference reference;
  for (const Pair& pair : pairs) reference.add(pair);
  return reference;
}

// ---- thresholds ----

TEST(SimilarityThreshold, IsTheSimplestFraction) {
  for (const auto& [value, expected] : std::vector<std::pair<double, Threshold>>{{1.0, {1, 1}},
                                                                                 {0.5, {1, 2}},
                                                                                 {0.8, {4, 5}},
                                                                                 {0.95, {19, 20}},
                                                                                 {0.6666666666666666, {2, 3}},
                                                                                 {0.333333, {333333, 1000000}},
                                                                                 {0.000001, {1, 1000000}},
                                                                                 {0.999999, {999999, 1000000}}}) {
    EXPECT_EQ(fraction_of(value), expected) << value;
  }
}

TEST(SimilarityThreshold, IsReadBackFromEveryFraction) {
  const auto small = static_cast<std::uint32_t>(usual_or_thorough(200, 1500));
  for (std::uint32_t q = 1; q <= small; ++q) {
    for (std::uint32_t p = 1; p <= q; ++p) {
      if (std::gcd(p, q) != 1) continue;
      ASSERT_EQ(fraction_of(static_cast<double>(p) / q), (Threshold{p, q}));
    }
  }
  std::mt19937_64 random(kSeed);
  for (std::uint64_t round = 0; round < usual_or_thorough(20'000, 2'000'000); ++round) {
    const auto q = static_cast<std::uint32_t>(similarity::kMaxDenominator - random() % 5000);
    const auto p = static_cast<std::uint32_t>(1 + random() % q);
    const std::uint32_t common = std::gcd(p, q);
    ASSERT_EQ(fraction_of(static_cast<double>(p) / q), (Threshold{p / common, q / common})) << "seed " << kSeed;
  }
}

TEST(SimilarityThreshold, RefusesWhatIsNoFractionOfThem) {
  const double none = std::nan("");
  for (const double value : {0.0, -0.5, 1.0000001, 0.0000001, 1 / std::sqrt(2.0), 0.12345678, none}) {
    EXPECT_THROW(static_cast<void>(fraction_of(value)), std::invalid_argument) << value;
  }
  const ProblemInfo info = SetSimilarityJoin::info();
  try {
    info.validate(Parameters(info.task, {{"threshold", 0.0}}));
    FAIL();
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.name(), "threshold");
    EXPECT_EQ(std::string(error.what()),
              "expected a threshold above 0 and at most 1 that is a fraction with a denominator of at most 1000000, "
              "found 0");
  }
}

// ---- references ----

TEST(SetSimilarityJoinReference, IsTheDefinitionByBruteForceAndByPrefixes) {
  int tried = 0;
  std::uint64_t found = 0;
  std::vector<NamedSets> collections = awkward_similar_sets();
  for (std::uint64_t seed = kSeed; seed < kSeed + usual_or_thorough(500, 5000); ++seed) {
    collections.push_back({"random, seed " + std::to_string(seed), similar_sets(seed)});
  }
  for (const auto& [name, sets] : collections) {
    const ThreadLimit threads(tried % 50 == 0 ? 3 : 1);
    for (const std::string& measure : kMeasures) {
      const double threshold = kThresholds[static_cast<std::size_t>(tried) % kThresholds.size()];
      const std::int64_t left = tried % 3 == 2 ? sets.count() / 3 : 0;
      const Input input = input_of(sets, measure, threshold, left);
      const Reference expected = reference_of(pairs_of(input));
      const std::string what =
          name + ", " + measure + " " + std::to_string(threshold) + ", left " + std::to_string(left);
      ASSERT_EQ(similarity::by_brute_force(input).parts(), expected.parts()) << what;
      ASSERT_EQ(similarity::by_prefixes(input).parts(), expected.parts()) << what;
      ++tried;
      found += expected.count;
    }
  }
  EXPECT_GT(found, 50'000U);
  print_figure("set_similarity_join: " + std::to_string(tried) + " joins by both references, " + std::to_string(found) +
               " pairs");
}

}  // namespace
}  // namespace warpbench::testing
