// What solvers of set similarity joins share besides bounds: sets in order, blocks of them, and the sink of pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"
#include "solvers/set_similarity_join/pair_sink.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using datasets::SetCollection;
using similarity::BlockPair;
using similarity::Bounds;
using similarity::OrderedSets;
using similarity::SetRange;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;

constexpr std::uint64_t kSeed = 51'022;

Input input_of(const SetCollection& sets, double threshold = 0.5, std::int64_t left = 0) {
  Input input;
  input.sets = &sets;
  input.left = left;
  input.threshold = similarity::fraction_of(threshold);
  return input;
}

TEST(OrderedSets, HaveRareTokensFirstAndSmallSetsFirst) {
  // Tokens by frequency: 9 (once), 2 and 5 (twice, in their order), 7 (three times).
  const SetCollection sets = sets_of({{7, 2}, {}, {5, 7, 9}, {}, {2}, {5, 7}});
  const OrderedSets in_order = similarity::ordered(input_of(sets));
  EXPECT_EQ(in_order.originals, (std::vector<std::uint32_t>{4, 0, 5, 2}));
  EXPECT_EQ(in_order.sets, sets_of({{1}, {1, 3}, {2, 3}, {0, 2, 3}}));
  EXPECT_EQ(in_order.distinct_tokens, 4);
  EXPECT_TRUE(in_order.is_self_join());
  EXPECT_TRUE(in_order.joins(0, 3));
}

TEST(OrderedSets, KnowTheirSides) {
  const SetCollection sets = sets_of({{7, 2}, {}, {5, 7, 9}, {}, {2}, {5, 7}});
  const OrderedSets in_order = similarity::ordered(input_of(sets, 0.5, 3));
  EXPECT_EQ(in_order.sides, (std::vector<std::uint8_t>{1, 0, 1, 0}));
  EXPECT_FALSE(in_order.is_self_join());
  EXPECT_TRUE(in_order.joins(0, 1));
  EXPECT_FALSE(in_order.joins(1, 3));
}

TEST(OrderedSets, AreTheSameSetsOnAnyNumberOfThreads) {
  for (std::uint64_t seed = kSeed; seed < kSeed + usual_or_thorough(30, 500); ++seed) {
    const SetCollection sets = similar_sets(seed);
    const OrderedSets in_order = similarity::ordered(input_of(sets), 1);
    std::map<datasets::Token, std::int64_t> frequency_of;
    for (const datasets::Token token : in_order.sets.tokens) ++frequency_of[token];
    EXPECT_EQ(in_order.distinct_tokens, static_cast<std::int64_t>(frequency_of.size()));
    std::int64_t before = 0;
    for (const auto& [token, frequency] : frequency_of) {
      ASSERT_GE(frequency, before) << "seed " << seed;
      before = frequency;
    }
    for (std::int64_t i = 0; i < in_order.count(); ++i) {
      const auto set = in_order.sets.set(i);
      ASSERT_GT(set.size(), 0U);
      ASSERT_EQ(sets.size(in_order.originals[static_cast<std::size_t>(i)]), in_order.sets.size(i));
      if (i == 0) continue;
      const auto earlier = in_order.sets.set(i - 1);
      ASSERT_TRUE(earlier.size() < set.size() ||
                  (earlier.size() == set.size() && !std::ranges::lexicographical_compare(set, earlier)))
          << "seed " << seed << ", set " << i;
    }
    ASSERT_EQ(similarity::ordered(input_of(sets), 3).sets, in_order.sets) << "seed " << seed;
  }
}

TEST(SetBlocks, CoverARange) {
  EXPECT_EQ(similarity::blocks_of({3, 10}, 3), (std::vector<SetRange>{{3, 6}, {6, 9}, {9, 10}}));
  EXPECT_EQ(similarity::blocks_of({3, 10}, 100), (std::vector<SetRange>{{3, 10}}));
  EXPECT_TRUE(similarity::blocks_of({3, 3}, 3).empty());
}

TEST(SetBlocks, EndWhereAJoinIsSplit) {
  const SetCollection sets = similar_sets(kSeed, {40, 30, 60});
  const Input input = input_of(sets, 0.3);
  const OrderedSets in_order = similarity::ordered(input, 1);
  const Bounds bounds = similarity::bounds_of(input);
  for (const std::int64_t block_size : {1, 7, 1000}) {
    for (const std::int64_t split : {std::int64_t{0}, std::int64_t{1}, std::int64_t{21}, in_order.count()}) {
      std::set<std::pair<std::int64_t, std::int64_t>> met;
      for (const auto& [smaller, larger] : similarity::block_pairs_behind(split, in_order, bounds, block_size)) {
        ASSERT_GE(larger.begin, split);
        ASSERT_LE(std::max(smaller.count(), larger.count()), block_size);
        for (std::int64_t j = larger.begin; j < larger.end; ++j) {
          for (std::int64_t i = smaller.begin; i < std::min(smaller.end, j); ++i) ASSERT_TRUE(met.emplace(i, j).second);
        }
      }
      for (std::int64_t j = split; j < in_order.count(); ++j) {
        const auto size = static_cast<std::uint32_t>(in_order.sets.size(j));
        for (std::int64_t i = 0; i < j; ++i) {
          const bool can_be_similar = in_order.sets.size(i) >= std::int64_t{bounds.min_size(size)};
          ASSERT_TRUE(!can_be_similar || met.contains({i, j})) << i << ", " << j << ", split " << split;
        }
      }
    }
  }
}

/// Each pair of sets that can be similar by size is in one pair of blocks, and pairs of blocks without any are left
/// out.
TEST(SetBlocks, ArePairedByTheirSizes) {
  std::size_t skipped = 0;
  for (std::uint64_t seed = kSeed; seed < kSeed + usual_or_thorough(10, 200); ++seed) {
    const SetCollection sets = similar_sets(seed, {40, 30, 60});
    for (const std::int64_t block_size : {1, 3, 7, 40, 1000}) {
      const double threshold = kThresholds[seed % kThresholds.size()];
      const Input input = input_of(sets, threshold);
      const OrderedSets in_order = similarity::ordered(input, 1);
      const Bounds bounds = similarity::bounds_of(input);
      std::map<std::pair<std::int64_t, std::int64_t>, int> met;
      SetRange larger{-1, -1};
      for (const BlockPair& pair : similarity::block_pairs(in_order, bounds, block_size)) {
        ASSERT_EQ(pair.larger != larger, pair.is_diagonal()) << "the diagonal pair comes first";
        ASSERT_GE(pair.larger.begin, larger.begin);
        larger = pair.larger;
        bool has_similar_sizes = false;
        for (std::int64_t j = pair.larger.begin; j < pair.larger.end; ++j) {
          for (std::int64_t i = pair.smaller.begin; i < std::min(pair.smaller.end, j + 1); ++i) {
            const auto size_i = static_cast<std::uint32_t>(in_order.sets.size(i));
            const auto size_j = static_cast<std::uint32_t>(in_order.sets.size(j));
            has_similar_sizes |= bounds.similar(size_i, size_i, size_j);
            if (i < j) ++met[{i, j}];
          }
        }
        ASSERT_TRUE(has_similar_sizes) << "seed " << seed;
      }
      for (std::int64_t j = 0; j < in_order.count(); ++j) {
        for (std::int64_t i = 0; i < j; ++i) {
          const auto size_i = static_cast<std::uint32_t>(in_order.sets.size(i));
          const auto size_j = static_cast<std::uint32_t>(in_order.sets.size(j));
          const int times = met[{i, j}];
          ASSERT_LE(times, 1);
          ASSERT_TRUE(times == 1 || !bounds.similar(size_i, size_i, size_j)) << "seed " << seed;
          skipped += times == 0 ? 1U : 0U;
        }
      }
    }
  }
  EXPECT_GT(skipped, 1000U);
}

TEST(PairSink, MakesWhatTheOutputAsksFor) {
  const SetCollection sets = sets_of({{7, 2, 5}, {5, 7}, {2, 7}});
  Input input = input_of(sets);
  const OrderedSets in_order = similarity::ordered(input);
  const auto place_of = [&](std::uint32_t original) {
    return std::ranges::find(in_order.originals, original) - in_order.originals.begin();
  };
  for (const Output output : {Output::count, Output::digest, Output::pairs}) {
    input.output = output;
    similarity::PairSink sink(in_order, input);
    EXPECT_EQ(sink.wants_overlap(), output == Output::pairs);
    for (int round = 0; round < 2; ++round) {
      sink.clear();
      sink.add(place_of(1), place_of(0), 2);
      sink.add(place_of(0), place_of(2), 2);
      EXPECT_EQ(sink.count(), 2U);
      const std::uint64_t digest = similarity::digest_of_pair(0, 1) + similarity::digest_of_pair(0, 2);
      EXPECT_EQ(sink.digest(), output == Output::digest ? digest : 0);
      EXPECT_EQ(sink.pairs().size(), output == Output::pairs ? 2U : 0U);
    }
    if (output != Output::pairs) continue;
    EXPECT_EQ(sink.pairs()[0], (similarity::Pair{0, 1, 2.0F / 3}));
    EXPECT_EQ(sink.pairs()[1], (similarity::Pair{0, 2, 2.0F / 3}));
  }
}

}  // namespace
}  // namespace warpbench::testing
