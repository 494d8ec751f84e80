// Keys: a distance, a vertex and whether it was explored in 64 bits that sort as the document asks, by distance first,
// ties by id (yu2023 §4.2.2, phase 5). kNone<Key> is above all keys and counts as explored: an empty place.
#pragma once

#include <cstdint>

#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

using Vertex = std::uint32_t;
using Key = std::uint64_t;

/// Vertices must be below, since a key's lowest bit is the explored flag.
inline constexpr Vertex kMaxVertices = 0x7fffffffU;

/// Bits that compare as the floats do; no NaN.
WARPBENCH_HOST_DEVICE std::uint32_t ordered_bits(float value) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t bits = __float_as_uint(value);
#else
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
#endif
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

WARPBENCH_HOST_DEVICE Key make_key(float distance, Vertex vertex) {
  return (Key{ordered_bits(distance)} << 32) | (Key{vertex} << 1);
}
/// The inverse of ordered_bits().
WARPBENCH_HOST_DEVICE float value_of_ordered(std::uint32_t bits) {
  const std::uint32_t value = (bits & 0x80000000U) != 0 ? bits & 0x7fffffffU : ~bits;
#if defined(__CUDA_ARCH__)
  return __uint_as_float(value);
#else
  return __builtin_bit_cast(float, value);
#endif
}
WARPBENCH_HOST_DEVICE float distance_of(Key key) {
  return value_of_ordered(static_cast<std::uint32_t>(key >> 32));
}
/// The distance of `key` with another vertex, unexplored.
WARPBENCH_HOST_DEVICE Key with_vertex(Key key, Vertex vertex) {
  return (key >> 32 << 32) | (Key{vertex} << 1);
}
WARPBENCH_HOST_DEVICE Vertex vertex_of(Key key) {
  return static_cast<Vertex>(key) >> 1;
}
WARPBENCH_HOST_DEVICE bool is_explored(Key key) {
  return (key & 1U) != 0;
}
WARPBENCH_HOST_DEVICE Key explored(Key key) {
  return key | 1U;
}
WARPBENCH_HOST_DEVICE Key unexplored(Key key) {
  return key & ~Key{1};
}

/// The number of the ascending keys[0 .. size) that are less than `key`, whatever their explored flags.
__device__ inline int rank_in(const Key* keys, int size, Key key) {
  int first = 0;
  for (int length = size; length > 0;) {
    const int half = length / 2;
    const bool less = unexplored(keys[first + half]) < unexplored(key);
    first = less ? first + half + 1 : first;
    length = less ? length - half - 1 : half;
  }
  return first;
}

/// `key` into the ascending keys at(0) … at(length - 1), of which the last goes; set(i, key) writes one. A whole warp.
template <typename At, typename Set>
__device__ inline void insert_sorted(int length, Key key, const At& at, const Set& set) {
  int place = 0;
  for (const auto [i, inside] : warp::rounds(length)) {
    place += __popc(__ballot_sync(kFullMask, inside && at(i) < key ? 1 : 0));
  }
  if (place == length) return;
  // From the end, so that what is overwritten has been moved before.
  for (int base = (length - 1) / kWarpSize * kWarpSize; base + kWarpSize > place; base -= kWarpSize) {
    const int i = base + warp::lane();
    const bool moves = i > place && i < length;
    const Key before = moves ? at(i - 1) : 0;
    __syncwarp();
    if (moves) set(i, before);
    __syncwarp();
  }
  if (warp::lane() == 0) set(place, key);
  __syncwarp();
}

__device__ inline void insert_sorted(Key* list, int length, Key key) {
  insert_sorted(
      length, key, [list](int i) { return list[i]; }, [list](int i, Key moved) { list[i] = moved; });
}

}  // namespace warpbench::nearest_neighbors
