// The threads of one search: the 4 to 32 lanes of a block's row (threadIdx.x), n_t of the document. Lists are kept in
// shared memory and sorted there by all of them.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/keys.cuh"

namespace warpbench::nearest_neighbors {

__device__ __forceinline__ int lane() {
  return static_cast<int>(threadIdx.x);
}

/// kCount lanes, a power of two, at most a warp. Their number is known to the compiler: a search is a few thousand
/// short loops over lanes, and with a number known only at run time bookkeeping was most of its instructions.
template <int kCount>
struct Lanes {
  static constexpr int kSize = kCount;
  static constexpr unsigned kMask = kCount == kWarpSize ? kFullMask : (1U << kCount) - 1;

  __device__ static __forceinline__ void sync() { __syncwarp(kMask); }

  /// The value of lane 0, in all of them.
  template <typename T>
  __device__ static __forceinline__ T first(T value) {
    return __shfl_sync(kMask, value, 0);
  }
  __device__ static __forceinline__ unsigned ballot(bool vote) { return __ballot_sync(kMask, vote ? 1 : 0); }

  /// The sum over the lanes, in all of them.
  __device__ static __forceinline__ float sum(float value) {
#pragma unroll
    for (int distance = kCount / 2; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(kMask, value, distance);
    }
    return value;
  }

  /// Bitonic sort, ascending; `length` is a power of two. O(log^2 length) rounds.
  __device__ static void sort(std::uint64_t* keys, int length) {
    for (int size = 2; size <= length; size *= 2) {
      for (int distance = size / 2; distance > 0; distance /= 2) {
        exchange(keys, length, size == length ? 0 : size, distance);
      }
    }
  }

  /// Of two ascending lists the `length` least keys, ascending, in `keys`: bitonic merge. Lengths are powers of two.
  /// O(log length) rounds.
  __device__ static void merge(std::uint64_t* keys, int length, const std::uint64_t* other, int other_length) {
    const int overlap = other_length < length ? other_length : length;
    for (int i = lane(); i < overlap; i += kCount) {
      const std::uint64_t key = other[i];
      if (key < keys[length - 1 - i]) keys[length - 1 - i] = key;
    }
    sync();
    for (int distance = length / 2; distance > 0; distance /= 2) exchange(keys, length, 0, distance);
  }

 private:
  /// One round of compare and exchange of keys[i] with keys[i ^ distance], ascending where bit `size` of i is clear.
  __device__ static __forceinline__ void exchange(std::uint64_t* keys, int length, int size, int distance) {
    for (int pair = lane(); pair < length / 2; pair += kCount) {
      const int low = 2 * pair - (pair & (distance - 1));
      const int high = low + distance;
      const std::uint64_t a = keys[low];
      const std::uint64_t b = keys[high];
      if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[high] = a;
      }
    }
    sync();
  }
};

}  // namespace warpbench::nearest_neighbors
