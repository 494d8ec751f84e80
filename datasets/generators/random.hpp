// Counter-based random numbers: the i-th number of a stream is a hash of (seed, stream, i).
//
// Every draw is a function of its index alone, so generators can fill arrays in parallel and give the same graph on any
// number of threads and any machine. std::*_distribution is not used, because its results differ between standard
// libraries.
#pragma once

#include <cstdint>

#include "datasets/generators/wide.hpp"
#include "device/mix64.hpp"

namespace warpbench::datasets {

/// A stream of random words, addressed by index. Different streams of one seed are independent.
class Random {
 public:
  constexpr Random(std::uint64_t seed, std::uint64_t stream) noexcept : key_(mix64(mix64(seed) ^ mix64(~stream))) {}

  [[nodiscard]] constexpr std::uint64_t at(std::uint64_t index) const noexcept { return mix64(key_ ^ mix64(index)); }
  /// Uniform below `bound` (> 0), by multiplication; the bias is below bound / 2^64.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t index) const noexcept {
    return static_cast<std::uint64_t>((static_cast<Wide>(at(index)) * bound) >> 64U);
  }
  /// True with probability `threshold` / 2^32.
  [[nodiscard]] constexpr bool chance(std::uint64_t threshold, std::uint64_t index) const noexcept {
    return (at(index) >> 32U) < threshold;
  }

 private:
  std::uint64_t key_;
};

/// A random permutation of 0 .. size - 1 without a table: a Feistel network over the next even power of two, repeated
/// until the value falls inside. O(1) expected per call (fewer than 4 rounds).
class Permutation {
 public:
  constexpr Permutation(std::uint64_t size, std::uint64_t seed, std::uint64_t stream) noexcept
      : size_(size), random_(seed, stream) {
    while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
  }

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t value) const noexcept {
    do {
      value = encrypt(value);
    } while (value >= size_);
    return value;
  }

 private:
  [[nodiscard]] constexpr std::uint64_t encrypt(std::uint64_t value) const noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (random_.at((round << 32U) | right) & mask);
      left = right;
      right = next;
    }
    return (left << half_bits_) | right;
  }

  std::uint64_t size_;
  unsigned half_bits_ = 1;
  Random random_;
};

}  // namespace warpbench::datasets
