// IEEE half precision as stored bits, for kernels that trade precision for bandwidth. Only storage: arithmetic is in
// float.
#pragma once

#include <bit>
#include <cstdint>

#include "device/view.hpp"

#if defined(WARPBENCH_CUDA)
#include <cuda_fp16.h>
#endif

namespace warpbench {

/// 16 bits: sign, 5 of exponent, 10 of mantissa; the largest finite value is 65504.
struct Half {
  std::uint16_t bits;
};

/// Exact.
WARPBENCH_HOST_DEVICE float to_float(Half half) {
#if defined(__CUDA_ARCH__)
  return __half2float(__ushort_as_half(half.bits));
#else
  // Shifted into place, a half is a float whose exponent is too small by 112; a multiplication mends that, subnormal
  // halves included. Infinities and NaNs are not stored.
  const std::uint32_t magnitude = (half.bits & 0x7fffU) << 13;
  const float value = std::bit_cast<float>(magnitude) * 0x1p112F;
  return (half.bits & 0x8000U) != 0 ? -value : value;
#endif
}

/// Rounded to nearest, ties to even. `value` is finite and within ±65504.
WARPBENCH_HOST_DEVICE Half to_half(float value) {
#if defined(__CUDA_ARCH__)
  return {__half_as_ushort(__float2half_rn(value))};
#else
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  // Adding a power of two whose last place is the half's last place rounds as the hardware does.
  const float magnitude = std::bit_cast<float>(bits & 0x7fffffffU);
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(magnitude) >> 23;
  const std::uint32_t anchor = (exponent < 113 ? 113U : exponent) + 13U;
  const float shift = std::bit_cast<float>(anchor << 23);
  const float rounded = (magnitude + shift) - shift;
  const auto scaled = std::bit_cast<std::uint32_t>(rounded * 0x1p-112F);
  return {static_cast<std::uint16_t>(sign | (scaled >> 13))};
#endif
}

/// Two halves in a word, the first in the low bits; rounded in the same way.
WARPBENCH_HOST_DEVICE std::uint32_t to_halves(float first, float second) {
#if defined(__CUDA_ARCH__)
  const __half2 halves = __floats2half2_rn(first, second);
  return std::uint32_t{__half_as_ushort(__high2half(halves))} << 16 | __half_as_ushort(__low2half(halves));
#else
  return std::uint32_t{to_half(second).bits} << 16 | to_half(first).bits;
#endif
}

}  // namespace warpbench
