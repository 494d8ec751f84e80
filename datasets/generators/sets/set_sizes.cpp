#include "datasets/generators/sets/set_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

enum SizeStream : std::uint64_t { kSizeRanks = 321, kSizeRounding = 322, kSizeNormal = 328 };

/// log2(x) in Q32, for x of at least 1/65536.
std::int64_t signed_log2_q32(double x) {
  constexpr double kUnit = 65536.0;
  const auto scaled = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(x * kUnit)));
  return static_cast<std::int64_t>(log2_q32(scaled)) - 16 * static_cast<std::int64_t>(kOne);
}

/// The sum of twelve uniform numbers minus 6, in Q32: about normal, between -6 and 6.
std::int64_t about_normal(const Random& random, std::uint64_t i) {
  constexpr std::uint64_t kWords = 6;
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < kWords; ++k) {
    const std::uint64_t word = random.at(i * kWords + k);
    sum += (word >> 32U) + (word & (kOne - 1));
  }
  return static_cast<std::int64_t>(sum) - 6 * static_cast<std::int64_t>(kOne);
}

std::int64_t product_q32(std::int64_t a, std::int64_t b) {
  const auto size = static_cast<std::int64_t>(
      (static_cast<Wide>(static_cast<std::uint64_t>(std::abs(a))) * static_cast<std::uint64_t>(std::abs(b))) >> 32U);
  return (a < 0) == (b < 0) ? size : -size;
}

/// Sizes by rank, descending, in 1/256 token.
std::vector<std::uint32_t> power_law_sizes(const std::string& where, std::uint64_t sets, double mean, double largest,
                                           const Properties& values, int threads) {
  const auto top = static_cast<std::uint64_t>(std::llround(static_cast<double>(sets) * real(values, "largest_share")));
  std::vector<std::uint32_t> weights(top, static_cast<std::uint32_t>(largest * static_cast<double>(kWeightUnit)));
  if (top == sets) return weights;
  const double left = mean * static_cast<double>(sets) - static_cast<double>(top) * largest;
  if (left <= 0.0) {
    throw InputError(where, 0, "a mean_size above largest_share × max_size", to_string(Property{mean}));
  }
  const auto falling = power_law_weights(where, sets - top, real(values, "size_exponent"), largest, left, threads);
  weights.insert(weights.end(), falling.begin(), falling.end());
  return weights;
}

}  // namespace

SetSizes::SetSizes(const std::string& where, std::uint64_t sets, std::uint64_t universe, const Properties& values,
                   std::uint64_t seed, int threads)
    : mean_(real(values, "mean_size")),
      smallest_(static_cast<std::uint64_t>(integer(values, "min_size"))),
      largest_(static_cast<std::uint64_t>(integer(values, "max_size"))),
      rank_(sets, seed, kSizeRanks),
      rounding_(seed, kSizeRounding),
      normal_(seed, kSizeNormal) {
  const auto require = [&where](bool good, const std::string& expected, const std::string& found) {
    if (!good) throw InputError(where, 0, expected, found);
  };
  const bool alike = largest_ == 0;
  const double spread = real(values, "size_spread");
  if (alike) largest_ = static_cast<std::uint64_t>(std::ceil(mean_));
  require(largest_ <= universe, "sizes of at most " + std::to_string(universe) + ", the universe",
          std::to_string(largest_));
  require(alike || mean_ < static_cast<double>(largest_), "a mean_size below max_size, " + std::to_string(largest_),
          to_string(Property{mean_}));
  require(smallest_ <= largest_, "a min_size of at most " + std::to_string(largest_), std::to_string(smallest_));
  if (spread == 0.0) {
    if (!alike) weights_ = power_law_sizes(where, sets, mean_, static_cast<double>(largest_), values, threads);
    return;
  }
  require(!alike, "a max_size with a size_spread", "none");
  require(real(values, "largest_share") == 0.0, "no largest_share with a size_spread",
          to_string(values.at("largest_share")));
  require(mean_ > static_cast<double>(smallest_), "a mean_size above min_size, " + std::to_string(smallest_),
          to_string(Property{mean_}));
  constexpr double kLog2E = 1.4426950408889634;
  spread_ = std::llround(spread * kLog2E * static_cast<double>(kOne));
  // A log-normal number of this mean has the median mean × e^(-spread^2 / 2).
  const std::int64_t median_log = signed_log2_q32(mean_ - static_cast<double>(smallest_)) -
                                  std::llround(spread * spread / 2.0 * kLog2E * static_cast<double>(kOne));
  from_largest_ = signed_log2_q32(static_cast<double>(largest_ - smallest_)) - median_log;
}

std::uint64_t SetSizes::log_normal(std::uint64_t i) const noexcept {
  const std::int64_t below_largest = from_largest_ - product_q32(about_normal(normal_, i), spread_);
  const std::uint64_t most = (largest_ - smallest_) * kWeightUnit;
  const std::uint64_t share = exp2_minus_q62(static_cast<std::uint64_t>(std::max<std::int64_t>(0, below_largest)));
  return smallest_ * kWeightUnit + static_cast<std::uint64_t>((static_cast<Wide>(most) * share) >> 62U);
}

std::uint64_t SetSizes::operator()(std::uint64_t i) const noexcept {
  const auto alike = static_cast<std::uint64_t>(std::llround(mean_ * static_cast<double>(kWeightUnit)));
  const std::uint64_t weight = spread_ != 0 ? log_normal(i) : weights_.empty() ? alike : weights_[rank_(i)];
  return std::clamp((weight + rounding_.below(kWeightUnit, i)) / kWeightUnit, smallest_, largest_);
}

}  // namespace warpbench::datasets
