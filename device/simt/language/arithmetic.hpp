// CUDA's integer intrinsics, cached loads, min/max and the few fast-math functions, for the host compiler.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "device/simt/context.hpp"

/// A read through the read-only cache: a plain read whose alignment is checked.
template <typename T>
T __ldg(const T* address, const std::source_location& location = std::source_location::current()) {
  warpbench::simt::check_alignment(address, alignof(T), location);
  return *address;
}

inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
  return std::popcount(x);
}
inline int __ffs(int x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline int __ffsll(long long x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline int __clz(int x) {
  return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
  return std::countl_zero(static_cast<unsigned long long>(x));
}
inline unsigned __brev(unsigned x) {
  x = ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
  x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
  x = ((x >> 4) & 0x0f0f0f0fU) | ((x & 0x0f0f0f0fU) << 4);
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32) |
         __brev(static_cast<unsigned>(x >> 32));
}
/// The upper (l) or lower (r) half of hi:lo shifted by shift modulo 32.
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>((((static_cast<std::uint64_t>(hi) << 32) | lo) << (shift & 31U)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>(((static_cast<std::uint64_t>(hi) << 32) | lo) >> (shift & 31U));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = (static_cast<std::uint64_t>(y) << 32) | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = (selector >> (4 * i)) & 7U;
    result |= static_cast<unsigned>((bytes >> (8 * from)) & 0xffU) << (8 * i);
  }
  return result;
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(x) * y) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>((static_cast<Wide>(x) * y) >> 64);
}

inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
inline unsigned __float_as_uint(float x) {
  return std::bit_cast<unsigned>(x);
}
inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
inline float __uint_as_float(unsigned x) {
  return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
  return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}
inline int __float2int_rn(float x) {
  return static_cast<int>(std::lrintf(x));
}
inline int __float2int_rd(float x) {
  return static_cast<int>(std::floor(x));
}
inline float __int2float_rn(int x) {
  return static_cast<float>(x);
}
inline float __fdividef(float x, float y) {
  return x / y;
}
inline float __saturatef(float x) {
  return !(x > 0.0F) ? 0.0F : x > 1.0F ? 1.0F : x;
}
inline float __fmaf_rn(float x, float y, float z) {
  return std::fma(x, y, z);
}
inline float __fadd_rn(float x, float y) {
  return x + y;
}
inline float __fmul_rn(float x, float y) {
  return x * y;
}
inline float __fsqrt_rn(float x) {
  return std::sqrt(x);
}
inline float rsqrtf(float x) {
  return 1.0F / std::sqrt(x);
}
inline double rsqrt(double x) {
  return 1.0 / std::sqrt(x);
}

// Overloads as CUDA has them, so that a call with mixed signedness is as ambiguous or not as there.
#define WARPBENCH_MIN_MAX(T)  \
  constexpr T min(T a, T b) { \
    return b < a ? b : a;     \
  }                           \
  constexpr T max(T a, T b) { \
    return a < b ? b : a;     \
  }
WARPBENCH_MIN_MAX(int)
WARPBENCH_MIN_MAX(unsigned)
WARPBENCH_MIN_MAX(long)
WARPBENCH_MIN_MAX(unsigned long)
WARPBENCH_MIN_MAX(long long)
WARPBENCH_MIN_MAX(unsigned long long)
WARPBENCH_MIN_MAX(float)
WARPBENCH_MIN_MAX(double)
#undef WARPBENCH_MIN_MAX
