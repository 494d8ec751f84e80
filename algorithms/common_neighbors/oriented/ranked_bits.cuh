// RankedBits: a set of integers as a bit vector, with the rank of each member.
#pragma once

#include <cstdint>

#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

/// Bits, and for each word of them the set bits in earlier words.
struct RankedBits {
  View<const std::uint32_t> bits;
  View<const std::uint32_t> before;

  __device__ bool test(std::int64_t i) const { return test_bit(bits, i); }
  /// The set bits below bit i.
  __device__ std::uint32_t rank(std::int64_t i) const {
    return before[word_of(i)] + __popc(bits[word_of(i)] & bits_below(i));
  }
};

}  // namespace warpbench::common_neighbors
