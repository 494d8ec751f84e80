// The primitives that are compiled, each for its element types. A backend's file ends with those that it defines:
//
//   WARPBENCH_INSTANTIATE_SORTS
//
// Macros, since an explicit instantiation has no other short form.
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
  M(std::uint64_t, std::uint64_t) M(float, std::uint64_t) M(double, std::uint64_t) M(std::uint32_t, std::uint16_t)

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

#define WARPBENCH_SUMS_OF(IN, T) \
  template void exclusive_scan<IN, T>(View<const IN>, View<T>, T, Stream&); \
  template void inclusive_scan<IN, T>(View<const IN>, View<T>, Stream&); \
  template void reduce<IN, T>(Reduction, View<const IN>, View<T>, Stream&);
#define WARPBENCH_SEARCHES_OF(T) \
  template void lower_bound<T>(View<const T>, View<const T>, View<std::int64_t>, Stream&); \
  template void iota<T>(View<T>, T, Stream&);
#define WARPBENCH_HISTOGRAMS_OF(T) \
  template void histogram_even<T>(View<const T>, View<std::int64_t>, T, T, Stream&);
#define WARPBENCH_INSTANTIATE_SCANS \
  WARPBENCH_FOR_SUM_TYPES(WARPBENCH_SUMS_OF) \
  WARPBENCH_FOR_ELEMENT_TYPES(WARPBENCH_SEARCHES_OF) \
  WARPBENCH_FOR_HISTOGRAM_TYPES(WARPBENCH_HISTOGRAMS_OF)

#define WARPBENCH_KEY_SORTS_OF(T) \
  template void sort_keys<T>(View<const T>, View<T>, int, int, Stream&);
#define WARPBENCH_PAIR_SORTS_OF(K, BITS) \
  template void sort_pairs<K, BITS>(bool, View<const K>, View<K>, View<const BITS>, View<BITS>, int, int, Stream&);
#define WARPBENCH_SEGMENT_SORTS_OF(K) \
  template void sort_segments<K>(View<const K>, View<K>, View<const std::int64_t>, Stream&);
#define WARPBENCH_INSTANTIATE_SORTS \
  WARPBENCH_FOR_ELEMENT_TYPES(WARPBENCH_KEY_SORTS_OF) \
  WARPBENCH_FOR_SORT_PAIRS_TYPES(WARPBENCH_PAIR_SORTS_OF) \
  WARPBENCH_FOR_SEGMENT_TYPES(WARPBENCH_SEGMENT_SORTS_OF)

#define WARPBENCH_SELECTIONS_OF(B) \
  template void select_flagged<B>(View<const B>, View<const std::uint8_t>, View<B>, View<std::int64_t>, Stream&); \
  template void unique<B>(View<const B>, View<B>, View<std::int64_t>, Stream&); \
  template void run_length_encode<B>(View<const B>, View<B>, View<std::int64_t>, View<std::int64_t>, Stream&);
#define WARPBENCH_REDUCTIONS_BY_KEY_OF(B, V) \
  template void reduce_by_key<B, V>(View<const B>, View<const V>, View<B>, View<V>, View<std::int64_t>, Stream&);
#define WARPBENCH_INSTANTIATE_SELECTIONS \
  WARPBENCH_FOR_BITS_TYPES(WARPBENCH_SELECTIONS_OF) \
  WARPBENCH_FOR_REDUCE_BY_KEY_TYPES(WARPBENCH_REDUCTIONS_BY_KEY_OF)
// clang-format on
