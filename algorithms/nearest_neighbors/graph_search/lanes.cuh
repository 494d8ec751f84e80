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
  /// The value of lane `from`, in all of them.
  template <typename T>
  __device__ static __forceinline__ T get(T value, int from) {
    return __shfl_sync(kMask, value, from);
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

  /// The sums over the lanes of values[0], values[1], …: lane i has that of values[i % kValues]. The additions are
  /// those of sum(), so the results are the same to the last bit, with a fraction of the shuffles. Changes `values`.
  template <int kValues>
  __device__ static __forceinline__ float sum_each(float (&values)[kValues]) {
    static_assert(kValues <= kCount);
    constexpr int kSharing = kCount / kValues;  // lanes that end with the same sum
#pragma unroll
    for (int half = kValues / 2; half > 0; half /= 2) {
      const int distance = half * kSharing;
      const bool upper = (lane() & distance) != 0;
#pragma unroll
      for (int i = 0; i < half; ++i) {
        const float kept = upper ? values[half + i] : values[i];
        const float sent = upper ? values[i] : values[half + i];
        values[i] = kept + __shfl_xor_sync(kMask, sent, distance);
      }
    }
#pragma unroll
    for (int distance = kSharing / 2; distance > 0; distance /= 2) {
      values[0] += __shfl_xor_sync(kMask, values[0], distance);
    }
    return get(values[0], lane() % kValues * kSharing);
  }

  /// Bitonic sort of a key a lane, ascending by lane. O(log^2 kCount) exchanges.
  __device__ static __forceinline__ Key sort(Key key) {
#pragma unroll
    for (int size = 2; size <= kCount; size *= 2) {
#pragma unroll
      for (int distance = size / 2; distance > 0; distance /= 2) {
        const Key other = __shfl_xor_sync(kMask, key, distance);
        const bool keeps_lesser = ((lane() & distance) == 0) == ((lane() & size) == 0 || size == kCount);
        if ((other < key) == keeps_lesser) key = other;
      }
    }
    return key;
  }

  /// The greatest value of the lanes, in all of them.
  __device__ static __forceinline__ float maximum(float value) {
#pragma unroll
    for (int distance = kCount / 2; distance > 0; distance /= 2) {
      value = fmaxf(value, __shfl_xor_sync(kMask, value, distance));
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
    for (const int i : strided(other_length < length ? other_length : length)) replace_last(keys, length, i, other[i]);
    finish_merge(keys, length);
  }
  /// The same with the other list in registers, a key a lane.
  __device__ static void merge(Key* keys, int length, Key other) {
    if (lane() < length) replace_last(keys, length, lane(), other);
    finish_merge(keys, length);
  }

 private:
  /// A merge's first round: the i-th key of the other list against the i-th last of `keys`.
  __device__ static __forceinline__ void replace_last(Key* keys, int length, int i, Key other) {
    if (other < keys[length - 1 - i]) keys[length - 1 - i] = other;
  }
  /// Its others.
  __device__ static __forceinline__ void finish_merge(Key* keys, int length) {
    sync();
    for (int distance = length / 2; distance > 0; distance /= 2) exchange(keys, length, 0, distance);
  }

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
