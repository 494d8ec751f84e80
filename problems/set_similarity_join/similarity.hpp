// The rules of similarity (bellas2022 §4.1.1, Table 4.1): three measures, and thresholds that are fractions, so that
// integers alone decide whether two sets are similar. A threshold of floating point loses pairs that just reach it.
#pragma once

#include <cmath>
#include <cstdint>

namespace warpbench::similarity {

/// Of sets of `a` and `b` tokens with `o` tokens in common.
enum class Measure : std::uint8_t {
  jaccard,  ///< o / (a + b - o)
  cosine,   ///< o / sqrt(a b)
  dice      ///< 2 o / (a + b)
};

/// A fraction above 0 and at most 1, in lowest terms.
struct Threshold {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1;

  friend bool operator==(const Threshold&, const Threshold&) = default;
};

/// Thresholds have at most this denominator.
inline constexpr std::uint32_t kMaxDenominator = 1'000'000;

/// The fraction of the smallest denominator that is `value` when rounded to a double: 0.8 is 4/5, 0.6666666666666666
/// is 2/3. Throws std::invalid_argument where that denominator is above kMaxDenominator, or the value not in (0, 1].
/// O(log kMaxDenominator).
[[nodiscard]] Threshold fraction_of(double value);

__extension__ using Uint128 = unsigned __int128;

/// Whether two sets are similar: they share a token, and their similarity is at least the threshold. So an empty set
/// is similar to none. `overlap` is at most `a` and `b`.
[[nodiscard]] constexpr bool similar(Measure measure, Threshold threshold, std::uint32_t overlap, std::uint32_t a,
                                     std::uint32_t b) {
  const std::uint64_t p = threshold.numerator;
  const std::uint64_t q = threshold.denominator;
  const std::uint64_t o = overlap;
  const std::uint64_t sizes = std::uint64_t{a} + b;
  if (o == 0) return false;
  if (measure == Measure::jaccard) return o * (p + q) >= p * sizes;
  if (measure == Measure::dice) return 2 * o * q >= p * sizes;
  return Uint128{o * q} * (o * q) >= Uint128{p * a} * (p * b);
}

/// The similarity, rounded once to double and once to float as IEEE 754 says, so that every processor finds the same.
[[nodiscard]] constexpr float value_of(Measure measure, std::uint32_t overlap, std::uint32_t a, std::uint32_t b) {
  const auto o = static_cast<double>(overlap);
  const auto sizes = static_cast<double>(a) + static_cast<double>(b);
  if (measure == Measure::jaccard) return static_cast<float>(o / (sizes - o));
  if (measure == Measure::dice) return static_cast<float>(2 * o / sizes);
  return static_cast<float>(o / std::sqrt(static_cast<double>(a) * static_cast<double>(b)));
}

}  // namespace warpbench::similarity
