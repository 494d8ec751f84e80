// Distances of half-precision coordinates, two an instruction. Eight coordinates are summed in half precision, all
// further sums in float: with coordinates of at most 16 in magnitude (half_scale) a sum of four squares stays below
// 65,504, and its rounding, 2^-11 of the sum, is that of the coordinates themselves.
#pragma once

#include <cstdint>

#include "device/half.hpp"
#include "device/kernel.hpp"

namespace warpbench::nearest_neighbors {

#if defined(WARPBENCH_CUDA)
__device__ __forceinline__ __half2 two_halves(std::uint32_t bits) {
  return __halves2half2(__ushort_as_half(static_cast<unsigned short>(bits & 0xffffU)),
                        __ushort_as_half(static_cast<unsigned short>(bits >> 16)));
}

template <bool kProduct>
__device__ __forceinline__ float half_contribution(const uint4& a, const uint4& b) {
  const std::uint32_t left[4] = {a.x, a.y, a.z, a.w};
  const std::uint32_t right[4] = {b.x, b.y, b.z, b.w};
  __half2 sum = __halves2half2(__ushort_as_half(0), __ushort_as_half(0));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (kProduct) {
      sum = __hfma2(two_halves(left[i]), two_halves(right[i]), sum);
    } else {
      const __half2 difference = __hsub2(two_halves(left[i]), two_halves(right[i]));
      sum = __hfma2(difference, difference, sum);
    }
  }
  const float2 sums = __half22float2(sum);
  return kProduct ? -(sums.x + sums.y) : sums.x + sums.y;
}
#else
/// simt: each step in float, rounded to a half where the hardware's instruction rounds.
template <bool kProduct>
inline float half_contribution(const uint4& a, const uint4& b) {
  const std::uint32_t left[4] = {a.x, a.y, a.z, a.w};
  const std::uint32_t right[4] = {b.x, b.y, b.z, b.w};
  float sums[2] = {0, 0};
  for (int i = 0; i < 4; ++i) {
    for (int part = 0; part < 2; ++part) {
      const float x = to_float(Half{static_cast<std::uint16_t>(left[i] >> (16 * part))});
      const float y = to_float(Half{static_cast<std::uint16_t>(right[i] >> (16 * part))});
      const float difference = to_float(to_half(x - y));
      sums[part] = to_float(to_half(kProduct ? x * y + sums[part] : difference * difference + sums[part]));
    }
  }
  return kProduct ? -(sums[0] + sums[1]) : sums[0] + sums[1];
}
#endif

}  // namespace warpbench::nearest_neighbors
