// Collectives of a block: reduce, scan, compact, sort and merge in shared memory. Blocks of 1 to 1024 threads of any
// shape; every thread of the block must call. Where a function touches shared memory, it begins and ends with a
// barrier, so results may be used and scratch reused at once. T has 4 or 8 bytes.
//
//   const int total = block::reduce_sum(count);                      in all threads
//   int total = 0;  const int place = block::exclusive_scan(count, total);
//   block::accumulate(found[0], count);                              found[0] += the block's sum, by one atomic
//   block::bitonic_sort(keys, size);                                 keys in shared memory
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::block {

/// The lanes that this thread's warp has: all 32, or fewer in the last warp.
__device__ __forceinline__ unsigned warp_mask() {
  const int lanes = size() - warp::rank() * kWarpSize;
  return lanes >= kWarpSize ? kFullMask : (1U << lanes) - 1;
}

/// The inclusive scan of `value` over the block in rank order; `total` is its last element, in all threads.
template <typename T, typename Combine = warp::Sum>
__device__ __forceinline__ T inclusive_scan(T value, T& total, Combine combine = {}) {
  __shared__ T warp_totals[kWarpSize];
  const unsigned mask = warp_mask();
  T result = warp::inclusive_scan(value, combine, mask);
  const int last_lane = 31 - __clz(static_cast<int>(mask));
  if (warp::lane() == last_lane) warp_totals[warp::rank()] = result;
  __syncthreads();
  // Every thread adds up the warps before its own: at most 31 reads, and no second barrier before the use.
  T before = warp_totals[0];
  for (int w = 1; w < warp::rank(); ++w) before = combine(before, warp_totals[w]);
  total = before;
  for (int w = warp::rank() > 0 ? warp::rank() : 1; w < warps(); ++w) total = combine(total, warp_totals[w]);
  if (warp::rank() > 0) result = combine(before, result);
  __syncthreads();
  return result;
}

/// The combination of all threads' values, in all threads.
template <typename T, typename Combine>
__device__ __forceinline__ T reduce(T value, Combine combine) {
  T total;
  inclusive_scan(value, total, combine);
  return total;
}
template <typename T>
__device__ __forceinline__ T reduce_sum(T value) {
  return reduce(value, warp::Sum{});
}
template <typename T>
__device__ __forceinline__ T reduce_min(T value) {
  return reduce(value, warp::Min{});
}
template <typename T>
__device__ __forceinline__ T reduce_max(T value) {
  return reduce(value, warp::Max{});
}

/// Adds the sum of all threads' values to `total`, in any memory, by one atomic addition.
template <typename T>
__device__ __forceinline__ void accumulate(T& total, std::type_identity_t<T> value) {
  const T sum = reduce_sum(value);
  if (rank() == 0) atomicAdd(&total, sum);
}

/// The sum of the values of all threads of lower rank; `total` is the sum over the block. T is an integer.
template <typename T>
__device__ __forceinline__ T exclusive_scan(T value, T& total) {
  return static_cast<T>(inclusive_scan(value, total) - value);
}

/// The place of a thread's element when the threads whose predicate holds write theirs without gaps, in rank order.
__device__ __forceinline__ warp::Slot compact(bool predicate) {
  int count = 0;
  const int index = exclusive_scan(predicate ? 1 : 0, count);
  return {index, count};
}

/// Orders elements `low` < `high` of an array, and what `swap` moves along.
template <typename K, typename Compare, typename Swap>
__device__ __forceinline__ void order_pair(const K* keys, int low, int high, Compare less, Swap swap) {
  if (less(keys[high], keys[low])) swap(low, high);
}

/// The sorting network behind the sorts below: `swap(i, j)` exchanges two elements of keys[0 .. count). Any count:
/// positions beyond it count as greater than everything and are never touched.
template <typename K, typename Compare, typename Swap>
__device__ __forceinline__ void bitonic_network(const K* keys, int count, Compare less, Swap swap) {
  __syncthreads();
  for (int width = 2; width < 2 * count; width *= 2) {
    for (int distance = width / 2; distance > 0; distance /= 2) {
      for (const int i : strided((count + width) / 2)) {
        // The i-th pair: the first step of a width mirrors the upper half, the others shift.
        const int group = i / distance;
        const int offset = i % distance;
        const int low = group * 2 * distance + offset;
        const int high = distance == width / 2 ? group * width + width - 1 - offset : low + distance;
        if (high < count) order_pair(keys, low, high, less, swap);
      }
      __syncthreads();
    }
  }
}

/// Sorts keys[0 .. count) in shared (or global) memory, ascending. Not stable. O(count log^2 count / size()).
template <typename K, typename Compare = warp::Less>
__device__ __forceinline__ void bitonic_sort(K* keys, int count, Compare less = {}) {
  bitonic_network(keys, count, less, [keys](int i, int j) {
    const K key = keys[i];
    keys[i] = keys[j];
    keys[j] = key;
  });
}

/// The same with values that move along with their keys.
template <typename K, typename V, typename Compare = warp::Less>
__device__ __forceinline__ void bitonic_sort_pairs(K* keys, V* values, int count, Compare less = {}) {
  bitonic_network(keys, count, less, [keys, values](int i, int j) {
    const K key = keys[i];
    keys[i] = keys[j];
    keys[j] = key;
    const V value = values[i];
    values[i] = values[j];
    values[j] = value;
  });
}

/// Merges ascending a[0 .. a_count) and b[0 .. b_count) into merged[0 .. a_count + b_count), stable, a before b; each
/// thread finds its elements' places by binary search. merged overlaps neither input. O((a + b) log / size()).
template <typename K>
__device__ __forceinline__ void merge_sorted(const K* a, int a_count, const K* b, int b_count, K* merged) {
  __syncthreads();
  for (const int i : strided(a_count)) merged[i + lower_bound(b, b_count, a[i])] = a[i];
  for (const int i : strided(b_count)) merged[i + upper_bound(a, a_count, b[i])] = b[i];
  __syncthreads();
}

}  // namespace warpbench::block
