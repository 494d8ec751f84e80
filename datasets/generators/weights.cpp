#include "datasets/generators/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// Sum of the weights for a given shift, approximated by the integral; the error is a fraction of the largest weight.
double integral(double count, double slope, double maximum, double shift) {
  const double end = 1.0 + count / shift;
  const double area = std::abs(slope - 1.0) < 1e-9 ? std::log(end) : (std::pow(end, 1.0 - slope) - 1.0) / (1.0 - slope);
  return maximum * shift * area;
}

}  // namespace

std::vector<std::uint32_t> power_law_weights(const std::string& where, std::uint64_t count, double exponent,
                                             double maximum, double total, int threads) {
  const double slope = 1.0 / (exponent - 1.0);
  const auto n = static_cast<double>(count);
  // The shift is rounded to 1/256: the search compares real sums, and rounding hides differences in their last bit.
  std::uint64_t low = 1;
  std::uint64_t high = std::uint64_t{1} << 45U;
  const auto sum = [&](std::uint64_t shift) { return integral(n, slope, maximum, static_cast<double>(shift) / 256.0); };
  if (sum(high) < total * 0.99 || sum(low) > total * 1.01) {
    throw InputError(where, 0, "an average below the maximum that a power law of this exponent can have",
                     std::to_string(total / n) + " on average, at most " + std::to_string(maximum));
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (sum(middle) < total) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const auto slope_q32 = static_cast<std::uint64_t>(slope * static_cast<double>(kOne));
  const auto top = static_cast<std::uint64_t>(maximum * static_cast<double>(kWeightUnit));
  std::vector<std::uint32_t> weights(count);
  for_chunks(count, 1 << 14, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t share = power_ratio_q62(low + 256 * i, low, slope_q32);
      weights[i] = static_cast<std::uint32_t>((static_cast<Wide>(top) * share) >> 62U);
    }
  });
  return weights;
}

std::vector<std::uint32_t> power_law_label_weights(std::int64_t labels, double exponent, std::uint64_t shift) {
  const auto slope = static_cast<std::uint64_t>(exponent * static_cast<double>(kOne));
  std::vector<std::uint32_t> weights(static_cast<std::size_t>(labels));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = static_cast<std::uint32_t>((power_ratio_q62(k + 1 + shift, 1 + shift, slope) >> 32U) +
                                            1);  // at least 1, so that no index is impossible
  }
  return weights;
}

WeightedChoice::WeightedChoice(std::span<const std::uint32_t> weights) : cumulative_(weights.size() + 1) {
  for (std::size_t i = 0; i < weights.size(); ++i) cumulative_[i + 1] = cumulative_[i] + weights[i];
  while ((total() >> shift_) > 2 * weights.size()) ++shift_;  // one to two guide entries per weight
  guide_.resize((total() >> shift_) + 1);
  std::uint32_t index = 0;
  for (std::size_t i = 0; i < guide_.size(); ++i) {
    while (index + 1 < weights.size() && cumulative_[std::size_t{index} + 1] <= (std::uint64_t{i} << shift_)) ++index;
    guide_[i] = index;
  }
}

std::uint32_t WeightedChoice::find(std::uint64_t point) const noexcept {
  std::uint32_t index = guide_[point >> shift_];
  while (cumulative_[std::size_t{index} + 1] <= point) ++index;
  return index;
}

}  // namespace warpbench::datasets
