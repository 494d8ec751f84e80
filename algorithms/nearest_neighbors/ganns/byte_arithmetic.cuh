// Distances of coordinates in 8 bits, four an instruction. Sums of 16 coordinates are exact; further ones are of
// floats.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"

namespace warpbench::nearest_neighbors {

/// The sum of four products of signed bytes, or of their squared differences.
template <bool kProduct>
__device__ __forceinline__ int four_bytes(std::uint32_t a, std::uint32_t b, int sum) {
#if defined(__CUDA_ARCH__)
  if constexpr (kProduct) return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
  const unsigned difference = __vabsdiffs4(a, b);
  return static_cast<int>(__dp4a(difference, difference, static_cast<unsigned>(sum)));
#else
  for (int shift = 0; shift < 32; shift += 8) {
    const int x = static_cast<std::int8_t>(a >> shift);
    const int y = static_cast<std::int8_t>(b >> shift);
    sum += kProduct ? x * y : (x - y) * (x - y);
  }
  return sum;
#endif
}

template <bool kProduct>
__device__ __forceinline__ float byte_contribution(const uint4& a, const uint4& b) {
  int sum = four_bytes<kProduct>(a.x, b.x, 0);
  sum = four_bytes<kProduct>(a.y, b.y, sum);
  sum = four_bytes<kProduct>(a.z, b.z, sum);
  sum = four_bytes<kProduct>(a.w, b.w, sum);
  return static_cast<float>(kProduct ? -sum : sum);
}

}  // namespace warpbench::nearest_neighbors
