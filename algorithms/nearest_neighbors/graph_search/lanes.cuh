// The threads of one search: the 4 to 32 lanes of a block's row (threadIdx.x), n_t of the document. Lists are kept in
// shared memory and sorted there by all of them.
#pragma once

#include "algorithms/nearest_neighbors/keys.cuh"
#include "device/bits.cuh"
#include "device/ranges.cuh"

namespace warpbench::nearest_neighbors {

__device__ __forceinline__ int lane() {
  return static_cast<int>(threadIdx.x);
}

/// kCount lanes, a power of two, at most a warp. Their number is known to the compiler: a search is a few thousand
/// short loops over lanes, and with a number known only at run time bookkeeping was most of its instructions.
template <int kCount>
struct Lanes {
  static constexpr int kSize = kCount;
  static constexpr unsigned kMask = low_bits(kCount);

  __device__ static __forceinline__ void sync() { __syncwarp(kMask); }

  /// Elements of [0, count) for this lane: the lanes take turns.
  __device__ static __forceinline__ StridedRange<int> strided(int count) { return {lane(), count, kCount}; }
  /// {index, inside} for this lane, in rounds that all lanes go through.
  __device__ static __forceinline__ RoundsRange<int> rounds(int count) { return {{0, count}, lane(), kCount}; }

  /// The value of lane 0, in all of them.
  template <typename T>
  __device__ static __forceinline__ T first(T value) {
    return __shfl_sync(kMask, value, 0);
  }
  __device__ static __forceinline__ unsigned ballot(bool vote) { return __ballot_sync(kMask, vote ? 1 : 0); }

  /// The first i of [0, count) that is accepted, in all lanes, or -1.
  template <typename Accepts>
  __device__ static __forceinline__ int find_first(int count, const Accepts& accepts) {
    for (const auto [i, inside] : rounds(count)) {
      const unsigned votes = ballot(inside && accepts(i));
      if (votes != 0) return i - lane() + lowest_bit(votes);
    }
    return -1;
  }

  /// The sum over the lanes, in all of them.
  __device__ static __forceinline__ float sum(float value) {
#pragma unroll
    for (int distance = kCount / 2; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(kMask, value, distance);
    }
    return value;
  }

  /// Bitonic sort, ascending; `length` is a power of two. O(log^2 length) rounds.
  __device__ static void sort(Key* keys, int length) {
    for (int size = 2; size <= length; size *= 2) {
      for (int distance = size / 2; distance > 0; distance /= 2) {
        exchange(keys, length, size == length ? 0 : size, distance);
      }
    }
  }

  /// Of two ascending lists the `length` least keys, ascending, in `keys`: bitonic merge. Lengths are powers of two.
  /// O(log length) rounds.
  __device__ static void merge(Key* keys, int length, const Key* other, int other_length) {
    for (const int i : strided(other_length < length ? other_length : length)) {
      const Key key = other[i];
      if (key < keys[length - 1 - i]) keys[length - 1 - i] = key;
    }
    sync();
    for (int distance = length / 2; distance > 0; distance /= 2) exchange(keys, length, 0, distance);
  }

 private:
  /// One round of compare and exchange of keys[i] with keys[i ^ distance], ascending where bit `size` of i is clear.
  __device__ static __forceinline__ void exchange(Key* keys, int length, int size, int distance) {
    for (const int pair : strided(length / 2)) {
      const int low = 2 * pair - (pair & (distance - 1));
      const int high = low + distance;
      const Key a = keys[low];
      const Key b = keys[high];
      if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[high] = a;
      }
    }
    sync();
  }
};

/// The lanes of the kernels that are built for whole warps alone.
using WarpLanes = Lanes<kWarpSize>;

}  // namespace warpbench::nearest_neighbors
