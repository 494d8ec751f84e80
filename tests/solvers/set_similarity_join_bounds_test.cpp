// Bounds of set similarity joins against similar() by search, and what floating point makes of them.
#include "solvers/set_similarity_join/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "problems/set_similarity_join/reference.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using similarity::Bounds;
using similarity::fraction_of;
using similarity::Measure;

constexpr std::uint64_t kSeed = 41'022;

/// The smallest overlap of similar sets; one more than the smaller set has where there is none.
std::uint32_t searched_overlap(const Bounds& bounds, std::uint32_t a, std::uint32_t b) {
  std::uint32_t overlap = 1;
  while (overlap <= std::min(a, b) && !bounds.similar(overlap, a, b)) ++overlap;
  return overlap;
}

template <typename Body>
void for_all_bounds(const Body& body) {
  for (const std::string& measure : kMeasures) {
    for (const double threshold : kThresholds) {
      SCOPED_TRACE(measure + " " + std::to_string(threshold));
      body(Bounds{measure_of(measure), fraction_of(threshold)});
    }
  }
}

TEST(SimilarityBounds, AreWhatASearchFinds) {
  const auto largest = static_cast<std::uint32_t>(usual_or_thorough(40, 150));
  for_all_bounds([&](const Bounds& bounds) {
    for (std::uint32_t a = 1; a <= largest; ++a) {
      std::uint32_t min_size = 0;
      std::uint32_t max_size = 0;
      std::uint32_t probe_prefix = 0;
      std::uint32_t index_prefix = 0;
      for (std::uint32_t b = 1; b <= largest; ++b) {
        const std::uint32_t overlap = searched_overlap(bounds, a, b);
        const bool can_be = overlap <= std::min(a, b);
        if (can_be) {
          ASSERT_EQ(bounds.min_overlap(a, b), overlap) << a << " and " << b;
        } else {
          ASSERT_GT(bounds.min_overlap(a, b), std::min(a, b)) << a << " and " << b;
          continue;
        }
        if (min_size == 0) min_size = b;
        max_size = b;
        // All tokens of the set but `overlap` may lie before its first common one.
        if (b <= a) probe_prefix = std::max(probe_prefix, a - overlap + 1);
        if (b >= a) index_prefix = std::max(index_prefix, a - overlap + 1);
      }
      ASSERT_EQ(bounds.min_size(a), min_size) << a;
      ASSERT_EQ(std::min(bounds.max_size(a), largest), max_size) << a;
      ASSERT_EQ(bounds.probe_prefix(a), probe_prefix) << a;
      ASSERT_EQ(bounds.index_prefix(a), index_prefix) << a;
    }
  });
}

/// One less does not suffice, nor one more be demanded: up to the largest sizes, at thresholds of any denominator.
TEST(SimilarityBounds, AreExactOfHugeSets) {
  std::mt19937_64 random(kSeed);
  for (std::uint64_t round = 0; round < usual_or_thorough(100'000, 10'000'000); ++round) {
    const auto q = static_cast<std::uint32_t>(1 + random() % (round % 2 == 0 ? 20 : similarity::kMaxDenominator));
    const auto p = static_cast<std::uint32_t>(1 + random() % q);
    const Bounds bounds{static_cast<Measure>(round % 3), {p, q}};
    const auto a = static_cast<std::uint32_t>(1 + random() % (std::uint64_t{1} << (1 + random() % 32)));
    const auto b = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, a - a * (random() % 1000) / 1000));
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    const std::uint32_t overlap = bounds.min_overlap(a, b);
    ASSERT_TRUE(bounds.similar(overlap, a, b));
    ASSERT_FALSE(bounds.similar(overlap - 1, a, b));
    const std::uint32_t min_size = bounds.min_size(a);
    ASSERT_TRUE(bounds.similar(min_size, min_size, a));
    ASSERT_FALSE(bounds.similar(min_size - 1, min_size - 1, a));
    const std::uint32_t max_size = bounds.max_size(a);
    ASSERT_TRUE(bounds.similar(a, a, max_size));
    ASSERT_TRUE(max_size == ~0U || !bounds.similar(a, a, max_size + 1));
  }
}

/// Published code has such ceilings: it found 2,344 of 2,368 pairs of a collection.
TEST(SimilarityBounds, KeepPairsThatACeilingOfFloatingPointLoses) {
  // 28 of 35 tokens, and 18 of 20.
  const auto sets =
      sets_of({arithmetic(0, 1, 32), arithmetic(4, 1, 31), arithmetic(100, 1, 19), arithmetic(101, 1, 19)});
  struct Case {
    double threshold;
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t overlap;
    double ceiling;
  };
  const double sizes = 63;
  const double more_sizes = 38;
  for (const auto& [threshold, a, b, overlap, ceiling] :
       {Case{0.8, 32, 31, 28, std::ceil(0.8 / (1 + 0.8) * sizes)},
        Case{0.9, 19, 19, 18, std::ceil(more_sizes * 0.9 / (1 + 0.9))}}) {
    const Bounds bounds{Measure::jaccard, fraction_of(threshold)};
    EXPECT_EQ(ceiling, overlap + 1.0) << "the ceiling would lose the pair";
    EXPECT_EQ(bounds.min_overlap(a, b), overlap);
    EXPECT_TRUE(bounds.similar(overlap, a, b));
    SetSimilarityJoin::Input input;
    input.sets = &sets;
    input.threshold = fraction_of(threshold);
    EXPECT_EQ(SetSimilarityJoin::reference(input).count, threshold == 0.8 ? 2U : 1U);
  }
}

/// Of a similar pair of an ordered collection, the larger set's probe prefix and the smaller one's index prefix share a
/// token; of equally large ones either way.
TEST(SimilarityBounds, PrefixesOfSimilarSetsShareAToken) {
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = kSeed; seed < kSeed + usual_or_thorough(20, 500); ++seed) {
    const auto sets = similar_sets(seed, {40, 25, 60});
    for_all_bounds([&](const Bounds& bounds) {
      SetSimilarityJoin::Input input;
      input.sets = &sets;
      const similarity::OrderedSets in_order = similarity::ordered(input, 1);
      for (std::int64_t j = 0; j < in_order.count(); ++j) {
        for (std::int64_t i = 0; i < j; ++i) {
          const auto smaller = in_order.sets.set(i);
          const auto larger = in_order.sets.set(j);
          const auto a = static_cast<std::uint32_t>(smaller.size());
          const auto b = static_cast<std::uint32_t>(larger.size());
          if (!bounds.similar(similarity::overlap_of(smaller, larger), a, b)) continue;
          ASSERT_GT(similarity::overlap_of(smaller.first(bounds.index_prefix(a)), larger.first(bounds.probe_prefix(b))),
                    0U)
              << "seed " << seed << ", sets " << i << " and " << j;
          ++pairs;
        }
      }
    });
  }
  EXPECT_GT(pairs, 10'000U);
}

}  // namespace
}  // namespace warpbench::testing
