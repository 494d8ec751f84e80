// The thresholds that decide which sets and tokens are heavy in MMJoin, and their choice.
#pragma once

#include <cstdint>
#include <functional>

#include "solvers/sets/set_lists.hpp"

namespace warpbench::cpu_sets {

/// Sets of fewer tokens, and tokens in fewer sets, are light: Δ1 and Δ2 of bellas2022 §6.3.1. 0: to be chosen.
struct Thresholds {
  std::int64_t set = 0;
  std::int64_t element = 0;

  [[nodiscard]] bool light_set(std::int64_t size) const { return size < set; }
  [[nodiscard]] bool light_element(std::size_t list) const { return static_cast<std::int64_t>(list) < element; }
};

/// Costs of the product's steps, to be compared with an addition of the index: nanoseconds, of which only ratios
/// matter.
struct ProductCosts {
  double product;  ///< a multiplication and addition
  double result;   ///< taking over a pair's number
  double place;    ///< a place of the matrix that is cleared
  /// Whether there is memory for a product of so many heavy sets and tokens; nothing: always.
  std::function<bool(double sets, double tokens)> fits = {};
};

/// Replaces the thresholds of `given` that are 0 by powers of two that minimise the estimated time. After the cost
/// optimiser of Deep et al., from whom MMJoin is: what the index adds is counted, what the product multiplies too, each
/// at its time. Differs: the authors' code estimates the number of additions. It starts where all is light and lowers
/// Δ1, from which Δ2 follows, until the time rises. Here additions are exact, for (log max_size) × (log sets) pairs of
/// thresholds. O((tokens + distinct log sets) log max_size / threads). A product that does not fit is not
/// chosen. The thresholds are at least 1; max_size + 1 makes all sets light, sets + 1 all tokens.
[[nodiscard]] Thresholds choose_thresholds(const SetLists& lists, const InvertedIndex& index, Thresholds given,
                                           const ProductCosts& costs);

}  // namespace warpbench::cpu_sets
