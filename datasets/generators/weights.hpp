// Power-law weights, and draws in proportion to them: the expected degrees of Chung-Lu graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"

namespace warpbench::datasets {

/// Expected degrees in 1/256ths.
inline constexpr std::uint64_t kWeightUnit = 256;

/// Weights w_i = maximum * (1 + i / shift)^(-1 / (exponent - 1)), i = 0 .. count - 1, in units of
/// 1/kWeightUnit, descending, with `shift` chosen so that they sum to about `total`: a degree
/// distribution with tail exponent `exponent` between total/count and `maximum`.
/// O(count) on `threads` threads. The result is the same on every machine. Throws InputError(where) if no shift reaches
/// `total`, which must lie between about 0 and count * maximum.
[[nodiscard]] std::vector<std::uint32_t> power_law_weights(const std::string& where, std::uint64_t count,
                                                           double exponent, double maximum, double total, int threads);

/// Weights of labels 0 .. labels - 1, proportional to (k + 1 + shift)^-exponent and never 0; equal for exponent 0.
/// O(labels).
[[nodiscard]] std::vector<std::uint32_t> power_law_label_weights(std::int64_t labels, double exponent,
                                                                 std::uint64_t shift = 0);

/// Draws an index in proportion to its weight in O(1), with a cumulative table and a guide into it.
class WeightedChoice {
 public:
  explicit WeightedChoice(std::span<const std::uint32_t> weights);
  [[nodiscard]] std::uint64_t total() const noexcept { return cumulative_.back(); }
  /// The index whose share holds `point`, for point < total().
  [[nodiscard]] std::uint32_t find(std::uint64_t point) const noexcept;

 private:
  std::vector<std::uint64_t> cumulative_;  // count + 1
  std::vector<std::uint32_t> guide_;       // for each 2^shift_ of the total: where to start looking
  unsigned shift_ = 0;
};

}  // namespace warpbench::datasets
