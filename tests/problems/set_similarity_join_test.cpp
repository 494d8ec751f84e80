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

/// More tokens than brute force compares: the index, which the sample agrees with.
TEST(SetSimilarityJoinReference, IsTheSameAboveItsLimit) {
  const SetCollection sets = similar_sets(kSeed, {1500, 30, 400});
  for (const std::int64_t left : {std::int64_t{0}, std::int64_t{500}, sets.count()}) {
    Input input = input_of(sets, "cosine", 0.7, left);
    input.limits.compared_tokens = 0;
    EXPECT_EQ(SetSimilarityJoin::reference(input).parts(), similarity::by_brute_force(input).parts()) << left;
  }
}

TEST(SetSimilarityJoinReference, KnowsWhatBruteForceCosts) {
  const SetCollection sets = sets_of({{1}, {1, 2}, {}, {1, 2, 3, 4}});
  EXPECT_EQ(similarity::compared_tokens(input_of(sets, "jaccard", 1)), 1 + 3 + 5 + 2 + 4 + 6);
  EXPECT_EQ(similarity::compared_tokens(input_of(sets, "jaccard", 1, 2)), 1 + 5 + 2 + 6);
  EXPECT_EQ(similarity::compared_tokens(input_of(sets, "jaccard", 1, 4)), 0);
}

TEST(SetSimilarityJoinReference, OverlapsAreCommonTokens) {
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 1000; ++round) {
    const SetCollection sets = random_sets(random(), 2, random() % 300, static_cast<std::uint32_t>(1 + random() % 400));
    const SetCollection unequal = sets_of({arithmetic(static_cast<datasets::Token>(random() % 100), 97, random() % 30),
                                           arithmetic(0, 2, random() % 3000)});
    const SetCollection ends =
        sets_of({{0, 2 * 3000}, arithmetic(0, 1, 2 * 3000 + static_cast<std::size_t>(round % 2))});
    for (const SetCollection& pair : {sets, unequal, ends}) {
      Tokens common;
      std::ranges::set_intersection(pair.set(0), pair.set(1), std::back_inserter(common));
      ASSERT_EQ(similarity::overlap_of(pair.set(0), pair.set(1)), common.size()) << "seed " << kSeed;
      ASSERT_EQ(similarity::overlap_of(pair.set(1), pair.set(0)), common.size()) << "seed " << kSeed;
    }
  }
}

TEST(SetSimilarityJoinReference, SurvivesTheCache) {
  const SetCollection sets = similar_sets(kSeed, {});
  const Input input = input_of(sets, "dice", 0.4);
  const Reference reference = SetSimilarityJoin::reference(input);
  EXPECT_GT(reference.count, 0U);
  EXPECT_EQ(stored_reference<SetSimilarityJoin>(input, bytes_of(reference)).parts(), reference.parts());
  Reference damaged = reference;
  damaged.count = input.pairs() + 1;
  EXPECT_THROW(static_cast<void>(stored_reference<SetSimilarityJoin>(input, bytes_of(damaged))), std::runtime_error);
}

// ---- inputs ----

TEST(SetSimilarityJoinInput, ReadsItsTask) {
  datasets::Dataset dataset;
  dataset.name = "these";
  dataset.kind = datasets::Kind::Sets;
  dataset.data = sets_of({{1}, {1, 2}, {}, {3}, {3}});
  const auto read = [&](const std::map<std::string, Value>& task) {
    return SetSimilarityJoin::input(dataset, Parameters(SetSimilarityJoin::info().task, task));
  };
  const Input usual = read({});
  EXPECT_EQ(usual.measure, Measure::jaccard);
  EXPECT_EQ(usual.threshold, (Threshold{4, 5}));
  EXPECT_EQ(usual.output, Output::digest);
  EXPECT_EQ(usual.pairs(), 10U);
  EXPECT_EQ(usual.work(), (std::map<std::string, double>{{"pairs", 10}, {"tokens", 5}}));
  const Input two = read({{"left", 2}, {"similarity", "cosine"}, {"output", "pairs"}, {"threshold", 1}});
  EXPECT_EQ(two.pairs(), 6U);
  EXPECT_EQ(two.measure, Measure::cosine);
  EXPECT_EQ(two.output, Output::pairs);
  EXPECT_TRUE(two.joins(1, 2));
  EXPECT_FALSE(two.joins(0, 1));
  EXPECT_FALSE(two.joins(2, 3));
  EXPECT_EQ(read({{"left", 5}}).pairs(), 0U);
  EXPECT_EQ(read({{"similarity", "dice"}, {"output", "count"}}).output, Output::count);
  try {
    static_cast<void>(read({{"left", 6}}));
    FAIL();
  } catch (const datasets::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "these: expected at least 6 sets, for left: 6, found 5 (ask a smaller left, or 0 for a self-join)");
  }
}

TEST(SetSimilarityJoinInput, CountsPairsBeyond32Bits) {
  const SetCollection sets = sets_of(std::vector<Tokens>(100'001));
  EXPECT_EQ((Input{&sets}.pairs()), 5'000'050'000U);
  const SetCollection none = sets_of({});
  EXPECT_EQ((Input{&none}.pairs()), 0U);
}

// ---- judge ----

/// Right answers of a join, which tests make wrong.
class SetSimilarityJoinJudge : public ::testing::Test {
 protected:
  Judgement judged(Output output, const Answer& answer) {
    const Input input = input_of(sets_, "jaccard", 0.5, left_, output);
    return SetSimilarityJoin::judge(input, answer, SetSimilarityJoin::reference(input));
  }
  /// What the judge says of these pairs in memory.
  std::string difference(std::vector<Pair> pairs) {
    const Judgement judgement = judged(Output::pairs, {pairs.size(), 0, pairs});
    EXPECT_EQ(judgement.verdict == Verdict::exact, judgement.difference.empty());
    return judgement.difference;
  }

  // Similar: 0 and 1 (2 of 3), 0 and 3 (3 of 4), 1 and 3 (2 of 4), 2 and 4 (2 of 2).
  SetCollection sets_ = sets_of({{1, 2, 3}, {2, 3}, {8, 9}, {1, 2, 3, 4}, {8, 9}, {}});
  std::vector<Pair> pairs_{{0, 1, 2.0F / 3}, {0, 3, 0.75F}, {1, 3, 0.5F}, {2, 4, 1.0F}};
  std::int64_t left_ = 0;
};

TEST_F(SetSimilarityJoinJudge, KnowsCountAndDigest) {
  Answer answer{pairs_.size(), reference_of(pairs_).pair_digest, {}};
  const Judgement judgement = judged(Output::digest, answer);
  EXPECT_EQ(judgement.verdict, Verdict::exact);
  EXPECT_EQ(judgement.metrics.at("similar_pairs"), 4);
  EXPECT_EQ(judgement.metrics.at("selectivity"), 4.0 / 15);
  ++answer.pair_digest;
  EXPECT_EQ(judged(Output::count, answer).verdict, Verdict::exact);
  EXPECT_EQ(judged(Output::digest, answer).difference.find("expected 4 pairs of digest "), 0U);
  --answer.pair_digest;
  --answer.count;
  EXPECT_EQ(judged(Output::count, answer).difference, "expected 4 pairs, found 3");
  EXPECT_EQ(judged(Output::digest, answer).difference, "expected 4 pairs, found 3");
}

TEST_F(SetSimilarityJoinJudge, NamesTheFirstFalsePair) {
  EXPECT_EQ(difference(pairs_), "");
  std::ranges::reverse(pairs_);
  EXPECT_EQ(difference(pairs_), "") << "in any order";
  std::ranges::reverse(pairs_);
  const auto with = [&](Pair pair) {
    std::vector<Pair> wrong = pairs_;
    wrong[2] = pair;
    return difference(wrong);
  };
  const std::string order = "expected two of 6 sets, the lower number first, found the pair ";
  EXPECT_EQ(with({3, 1, 0.5F}), order + "3, 1 of similarity 0.5 at place 2");
  EXPECT_EQ(with({3, 3, 1.0F}), order + "3, 3 of similarity 1 at place 2");
  EXPECT_EQ(with({1, 6, 0.5F}), order + "1, 6 of similarity 0.5 at place 2");
  EXPECT_EQ(
      with({1, 2, 0.5F}),
      "these sets of 2 and 2 tokens are not similar: they share 0, found the pair 1, 2 of similarity 0.5 at place 2");
  EXPECT_EQ(with({1, 3, 0.25F}), "expected the similarity 0.5, found the pair 1, 3 of similarity 0.25 at place 2");
  EXPECT_EQ(with(pairs_[0]),
            "expected each pair once, found the pair 0, 1 of similarity 0.6666667 at place 0 and at place 2");
  std::vector<Pair> fewer = pairs_;
  fewer.pop_back();
  EXPECT_EQ(difference(fewer), "expected 4 pairs, found 3, all of them right: some are missing");
  EXPECT_EQ(difference({}), "expected 4 pairs, found 0, all of them right: some are missing");
  EXPECT_EQ(judged(Output::pairs, {4, 0, fewer}).difference, "expected 4 pairs in memory, found 3");
}

TEST_F(SetSimilarityJoinJudge, RefusesPairsOfOneSide) {
  left_ = 3;
  const std::vector<Pair> right{{0, 3, 0.75F}, {1, 3, 0.5F}, {2, 4, 1.0F}};
  EXPECT_EQ(difference(right), "");
  EXPECT_EQ(
      difference(pairs_),
      "expected one of the first 3 sets and one of the others, found the pair 0, 1 of similarity 0.6666667 at place 0");
}

TEST_F(SetSimilarityJoinJudge, SaysWhereTheReferenceIsWrong) {
  const Input input = input_of(sets_, "jaccard", 0.5, 0, Output::pairs);
  const Judgement judgement = SetSimilarityJoin::judge(input, {pairs_.size(), 0, pairs_}, {});
  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.difference, "expected 0 pairs, found 4, all of them right: the reference is wrong");
}

TEST_F(SetSimilarityJoinJudge, NoticesSpoiledAndPoisonedAnswers) {
  for (const Output output : {Output::count, Output::digest, Output::pairs}) {
    for (const bool is_poisoned : {false, true}) {
      std::vector<Pair> pairs = pairs_;
      Answer answer{pairs_.size(), reference_of(pairs_).pair_digest, {}};
      if (output == Output::pairs) answer.pairs = pairs;
      ASSERT_EQ(judged(output, answer).verdict, Verdict::exact);
      const std::uint64_t right = answer.digest();
      if (is_poisoned) {
        answer.poison();
      } else {
        EXPECT_TRUE(spoil(answer));
      }
      EXPECT_NE(answer.digest(), right);
      EXPECT_EQ(judged(output, answer).verdict, Verdict::wrong);
      answer.count = pairs_.size();  // as a solver would report that wrote no pairs
      EXPECT_EQ(judged(output, answer).verdict, output == Output::count ? Verdict::exact : Verdict::wrong);
    }
  }
}

TEST_F(SetSimilarityJoinJudge, DigestsDependOnPairsAndNotOnTheirOrder) {
  const Answer answer{pairs_.size(), 0, pairs_};
  const std::uint64_t digest = answer.digest();
  std::ranges::reverse(pairs_);
  EXPECT_EQ(answer.digest(), digest);
  pairs_[1].similarity = 0.6F;
  EXPECT_NE(answer.digest(), digest);
}

}  // namespace
}  // namespace warpbench::testing
