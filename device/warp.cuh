// Collectives of a warp: reduce, scan, sort, search, compact. All 32 lanes must call (blocks of a multiple of 32
// threads, no divergence) unless a function takes a mask. T has 4 or 8 bytes.
//
//   const float sum = warp::reduce_sum(value);                       in all lanes
//   const warp::Slot place = warp::compact(accepted);                where this lane writes, and how many lanes do
//   if (accepted) output[next + place.index] = value;
//   next += place.count;
//   const std::int64_t at = warp::lower_bound(list, size, key);      32 probes a round
#pragma once

#include <cstdint>

#include "device/integers.hpp"
#include "device/kernel.hpp"

// The operators of reductions and sorts, here and in CUB. In a namespace of their own: as members of warp they would
// drag warp's functions into every unqualified call.
namespace warpbench::op {

struct Sum {
  template <typename T>
  WARPBENCH_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Min {
  template <typename T>
  WARPBENCH_HOST_DEVICE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <typename T>
  WARPBENCH_HOST_DEVICE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Or {
  template <typename T>
  WARPBENCH_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Less {
  template <typename T>
  WARPBENCH_HOST_DEVICE bool operator()(T a, T b) const {
    return a < b;
  }
};

}  // namespace warpbench::op

namespace warpbench::warp {

/// The thread's rank in its block, its lane in its warp and its warp's rank in the block; blocks of any shape.
__device__ __forceinline__ int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
__device__ __forceinline__ int lane() {
  return static_cast<int>(static_cast<unsigned>(thread_rank()) % kWarpSize);
}
__device__ __forceinline__ int rank() {
  return static_cast<int>(static_cast<unsigned>(thread_rank()) / kWarpSize);
}

/// The mask of all lanes below this one.
__device__ __forceinline__ unsigned lanes_below() {
  return (1U << lane()) - 1;
}

using op::Less;
using op::Max;
using op::Min;
using op::Or;
using op::Sum;

/// The combination of `value` over each group of `width` (a power of two) neighbouring lanes, in all its lanes.
template <typename T, typename Combine>
__device__ __forceinline__ T reduce(T value, Combine combine, int width = kWarpSize) {
  for (int distance = width / 2; distance > 0; distance /= 2) {
    value = combine(value, __shfl_xor_sync(kFullMask, value, distance));
  }
  return value;
}
template <typename T>
__device__ __forceinline__ T reduce_sum(T value) {
  return reduce(value, Sum{});
}
template <typename T>
__device__ __forceinline__ T reduce_min(T value) {
  return reduce(value, Min{});
}
template <typename T>
__device__ __forceinline__ T reduce_max(T value) {
  return reduce(value, Max{});
}

/// value of lane 0 + … + value of this lane. `mask`: the calling lanes, which must be the lowest ones of the warp.
template <typename T, typename Combine = Sum>
__device__ __forceinline__ T inclusive_scan(T value, Combine combine = {}, unsigned mask = kFullMask) {
  const int self = lane();
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const T before = __shfl_up_sync(mask, value, static_cast<unsigned>(distance));
    if (self >= distance) value = combine(before, value);
  }
  return value;
}

/// value of lane 0 + … + value of the lane before this one, 0 in lane 0; `total` is the sum over the warp.
template <typename T>
__device__ __forceinline__ T exclusive_scan(T value, T& total) {
  const T inclusive = inclusive_scan(value);
  total = __shfl_sync(kFullMask, inclusive, kWarpSize - 1);
  const T before = __shfl_up_sync(kFullMask, inclusive, 1U);
  return lane() == 0 ? T{} : before;
}

/// The place of a lane's element when the lanes whose predicate holds write theirs without gaps.
struct Slot {
  int index;  ///< lanes below this one whose predicate holds
  int count;  ///< lanes whose predicate holds
};
__device__ __forceinline__ Slot compact(bool predicate, unsigned mask = kFullMask) {
  const unsigned votes = __ballot_sync(mask, predicate ? 1 : 0);
  return {__popc(votes & lanes_below()), __popc(votes)};
}

/// One step of a sorting network: lanes `lane` and `lane ^ distance` exchange so that the lower lane has the lesser.
template <typename T, typename Compare>
__device__ __forceinline__ void compare_exchange(T& key, int lane_mask, Compare less) {
  const T other = __shfl_xor_sync(kFullMask, key, lane_mask);
  const bool lower = (lane() ^ lane_mask) > lane();
  if (lower ? less(other, key) : less(key, other)) key = other;
}
template <typename K, typename V, typename Compare>
__device__ __forceinline__ void compare_exchange(K& key, V& value, int lane_mask, Compare less) {
  const K other = __shfl_xor_sync(kFullMask, key, lane_mask);
  const V other_value = __shfl_xor_sync(kFullMask, value, lane_mask);
  const bool lower = (lane() ^ lane_mask) > lane();
  if (lower ? less(other, key) : less(key, other)) {
    key = other;
    value = other_value;
  }
}

/// Sorts one key per lane, ascending by lane: 15 exchanges. Not stable.
template <typename T, typename Compare = Less>
__device__ __forceinline__ T bitonic_sort(T key, Compare less = {}) {
  for (int size = 2; size <= kWarpSize; size *= 2) {
    compare_exchange(key, size - 1, less);
    for (int distance = size / 4; distance > 0; distance /= 2) compare_exchange(key, distance, less);
  }
  return key;
}
template <typename K, typename V, typename Compare = Less>
__device__ __forceinline__ void bitonic_sort_pairs(K& key, V& value, Compare less = {}) {
  for (int size = 2; size <= kWarpSize; size *= 2) {
    compare_exchange(key, value, size - 1, less);
    for (int distance = size / 4; distance > 0; distance /= 2) compare_exchange(key, value, distance, less);
  }
}

/// Sorts a bitonic sequence (first ascending, then descending, or rotated so), one key per lane: 5 exchanges.
template <typename T, typename Compare = Less>
__device__ __forceinline__ T bitonic_merge(T key, Compare less = {}) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) compare_exchange(key, distance, less);
  return key;
}

/// Of two ascending runs, one key of each per lane, the 32 least, ascending, in `key` and the rest in `other`.
template <typename T, typename Compare = Less>
__device__ __forceinline__ void merge_sorted(T& key, T& other, Compare less = {}) {
  const T mirrored = __shfl_xor_sync(kFullMask, other, kWarpSize - 1);
  const bool swap = less(mirrored, key);
  const T low = swap ? mirrored : key;
  const T high = swap ? key : mirrored;
  key = bitonic_merge(low, less);
  other = bitonic_merge(high, less);
}

/// The number of elements of the ascending data[0 .. size) that are < key, found by all lanes together: 32 probes a
/// round, log_33(size) rounds. key, data and size are the same in all lanes; so is the result.
template <typename T>
__device__ __forceinline__ std::int64_t lower_bound(const T* data, std::int64_t size, T key) {
  std::int64_t first = 0;
  while (size > 0) {
    // Lane i probes the last element of the i-th of 32 parts; lanes beyond the end probe nothing.
    const std::int64_t part = ceil_div(size, kWarpSize);
    const std::int64_t probe = (lane() + 1) * part - 1;
    const bool less = probe < size && data[first + probe] < key;
    const int parts_below = __popc(__ballot_sync(kFullMask, less ? 1 : 0));
    first += parts_below * part;
    // The answer lies in the next part, whose last element, if there is one, is not less; else what remains is less
    // than a part.
    size -= parts_below * part;
    if (size > part - 1) size = part - 1;
  }
  return first;
}

}  // namespace warpbench::warp
