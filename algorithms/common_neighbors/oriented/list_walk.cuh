// How a warp looks up the elements of many short lists with all its lanes at work: walk_lists() lays the lists of 32
// lanes end to end, and a CandidateQueue keeps the few elements that pass a filter until there are 32 of them.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/view.hpp"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// Tells of each element in which list it is, where the lists of a warp's lanes are laid end to end: by the lists that
/// begin among 32 elements, in some ten instructions for these, however short the lists.
class ListStarts {
 public:
  /// By a whole warp. `begin` is where the lane's list lies among all, `name` what is known of it, and `starts` 32
  /// pairs in the warp's shared memory. A lane without a list has an empty one.
  __device__ __forceinline__ ListStarts(Extent<std::uint32_t> list, std::uint32_t begin, std::uint32_t name,
                                        uint2* starts)
      : starts_(starts), begin_(begin), has_list_(list.size() != 0) {
    const warp::Slot place = warp::compact(has_list_);
    __syncwarp();  // starts may still be read
    if (has_list_) starts[place.index] = make_uint2(list.begin - begin, name);
    __syncwarp();
  }
  /// Of the lane's element among the 32 from `first` on: its list's place in memory less that among all, and its name.
  /// For ascending multiples of 32.
  __device__ __forceinline__ uint2 next(std::uint32_t first) {
    const std::uint32_t offset = begin_ - first;  // huge where the list began before
    const unsigned begins = __reduce_or_sync(kFullMask, has_list_ && offset < kWarpSize ? 1U << offset : 0U);
    const uint2 start = starts_[lists_before_ + __popc(begins & (warp::lanes_below() * 2 + 1)) - 1];
    lists_before_ += __popc(begins);
    return start;
  }

 private:
  const uint2* starts_;
  std::uint32_t begin_;
  bool has_list_;
  int lists_before_ = 0;  ///< that began before the 32 elements at hand
};

/// Visits all elements of the lanes' lists, 32 at a time; called by a whole warp, which calls
/// visit(bool present, std::uint32_t owner, std::uint32_t at, std::uint32_t element) together. A lane without a list
/// has an empty one. `owner` is what the list's lane gave as `name`, `at` the element's place in `elements`. `starts`
/// is 32 pairs in the warp's shared memory. kUnroll loads a lane are on their way at a time.
template <int kUnroll, typename Visit>
__device__ __forceinline__ void walk_lists(View<const std::uint32_t> elements, Extent<std::uint32_t> list,
                                           std::uint32_t name, uint2* starts, Visit visit) {
  std::uint32_t total = 0;
  const std::uint32_t begin = warp::exclusive_scan(list.size(), total);
  ListStarts lists(list, begin, name, starts);
  for (std::uint32_t base = 0; base < total; base += kUnroll * kWarpSize) {
    std::uint32_t owner[kUnroll];
    std::uint32_t at[kUnroll];
    std::uint32_t element[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      const std::uint32_t first = base + i * kWarpSize;
      const uint2 start = lists.next(first);
      owner[i] = start.y;
      at[i] = start.x + first + warp::lane();
      element[i] = first + warp::lane() < total ? elements[at[i]] : 0;
    }
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      visit(base + i * kWarpSize + warp::lane() < total, owner[i], at[i], element[i]);
    }
  }
}

/// The same for one list, the same in all lanes: cheaper for a list of many times 32 elements.
template <int kUnroll, typename Visit>
__device__ __forceinline__ void walk_list(View<const std::uint32_t> elements, Extent<std::uint32_t> list,
                                          std::uint32_t name, Visit visit) {
  std::uint32_t at = list.begin + warp::lane();
  for (; list.begin + kUnroll * kWarpSize <= list.end; list.begin += kUnroll * kWarpSize) {
    std::uint32_t element[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) element[i] = elements[at + i * kWarpSize];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) visit(true, name, at + i * kWarpSize, element[i]);
    at += kUnroll * kWarpSize;
  }
  std::uint32_t element[kUnroll];
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) element[i] = at + i * kWarpSize < list.end ? elements[at + i * kWarpSize] : 0;
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    if (list.begin + i * kWarpSize >= list.end) return;
    visit(at + i * kWarpSize < list.end, name, at + i * kWarpSize, element[i]);
  }
}

/// Candidates of a warp, in its shared memory. close(owner, at) is called for each, by full warps but for the last
/// ones.
class CandidateQueue {
 public:
  static constexpr int kWords = 2 * 2 * kWarpSize;

  /// `memory` is aligned to 8 bytes.
  __device__ explicit CandidateQueue(std::uint32_t* memory) : pairs_(reinterpret_cast<uint2*>(memory)) {}

  template <typename Close>
  __device__ __forceinline__ void push(bool candidate, std::uint32_t owner, std::uint32_t at, Close close) {
    const warp::Slot place = warp::compact(candidate);
    if (place.count == 0) return;
    if (candidate) pairs_[queued_ + place.index] = make_uint2(owner, at);
    queued_ += place.count;
    if (queued_ < kWarpSize) return;
    queued_ -= kWarpSize;
    __syncwarp();
    take(queued_ + warp::lane(), close);
    __syncwarp();
  }

  /// Handles what is still queued.
  template <typename Close>
  __device__ __forceinline__ void flush(Close close) {
    __syncwarp();
    if (warp::lane() < queued_) take(warp::lane(), close);
    queued_ = 0;
    __syncwarp();
  }

 private:
  /// By value: one load, and nvcc 13.0 for sm_90 computes a wrong address where a member is read through a reference
  /// into shared memory.
  template <typename Close>
  __device__ __forceinline__ void take(int place, Close close) const {
    const uint2 pair = pairs_[place];
    close(pair.x, pair.y);
  }

  uint2* pairs_;
  int queued_ = 0;
};

}  // namespace warpbench::common_neighbors
