// For which element types each primitive is compiled; both backends expand these lists. Macros, since an explicit
// instantiation has no other short form.
#pragma once

#include <cstdint>

#include "device/primitives.hpp"

// Unformatted: clang-format would indent these lists ever deeper.
// clang-format off
#define WARPBENCH_FOR_ELEMENT_TYPES(M) \
  M(std::int32_t) M(std::uint32_t) M(std::int64_t) M(std::uint64_t) M(float) M(double)

#define WARPBENCH_FOR_SUM_TYPES(M) \
  M(std::int32_t, std::int32_t) M(std::uint32_t, std::uint32_t) M(std::int64_t, std::int64_t) \
  M(std::uint64_t, std::uint64_t) M(float, float) M(double, double) M(std::int32_t, std::int64_t) \
  M(std::uint32_t, std::int64_t) M(std::uint32_t, std::uint64_t) M(std::uint8_t, std::int32_t) \
  M(std::uint8_t, std::uint32_t) M(std::uint8_t, std::int64_t) M(float, double)

#define WARPBENCH_FOR_SORT_PAIRS_TYPES(M) \
  M(std::int32_t, std::uint32_t) M(std::uint32_t, std::uint32_t) M(std::int64_t, std::uint32_t) \
  M(std::uint64_t, std::uint32_t) M(float, std::uint32_t) M(double, std::uint32_t) \
  M(std::int32_t, std::uint64_t) M(std::uint32_t, std::uint64_t) M(std::int64_t, std::uint64_t) \
  M(std::uint64_t, std::uint64_t) M(float, std::uint64_t) M(double, std::uint64_t)

#define WARPBENCH_FOR_SEGMENT_TYPES(M) \
  M(std::int32_t) M(std::uint32_t) M(std::int64_t) M(std::uint64_t) M(float)

#define WARPBENCH_FOR_BITS_TYPES(M) \
  M(std::uint32_t) M(std::uint64_t)

#define WARPBENCH_FOR_REDUCE_BY_KEY_TYPES(M) \
  M(std::uint32_t, std::int32_t) M(std::uint32_t, std::uint32_t) M(std::uint32_t, std::int64_t) \
  M(std::uint32_t, std::uint64_t) M(std::uint32_t, float) M(std::uint32_t, double) \
  M(std::uint64_t, std::int32_t) M(std::uint64_t, std::uint32_t) M(std::uint64_t, std::int64_t) \
  M(std::uint64_t, std::uint64_t) M(std::uint64_t, float) M(std::uint64_t, double)

#define WARPBENCH_FOR_HISTOGRAM_TYPES(M) \
  M(std::int32_t) M(std::uint32_t) M(float)
// clang-format on
