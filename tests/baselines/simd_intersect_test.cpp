// The vectorised intersection of two sets at every instruction set of this CPU, against the scalar one.
#include "baselines/sets/simd/simd_intersect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/thorough.hpp"

namespace warpbench::cpu_sets {
namespace {

using Tokens = std::vector<Token>;

constexpr std::uint64_t kSeed = 1871;
constexpr Token kLargest = 0xffff'ffffU;

/// `size` different tokens of low … high, ascending, in memory of exactly their size: AddressSanitizer sees reads
/// beyond.
Tokens random_tokens(std::size_t size, Token low, Token high, std::mt19937_64& random) {
  std::uniform_int_distribution<Token> any(low, high);
  Tokens tokens;
  while (tokens.size() < size) {
    while (tokens.size() < size) tokens.push_back(any(random));
    std::ranges::sort(tokens);
    tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
  }
  return {tokens.begin(), tokens.end()};
}

Tokens common_of(IntersectFunction intersect, const Tokens& a, const Tokens& b) {
  Tokens common(std::min(a.size(), b.size()) + 1, 77);
  const std::size_t count = intersect(a, b, common.data());
  EXPECT_EQ(intersect(a, b, nullptr), count) << "counted without writing";
  EXPECT_EQ(common.back(), 77U) << "written beyond the room there is";
  common.resize(count);
  return common;
}

void expect_all_agree(const Tokens& a, const Tokens& b, const std::string& what) {
  Tokens right;
  std::ranges::set_intersection(a, b, std::back_inserter(right));
  ASSERT_EQ(common_of(intersect_function(kNoSimd), a, b), right) << "scalar: " << what;
  for (const Simd simd : supported_simd()) {
    ASSERT_EQ(common_of(intersect_function(simd), a, b), right) << to_string(simd) << ": " << what;
    ASSERT_EQ(common_of(intersect_function(simd), b, a), right) << to_string(simd) << ", exchanged: " << what;
  }
}

TEST(SimdIntersect, EveryInstructionSetAgreesAtAnyRatioOfLengths) {
  std::mt19937_64 random(kSeed);
  for (std::size_t i = 0; i < testing::usual_or_thorough(100, 600); ++i) {
    const std::size_t ratio = std::vector<std::size_t>{1, 1, 2, 10, 49, 51, 200, 999, 1001, 2000}[i % 10];
    const std::size_t shorter = random() % (ratio < 10 ? 200 : 40);
    const std::size_t longer = shorter * ratio + random() % 70;
    const auto span = static_cast<Token>(std::max(shorter, longer) * (2 + random() % 3) + 3);
    const Token low = i % 3 == 0 ? kLargest - span : i % 3 == 1 ? 0 : 0x7fff'ff00U;  // both ends, and the sign bit
    expect_all_agree(random_tokens(shorter, low, low + span, random), random_tokens(longer, low, low + span, random),
                     std::to_string(shorter) + " in " + std::to_string(longer) + " from " + std::to_string(low) +
                         ", case " + std::to_string(i) + ", seed " + std::to_string(kSeed));
  }
}

TEST(SimdIntersect, EveryPairOfLengthsTo70) {
  std::mt19937_64 random(kSeed);
  for (std::size_t a = 0; a <= 70; ++a) {
    for (std::size_t b = 0; b <= 70; ++b) {
      expect_all_agree(random_tokens(a, 0, 120, random), random_tokens(b, 0, 120, random),
                       std::to_string(a) + ", " + std::to_string(b) + ", seed " + std::to_string(kSeed));
    }
  }
}

}  // namespace
}  // namespace warpbench::cpu_sets
