// Binary searches in sorted memory by one thread; device/warp.cuh has the one that a whole warp does together.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"

namespace warpbench {

/// The number of elements of the ascending data[0 .. size) that are < key. O(log size); data in any memory. Size is a
/// signed integer: an int, where it will do, takes half the instructions of 64 bits.
template <typename T, typename Size>
__device__ __forceinline__ Size lower_bound(const T* data, Size size, T key) {
  Size first = 0;
  while (size > 0) {
    const Size half = size / 2;
    const bool less = data[first + half] < key;  // selects, as a warp's lanes seldom agree
    first = less ? first + half + 1 : first;
    size = less ? size - half - 1 : half;
  }
  return first;
}

/// The number of elements of the ascending data[0 .. size) that are <= key. O(log size).
template <typename T>
__device__ __forceinline__ std::int64_t upper_bound(const T* data, std::int64_t size, T key) {
  std::int64_t first = 0;
  while (size > 0) {
    const std::int64_t half = size / 2;
    if (!(key < data[first + half])) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

/// True if the ascending data[0 .. size) holds key. O(log size).
template <typename T>
__device__ __forceinline__ bool binary_search(const T* data, std::int64_t size, T key) {
  const std::int64_t position = lower_bound(data, size, key);
  return position < size && data[position] == key;
}

/// The same on views.
template <typename T>
__device__ __forceinline__ std::int64_t lower_bound(View<const T> sorted, T key) {
  return lower_bound(sorted.data(), sorted.size(), key);
}
template <typename T>
__device__ __forceinline__ bool binary_search(View<const T> sorted, T key) {
  return binary_search(sorted.data(), sorted.size(), key);
}

}  // namespace warpbench
