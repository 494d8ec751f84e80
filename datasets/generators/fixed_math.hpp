// Logarithm and exponential in integer arithmetic, so that a generated dataset has the same digest on every machine.
// std::pow may differ in the last bit between libraries and CPUs (fused multiply-add), and a single edge that changes
// alters the digest.
#pragma once

#include <array>
#include <cstdint>

#include "datasets/generators/wide.hpp"

namespace warpbench::datasets {

/// Q32: value * 2^32 in 64 bits.
inline constexpr std::uint64_t kOne = std::uint64_t{1} << 32U;

namespace detail {

/// Floor of the square root.
constexpr std::uint64_t integer_root(Wide value) noexcept {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t candidate = root | (std::uint64_t{1} << static_cast<unsigned>(bit));
    if (static_cast<Wide>(candidate) * candidate <= value) root = candidate;
  }
  return root;
}

/// 2^(2^-(k + 1)) for k = 0 .. 31, scaled by 2^62.
constexpr std::array<std::uint64_t, 32> roots_of_two() noexcept {
  std::array<std::uint64_t, 32> roots{};
  std::uint64_t value = std::uint64_t{1} << 63U;  // 2 in Q62
  for (auto& root : roots) {
    value = integer_root(static_cast<Wide>(value) << 62U);
    root = value;
  }
  return roots;
}

inline constexpr std::array<std::uint64_t, 32> kRootsOfTwo = roots_of_two();

}  // namespace detail

/// log2(x) in Q32, for x >= 1. Error below 2^-31.
[[nodiscard]] constexpr std::uint64_t log2_q32(std::uint64_t x) noexcept {
  unsigned whole = 63;
  while ((x >> whole) == 0) --whole;
  std::uint64_t mantissa = whole == 63 ? x : x << (63U - whole);  // [1, 2) in Q63
  std::uint64_t result = whole;
  for (int bit = 0; bit < 32; ++bit) {
    const Wide square = static_cast<Wide>(mantissa) * mantissa;  // [1, 4) in Q126
    const bool carry = (square >> 127U) != 0;
    mantissa = static_cast<std::uint64_t>(square >> (carry ? 64U : 63U));
    result = (result << 1U) | (carry ? 1U : 0U);
  }
  return result;
}

/// 2^-x in Q62, for x in Q32.
[[nodiscard]] constexpr std::uint64_t exp2_minus_q62(std::uint64_t x) noexcept {
  const std::uint64_t whole = x >> 32U;
  if (whole >= 62) return 0;
  std::uint64_t divisor_log = x & (kOne - 1);
  if (divisor_log == 0) return (std::uint64_t{1} << 62U) >> whole;
  // 2^-f = 2^(1 - f) / 2, so that only products of roots are needed.
  divisor_log = kOne - divisor_log;
  std::uint64_t value = std::uint64_t{1} << 62U;
  for (unsigned k = 0; k < 32; ++k) {
    if (((divisor_log >> (31U - k)) & 1U) != 0) {
      value = static_cast<std::uint64_t>((static_cast<Wide>(value) * detail::kRootsOfTwo[k]) >> 62U);
    }
  }
  return (value >> 1U) >> whole;
}

/// (x / y)^-exponent in Q62 for x >= y >= 1 and exponent in Q32 below 2^5.
[[nodiscard]] constexpr std::uint64_t power_ratio_q62(std::uint64_t x, std::uint64_t y,
                                                      std::uint64_t exponent) noexcept {
  const std::uint64_t difference = log2_q32(x) - log2_q32(y);
  return exp2_minus_q62(static_cast<std::uint64_t>((static_cast<Wide>(difference) * exponent) >> 32U));
}

}  // namespace warpbench::datasets
