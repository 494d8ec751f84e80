// The rules of set_intersection and set_containment: the reference against set_intersection of the standard library, by
// lists and by bits, whole and in bands; and the judges against answers that are wrong.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "datasets/input_error.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/sets/common_bits.hpp"
#include "tests/problems/support/sets.hpp"
#include "tests/problems/support/spoilers.hpp"
#include "tests/support/figure.hpp"

namespace warpbench {
namespace {

using datasets::SetCollection;
using testing::Tokens;
using Mode = SetIntersection::Mode;
using Output = SetContainment::Output;

constexpr std::uint64_t kSeed = 6112022;

Tokens common_of(const SetCollection& sets, std::int64_t a, std::int64_t b) {
  Tokens common;
  std::ranges::set_intersection(sets.set(a), sets.set(b), std::back_inserter(common));
  return common;
}

std::vector<std::uint32_t> all_counts(const SetCollection& sets) {
  std::vector<std::uint32_t> counts;
  for (std::int64_t i = 0; i < sets.count(); ++i) {
    for (std::int64_t j = i + 1; j < sets.count(); ++j) {
      counts.push_back(static_cast<std::uint32_t>(common_of(sets, i, j).size()));
    }
  }
  return counts;
}

datasets::Dataset dataset_of(const SetCollection& sets) {
  datasets::Dataset dataset;
  dataset.name = "these";
  dataset.kind = datasets::Kind::Sets;
  dataset.data = sets;
  return dataset;
}

// ---- pairs and their places ----

TEST(Pairs, HavePlacesRowByRow) {
  for (const std::int64_t sets : {0, 1, 2, 3, 7, 64}) {
    std::uint64_t place = 0;
    for (std::int64_t i = 0; i < sets; ++i) {
      EXPECT_EQ(pairs::first_place(sets, i), place);
      for (std::int64_t j = i + 1; j < sets; ++j) EXPECT_EQ(pairs::pair_at(sets, place++), (pairs::Pair{i, j}));
    }
    EXPECT_EQ(pairs::count(sets), place);
  }
  EXPECT_EQ(pairs::count(100'000), 4'999'950'000U);
  EXPECT_EQ(pairs::pair_at(100'000, 4'999'949'999U), (pairs::Pair{99'998, 99'999}));
}

TEST(Pairs, BandsAreWholeRowsThatFollowEachOther) {
  for (const std::int64_t sets : {0, 1, 2, 3, 10, 100}) {
    for (const std::uint64_t most : {1U, 5U, 40U, 10'000U}) {
      std::int64_t row = 0;
      std::uint64_t place = 0;
      for (const pairs::Band& band : pairs::bands(sets, most)) {
        EXPECT_EQ(band.first_row, row);
        EXPECT_EQ(band.first_place, place);
        EXPECT_TRUE(band.places <= most || band.last_row == band.first_row + 1);
        row = band.last_row;
        place += band.places;
      }
      EXPECT_EQ(place, pairs::count(sets));
      EXPECT_EQ(row, std::max<std::int64_t>(sets - 1, 0));
    }
  }
}

TEST(Pairs, DigestsOfBandsAddUp) {
  const std::vector<std::uint32_t> values{3, 1, 4, 1, 5, 9, 2, 6};
  std::uint64_t sum = values.size();
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const std::size_t size = std::min<std::size_t>(3, values.size() - i);
    sum += pairs::digest_of_band(std::span(values).subspan(i, size), i);
  }
  EXPECT_EQ(sum, digest_of_places(values));
}

// ---- references ----

TEST(SetIntersectionReference, IsWhatTheStandardLibraryFinds) {
  for (const auto& [name, sets] : testing::adversarial_sets()) {
    const auto reference = SetIntersection::reference({&sets, Mode::multi});
    EXPECT_EQ(reference.counts.kept, all_counts(sets)) << name;
  }
  for (const auto& [name, sets] : testing::adversarial_pairs()) {
    const auto reference = SetIntersection::reference({&sets, Mode::single, true});
    EXPECT_EQ(reference.tokens, common_of(sets, 0, 1)) << name;
    EXPECT_EQ(reference.common, reference.tokens.size()) << name;
    EXPECT_TRUE(SetIntersection::reference({&sets, Mode::single, false}).tokens.empty()) << name;
  }
}

TEST(SetIntersectionReference, IsTheDigestsOfItsBandsWhereItIsTooLargeToKeep) {
  for (const std::uint32_t universe : {100U, 9000U}) {  // counted by bits, and by lists alone
    const SetCollection sets = testing::random_sets(kSeed, 70, 20, universe);
    const std::vector<std::uint32_t> whole = all_counts(sets);
    const pairs::Limits limits{.kept = whole.size() - 1, .in_band = 500};
    const SetIntersection::Input input{&sets, Mode::multi, false, limits};
    const SetIntersection::Reference reference = SetIntersection::reference(input);
    const pairs::Values& values = reference.counts;
    EXPECT_TRUE(values.kept.empty());
    const std::vector<pairs::Band> bands = pairs::bands(sets.count(), limits.in_band);
    ASSERT_EQ(values.band_digests.size(), bands.size());
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const auto of_band = std::span(whole).subspan(bands[i].first_place, bands[i].places);
      EXPECT_EQ(values.band_digests[i], pairs::digest_of_band(of_band, bands[i].first_place)) << universe << ", " << i;
    }
    const std::vector<std::byte> bytes = bytes_of(reference);
    EXPECT_EQ(stored_reference<SetIntersection>(input, bytes).counts.band_digests, values.band_digests);
  }
}

TEST(CommonBits, AreThoseOfEachRowAndColumn) {
  std::mt19937_64 random(kSeed);
  for (const std::size_t words : {pairs::kWordsOfBlock, 3 * pairs::kWordsOfBlock}) {
    for (const std::size_t rows : {1UL, 4UL, 7UL}) {
      constexpr std::size_t kColumns = 5;
      std::vector<std::uint64_t> bits((rows + kColumns) * words);
      for (std::uint64_t& word : bits) word = random();
      const std::span<const std::uint64_t> of_rows = std::span(bits).first(rows * words);
      const std::span<const std::uint64_t> of_columns = std::span(bits).subspan(rows * words);
      std::vector<std::uint32_t> counts(rows * kColumns);
      pairs::count_common_bits(of_rows, of_columns, words, counts);
      for (std::size_t pair = 0; pair < counts.size(); ++pair) {
        std::uint32_t expected = 0;
        for (std::size_t w = 0; w < words; ++w) {
          expected += static_cast<std::uint32_t>(
              std::popcount(of_rows[pair / kColumns * words + w] & of_columns[pair % kColumns * words + w]));
        }
        EXPECT_EQ(counts[pair], expected) << words << " words, " << rows << " rows, pair " << pair;
      }
    }
  }
}

TEST(SetIntersectionReference, IsRightForSparseAndDenseCollections) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    std::mt19937_64 random(kSeed + i);
    // Universes of a few tokens are counted by bits, of thousands by lists.
    const SetCollection sets = testing::random_sets(kSeed + i, 2 + random() % 80, random() % 60,
                                                    i % 2 == 0 ? 20 : static_cast<std::uint32_t>(1 + random() % 9000));
    ASSERT_EQ(SetIntersection::reference({&sets, Mode::multi}).counts.kept, all_counts(sets)) << "seed " << kSeed + i;
  }
  testing::print_figure("set_intersection: 500 random collections");
}

TEST(SetContainmentReference, SaysToWhichDegree) {
  const SetCollection sets = testing::sets_of({{1, 2, 3, 4}, {2, 3}, {3, 9, 10}, {}, {2, 3}});
  std::vector<float> degrees;
  for (const std::uint32_t bits : SetContainment::reference({&sets, Output::degree}).kept) {
    degrees.push_back(std::bit_cast<float>(bits));
  }
  EXPECT_EQ(degrees, (std::vector<float>{1, 1.0F / 3, 1, 1, 0.5F, 1, 1, 1, 0.5F, 1})) << "empty and equal sets count";
  EXPECT_EQ(SetContainment::reference({&sets, Output::contained}).kept,
            (std::vector<std::uint32_t>{1, 0, 1, 1, 0, 1, 1, 1, 0, 1}));
}

TEST(SetContainmentReference, GivesTheContainedPairsAlone) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    std::mt19937_64 random(kSeed + i);
    const SetCollection sets =
        testing::random_sets(kSeed + i, random() % 60, random() % 9, static_cast<std::uint32_t>(1 + random() % 40));
    std::vector<std::uint64_t> places;
    std::uint64_t place = 0;
    for (const std::uint32_t contained : SetContainment::reference({&sets, Output::contained}).kept) {
      if (contained == 1) places.push_back(place);
      ++place;
    }
    const auto reference = SetContainment::reference({&sets, Output::pairs});
    ASSERT_EQ(reference.places, places) << "seed " << kSeed + i;
    ASSERT_TRUE(reference.kept.empty() && reference.band_digests.empty());
  }
}

TEST(Pairs, PlacesOfOnesAreAppendedInOrder) {
  std::mt19937_64 random(kSeed);
  for (const std::size_t size : {0UL, 1UL, 65'536UL, 200'001UL}) {
    std::vector<std::uint32_t> values(size);
    for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random() % 4);
    std::vector<std::uint64_t> expected{3};
    for (std::size_t i = 0; i < size; ++i) {
      if (values[i] == 1) expected.push_back(100 + i);
    }
    std::vector<std::uint64_t> places{3};
    pairs::append_places_of_ones(values, 100, places);
    EXPECT_EQ(places, expected);
  }
}

// ---- judges ----

TEST(SetIntersectionJudge, NamesTheFirstPairThatIsWrong) {
  const SetCollection sets = testing::sets_of({{1, 2, 3}, {2, 3}, {3, 4}, {9}});
  const SetIntersection::Input input{&sets, Mode::multi};
  const auto reference = SetIntersection::reference(input);
  const std::vector<std::uint32_t> right = reference.counts.kept;
  const auto difference = [&](std::vector<std::uint32_t> counts) {
    const Judgement judgement = SetIntersection::judge(input, {{counts, {}}, 0, {}}, reference);
    EXPECT_EQ(judgement.verdict == Verdict::exact, judgement.difference.empty());
    return judgement.difference;
  };
  EXPECT_EQ(difference(right), "");
  std::vector<std::uint32_t> counts = right;
  counts[3] += 1;
  EXPECT_EQ(difference(counts), "sets 1 and 2: expected 1, found 2");
  counts = right;
  std::swap(counts[0], counts[1]);
  EXPECT_EQ(difference(counts), "sets 0 and 1: expected 2, found 1");
  counts = right;
  counts.pop_back();
  EXPECT_EQ(difference(counts), "expected 6 values and 0 digests of bands for 4 sets, found 5 and 0");
  EXPECT_EQ(difference({}), "expected 6 values and 0 digests of bands for 4 sets, found 0 and 0");
}

TEST(SetIntersectionJudge, LooksAtNumberAndTokensOfOnePair) {
  const SetCollection sets = testing::sets_of({{1, 2, 3}, {2, 3, 4}});
  const SetIntersection::Input input{&sets, Mode::single, true};
  const auto reference = SetIntersection::reference(input);
  const auto difference = [&](std::uint64_t common, Tokens tokens) {
    return SetIntersection::judge(input, {{}, common, tokens}, reference).difference;
  };
  EXPECT_EQ(difference(2, {2, 3}), "");
  EXPECT_EQ(difference(3, {2, 3}), "expected 2 common tokens, found 3");
  EXPECT_EQ(difference(2, {2}), "expected a set of 2 tokens, found one of 1");
  EXPECT_EQ(difference(2, {3, 2}), "place 0: expected the token 2, found 3");
  EXPECT_EQ(difference(2, {2, 4}), "place 1: expected the token 3, found 4");
}

TEST(PairsJudge, NamesTheBandWhoseDigestIsWrong) {
  const SetCollection sets = testing::sets_of(std::vector<Tokens>(5, Tokens{1}));
  pairs::Values reference;
  reference.band_digests = {1, 2};  // whatever the number of sets, as a judge sees it
  std::vector<std::uint64_t> digests{1, 2};
  EXPECT_EQ(pairs::judge(sets, {{}, digests}, reference, {}).verdict, Verdict::exact);
  digests[0] = 7;
  EXPECT_EQ(pairs::judge(sets, {{}, digests}, reference, {}).difference,
            "sets 0 to 3 with all later ones: expected the digest 0000000000000001, found 0000000000000007");
}

TEST(SetContainmentJudge, CountsThePairsAndRefusesAnotherBit) {
  const SetCollection sets = testing::sets_of({{1, 2, 3}, {2, 3}, {3, 4}});
  for (const Output output : {Output::degree, Output::contained}) {
    const SetContainment::Input input{&sets, output};
    const auto reference = SetContainment::reference(input);
    std::vector<std::uint32_t> values = reference.kept;
    EXPECT_EQ(SetContainment::judge(input, {{values, {}}}, reference).metrics.at("contained"), 1);
    values[2] ^= 1U;
    EXPECT_EQ(SetContainment::judge(input, {{values, {}}}, reference).verdict, Verdict::wrong);
  }
}

TEST(SetContainmentJudge, NamesThePairThatIsMissingOrTooMuch) {
  const SetCollection sets = testing::sets_of({{1, 2, 3}, {2, 3}, {3, 4}, {3}});  // places 0, 2, 4 and 5
  const SetContainment::Input input{&sets, Output::pairs};
  const auto reference = SetContainment::reference(input);
  const auto difference = [&](std::vector<std::uint64_t> places) {
    SetContainment::Answer answer;
    answer.places = places;
    const Judgement judgement = SetContainment::judge(input, answer, reference);
    EXPECT_EQ(judgement.verdict == Verdict::exact, judgement.difference.empty());
    if (judgement.verdict == Verdict::exact) {
      EXPECT_EQ(judgement.metrics.at("contained"), 4);
    }
    return judgement.difference;
  };
  EXPECT_EQ(difference({0, 2, 4, 5}), "");
  EXPECT_EQ(difference({0, 2, 5}), "expected sets 1 and 3, found sets 2 and 3 at number 2 of the contained pairs");
  EXPECT_EQ(difference({0, 2, 4}), "expected 4 contained pairs, found 3, without sets 2 and 3");
  EXPECT_EQ(difference({0, 2, 4, 5, 7}), "expected 4 contained pairs, found 5, among them place 7 of no pair");
  EXPECT_EQ(difference({2, 0, 4, 5}), "expected sets 0 and 1, found sets 0 and 3 at number 0 of the contained pairs");
  EXPECT_NE(difference({0, 0, 2, 4, 5}), "");
  EXPECT_NE(difference({}), "");
}

// ---- inputs and stored references ----

TEST(SetIntersectionInput, AsksForTwoSetsWhereOnePairIsMeant) {
  const ProblemInfo info = SetIntersection::info();
  const Parameters single(info.task, {{"mode", "single"}});
  const datasets::Dataset three = dataset_of(testing::sets_of({{1}, {2}, {3}}));
  try {
    static_cast<void>(SetIntersection::input(three, single));
    FAIL();
  } catch (const datasets::InputError& error) {
    EXPECT_EQ(error.expected(), "two sets, for mode: single");
    EXPECT_EQ(error.found(), "3");
  }
  EXPECT_THROW(info.validate(Parameters(info.task, {{"answer", "set"}})), ParameterError);
}

TEST(SetBytes, RoundTripAndRefuseWhatDoesNotFit) {
  const SetCollection sets = testing::random_sets(kSeed, 30, 20, 50);
  const SetCollection pair = testing::random_sets(kSeed, 2, 200, 300);
  for (const auto& input : {SetIntersection::Input{&sets, Mode::multi}, SetIntersection::Input{&pair, Mode::single},
                            SetIntersection::Input{&pair, Mode::single, true}}) {
    const auto reference = SetIntersection::reference(input);
    std::vector<std::byte> bytes = bytes_of(reference);
    const auto again = stored_reference<SetIntersection>(input, bytes);
    EXPECT_EQ(again.counts.kept, reference.counts.kept);
    EXPECT_EQ(again.common, reference.common);
    EXPECT_EQ(again.tokens, reference.tokens);
    bytes.pop_back();
    EXPECT_THROW(static_cast<void>(stored_reference<SetIntersection>(input, bytes)), std::runtime_error);
    EXPECT_THROW(static_cast<void>(stored_reference<SetIntersection>(input, {})), std::runtime_error);
  }
  const SetContainment::Input input{&sets, Output::degree};
  std::vector<std::byte> bytes = bytes_of(SetContainment::reference(input));
  EXPECT_EQ(stored_reference<SetContainment>(input, bytes).kept, SetContainment::reference(input).kept);
  bytes.pop_back();
  EXPECT_THROW(static_cast<void>(stored_reference<SetContainment>(input, bytes)), std::runtime_error);
}

TEST(SetBytes, OfContainedPairsRoundTripAndRefuseWhatDoesNotFit) {
  const SetCollection sets = testing::random_sets(kSeed, 30, 4, 12);
  const SetContainment::Input input{&sets, Output::pairs};
  const auto reference = SetContainment::reference(input);
  ASSERT_FALSE(reference.places.empty());
  std::vector<std::byte> bytes = bytes_of(reference);
  EXPECT_EQ(stored_reference<SetContainment>(input, bytes).places, reference.places);
  bytes.pop_back();
  EXPECT_THROW(static_cast<void>(stored_reference<SetContainment>(input, bytes)), std::runtime_error);
  const SetContainment::Input none{&sets, Output::contained};
  EXPECT_THROW(static_cast<void>(stored_reference<SetContainment>(none, bytes_of(reference))), std::runtime_error);
}

TEST(SetDigest, NoticesContainedPairsInAnotherOrder) {
  std::vector<std::uint64_t> places{3, 7, 8};
  SetContainment::Answer answer;
  answer.places = places;
  const std::uint64_t digest = answer.digest();
  std::swap(places[0], places[2]);
  EXPECT_NE(answer.digest(), digest);
}

TEST(SetDigest, NoticesASpoiledAnswer) {
  const SetCollection sets = testing::random_sets(kSeed, 30, 20, 50);
  const SetIntersection::Input input{&sets, Mode::multi};
  auto reference = SetIntersection::reference(input);
  SetIntersection::Answer answer{{reference.counts.kept, {}}, 0, {}};
  const std::uint64_t before = answer.digest();
  std::vector<std::uint32_t> copy = reference.counts.kept;
  answer.counts.kept = copy;
  EXPECT_EQ(answer.digest(), before);
  testing::spoil(answer);
  EXPECT_NE(answer.digest(), before);
  EXPECT_EQ(SetIntersection::judge(input, answer, reference).verdict, Verdict::wrong);
}

}  // namespace
}  // namespace warpbench
