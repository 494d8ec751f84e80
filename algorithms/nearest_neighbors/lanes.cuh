// The threads of one search: the 4 to 32 lanes of a block's row (threadIdx.x), n_t of the document. Lists are kept in
// shared memory and sorted there by all of them.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/keys.cuh"

namespace warpbench::nearest_neighbors {

__device__ __forceinline__ int lane() {
  return static_cast<int>(threadIdx.x);
}
__device__ __forceinline__ int lanes() {
  return static_cast<int>(blockDim.x);
}
__device__ __forceinline__ unsigned lane_mask() {
  return blockDim.x == kWarpSize ? kFullMask : (1U << blockDim.x) - 1;
}
__device__ __forceinline__ void sync_lanes() {
  __syncwarp(lane_mask());
}

/// The sum over the lanes, in all of them.
__device__ __forceinline__ float sum_over_lanes(float value) {
  for (int distance = lanes() / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(lane_mask(), value, distance);
  }
  return value;
}

/// One round of compare and exchange of keys[i] with keys[i ^ distance], ascending where bit `size` of i is clear.
__device__ inline void exchange_round(std::uint64_t* keys, int length, int size, int distance) {
  for (int pair = lane(); pair < length / 2; pair += lanes()) {
    const int low = 2 * pair - (pair & (distance - 1));
    const int high = low + distance;
    const std::uint64_t a = keys[low];
    const std::uint64_t b = keys[high];
    if ((a > b) == ((low & size) == 0)) {
      keys[low] = b;
      keys[high] = a;
    }
  }
  sync_lanes();
}

/// Bitonic sort, ascending; `length` is a power of two. O(log^2 length) rounds.
__device__ inline void sort_keys_by_lanes(std::uint64_t* keys, int length) {
  for (int size = 2; size <= length; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      exchange_round(keys, length, size == length ? 0 : size, distance);
    }
  }
}

/// Of two ascending lists the `length` least keys, ascending, in `keys`: bitonic merge. Lengths are powers of two;
/// `other` is left undefined. O(log length) rounds.
__device__ inline void merge_keys_by_lanes(std::uint64_t* keys, int length, const std::uint64_t* other,
                                           int other_length) {
  const int overlap = other_length < length ? other_length : length;
  for (int i = lane(); i < overlap; i += lanes()) {
    const std::uint64_t key = other[i];
    if (key < keys[length - 1 - i]) keys[length - 1 - i] = key;
  }
  sync_lanes();
  for (int distance = length / 2; distance > 0; distance /= 2) exchange_round(keys, length, 0, distance);
}

}  // namespace warpbench::nearest_neighbors
