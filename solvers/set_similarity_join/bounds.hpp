// Bounds: what a threshold demands of sizes, overlaps and prefixes (bellas2022 §4.1.1 and §4.1.2, Table 4.1), in
// integers. All are exact: one less, or one more, would lose a pair or let a hopeless one through.
#pragma once

#include <cmath>
#include <cstdint>

#include "problems/set_similarity_join/similarity.hpp"

namespace warpbench::similarity {

/// Of sets that are not empty; sizes are numbers of tokens. Costs some integer operations, of cosine a square root too.
struct Bounds {
  Measure measure = Measure::jaccard;
  Threshold threshold = {};

  [[nodiscard]] constexpr bool similar(std::uint32_t overlap, std::uint32_t a, std::uint32_t b) const {
    return similarity::similar(measure, threshold, overlap, a, b);
  }

  /// τ: the smallest overlap of similar sets of these sizes. May be above both where no sets of them are similar.
  [[nodiscard]] constexpr std::uint32_t min_overlap(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t sizes = std::uint64_t{a} + b;
    if (measure == Measure::jaccard) return at_least_one(ceil_div(p() * sizes, p() + q()));
    if (measure == Measure::dice) return at_least_one(ceil_div(p() * sizes, 2 * q()));
    return at_least_one(ceil_root(Uint128{p() * a} * (p() * b)));
  }

  /// lb: the smallest size of a set that can be similar to one of `size` tokens.
  [[nodiscard]] constexpr std::uint32_t min_size(std::uint32_t size) const {
    if (measure == Measure::jaccard) return at_least_one(ceil_div(p() * size, q()));
    if (measure == Measure::dice) return at_least_one(ceil_div(p() * size, 2 * q() - p()));
    return at_least_one(static_cast<std::uint64_t>((Uint128{p() * p()} * size + q() * q() - 1) / (q() * q())));
  }

  /// ub: the largest size of a set that can be similar to one of `size` tokens; at most 2^32 - 1.
  [[nodiscard]] constexpr std::uint32_t max_size(std::uint32_t size) const {
    if (measure == Measure::jaccard) return at_most_32_bits(q() * size / p());
    if (measure == Measure::dice) return at_most_32_bits((2 * q() - p()) * size / p());
    return at_most_32_bits(Uint128{q() * q()} * size / (p() * p()));
  }

  /// The first tokens of a set, of which one at least is among those of every similar set that is no larger.
  [[nodiscard]] constexpr std::uint32_t probe_prefix(std::uint32_t size) const {
    return size - min_overlap(size, min_size(size)) + 1;
  }
  /// The same towards sets that are no smaller: shorter, and enough for an index that larger sets probe.
  [[nodiscard]] constexpr std::uint32_t index_prefix(std::uint32_t size) const {
    return size - min_overlap(size, size) + 1;
  }

 private:
  [[nodiscard]] constexpr std::uint64_t p() const { return threshold.numerator; }
  [[nodiscard]] constexpr std::uint64_t q() const { return threshold.denominator; }

  /// In 32 bits where both fit: a GPU takes many times as long to divide 64.
  static constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    if ((a + b) >> 32U == 0) return (static_cast<std::uint32_t>(a + b) - 1) / static_cast<std::uint32_t>(b);
    return (a + b - 1) / b;
  }
  static constexpr std::uint32_t at_least_one(std::uint64_t value) {
    return value == 0 ? 1 : static_cast<std::uint32_t>(value);
  }
  static constexpr std::uint32_t at_most_32_bits(Uint128 value) {
    return value > 0xffffffffU ? 0xffffffffU : static_cast<std::uint32_t>(value);
  }

  /// The smallest o with (o q)² >= square. The root in floating point is off by far less than 1: rounded down it is not
  /// above o, and few steps lead there.
  [[nodiscard]] constexpr std::uint64_t ceil_root(Uint128 square) const {
    auto o = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)) / static_cast<double>(q()));
    while (Uint128{o * q()} * (o * q()) < square) ++o;
    return o;
  }
};

}  // namespace warpbench::similarity
