// Ranges that share the elements of a loop among the threads of a grid, a block or a warp:
//
//   for (const std::int64_t i : grid::strided(n))             every thread of the grid takes elements of [0, n)
//   for (const std::int64_t row : grid::per_warp(rows))       a warp of the grid takes a row: all its lanes see it
//   for (const std::int64_t task : grid::per_block(tasks))    a block takes a task: all its threads see it
//   for (const int i : block::strided(count))                 the threads of the block take elements
//   for (const std::int64_t row : block::per_warp(begin, end))  the warps of the block take rows
//   for (const std::int64_t slot : warp::strided(begin, end)) the lanes of the warp take elements
//   for (const int i : warp::strided<8>(count))               the lanes of each team of 8 neighbouring lanes
//
// An element at a thread is one of [0, n), of [begin, end) or of an Extent: strided(n), strided(begin, end),
// strided(extent). The index has the type of the bounds: give 32 bits where they suffice.
//
// A loop with warp or block collectives in it needs all threads in every round. rounds() gives them, the last round
// too, and says who has an element:
//
//   for (const auto [slot, inside] : warp::rounds(begin, end)) {
//     const warp::Slot place = warp::compact(inside && accepts(slot));
//
// Where a block's size is known when the kernel is compiled, name it: block::strided<kThreads>(n) has constant
// strides, which the compiler unrolls. Such a block has one dimension. Without it, block:: and warp:: ranges and
// grid::per_warp take blocks of any shape; grid::strided and grid::index take blocks of one dimension. The simt
// backend checks this, and that 32-bit bounds leave room for a stride.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench {

enum class Axis { x, y, z };

/// The elements [begin, end) of something: a row's slots, a part of a list.
template <std::integral Index>
struct Extent {
  Index begin;
  Index end;

  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr Index size() const { return static_cast<Index>(end - begin); }
  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr bool empty() const { return begin == end; }
};

/// first, first + step, … below end, as Index; counted in Counter, which holds end + step.
template <std::integral Index, std::integral Counter = Index>
class StridedRange {
 public:
  struct Sentinel {
    Counter end;
  };
  class Iterator {
   public:
    WARPBENCH_HOST_DEVICE constexpr Iterator(Counter at, Counter step) : at_(at), step_(step) {}
    WARPBENCH_HOST_DEVICE constexpr Index operator*() const { return static_cast<Index>(at_); }
    WARPBENCH_HOST_DEVICE constexpr Iterator& operator++() {
      at_ = static_cast<Counter>(at_ + step_);
      return *this;
    }
    WARPBENCH_HOST_DEVICE constexpr bool operator!=(Sentinel sentinel) const { return at_ < sentinel.end; }

   private:
    Counter at_;
    Counter step_;
  };

  WARPBENCH_HOST_DEVICE constexpr StridedRange(Counter first, Counter end, Counter step)
      : first_(first), end_(end), step_(step) {}
  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr Iterator begin() const { return {first_, step_}; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr Sentinel end() const { return {end_}; }

 private:
  Counter first_;
  Counter end_;
  Counter step_;
};

/// A thread's element of a round, if it is inside the range.
template <std::integral Index>
struct RoundElement {
  Index index;
  bool inside;
};

/// Rounds of `size` elements, this thread's the `rank`-th of each; every thread goes through all of them.
template <std::integral Index>
class RoundsRange {
 public:
  struct Sentinel {};
  class Iterator {
   public:
    WARPBENCH_HOST_DEVICE constexpr Iterator(Index at, Index end, Index rank, Index size)
        : at_(at), end_(end), rank_(rank), size_(size) {}
    WARPBENCH_HOST_DEVICE constexpr RoundElement<Index> operator*() const {
      const auto index = static_cast<Index>(at_ + rank_);
      return {index, index < end_};
    }
    WARPBENCH_HOST_DEVICE constexpr Iterator& operator++() {
      at_ = static_cast<Index>(at_ + size_);
      return *this;
    }
    WARPBENCH_HOST_DEVICE constexpr bool operator!=(Sentinel /*end*/) const { return at_ < end_; }

   private:
    Index at_;
    Index end_;
    Index rank_;
    Index size_;
  };

  WARPBENCH_HOST_DEVICE constexpr RoundsRange(Extent<Index> extent, Index rank, Index size)
      : first_(extent.begin, extent.end, rank, size) {}
  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr Iterator begin() const { return first_; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE constexpr Sentinel end() const { return {}; }

 private:
  Iterator first_;
};

namespace detail {

/// The three ways to bound a range.
template <std::integral Index>
WARPBENCH_HOST_DEVICE constexpr Extent<Index> extent_of(Index count) {
  return {Index{0}, count};
}
template <std::integral Begin, std::integral End>
WARPBENCH_HOST_DEVICE constexpr auto extent_of(Begin begin, End end) {
  using Index = std::common_type_t<Begin, End>;
  return Extent<Index>{static_cast<Index>(begin), static_cast<Index>(end)};
}
template <std::integral Index>
WARPBENCH_HOST_DEVICE constexpr Extent<Index> extent_of(Extent<Index> extent) {
  return extent;
}

/// Ends the kernel on simt where a range is misused; nothing on a GPU.
__device__ __forceinline__ void require([[maybe_unused]] bool met, [[maybe_unused]] const char* text) {
#if defined(WARPBENCH_SIMT)
  if (!met) [[unlikely]]
    simt::kernel_failure(text, std::source_location::current());
#endif
}
template <std::integral Index>
__device__ __forceinline__ void require_room(Index end, Index step) {
  require(end <= std::numeric_limits<Index>::max() - step, "a range's end plus its stride overflows its index");
}

/// extent's elements rank, rank + size, …: `size` is at most a block's, so Index has room for it.
template <std::integral Index>
__device__ __forceinline__ StridedRange<Index> strided(Extent<Index> extent, int rank, int size) {
  require_room(extent.end, static_cast<Index>(size));
  return {static_cast<Index>(extent.begin + static_cast<Index>(rank)), extent.end, static_cast<Index>(size)};
}
template <std::integral Index>
__device__ __forceinline__ RoundsRange<Index> rounds(Extent<Index> extent, int rank, int size) {
  require_room(extent.end, static_cast<Index>(size));
  return {extent, static_cast<Index>(rank), static_cast<Index>(size)};
}

/// The same over a grid: its size may not fit 32 bits, so those are counted in 64.
template <std::integral Index>
__device__ __forceinline__ auto strided_over_grid(Extent<Index> extent, std::int64_t rank, std::int64_t size) {
  using Counter = std::conditional_t<sizeof(Index) < sizeof(std::int64_t), std::int64_t, Index>;
  return StridedRange<Index, Counter>(static_cast<Counter>(extent.begin) + static_cast<Counter>(rank),
                                      static_cast<Counter>(extent.end), static_cast<Counter>(size));
}

template <int kThreads>
__device__ __forceinline__ std::int64_t threads_along_x() {
  if constexpr (kThreads == 0) return blockDim.x;
  return kThreads;
}
template <Axis kAxis, typename Triple>
__device__ __forceinline__ std::int64_t along(const Triple& triple) {
  if constexpr (kAxis == Axis::x) return triple.x;
  if constexpr (kAxis == Axis::y) return triple.y;
  if constexpr (kAxis == Axis::z) return triple.z;
}

}  // namespace detail

namespace block {

/// The block's place in the grid.
template <Axis kAxis = Axis::x>
__device__ __forceinline__ std::int64_t index() {
  return detail::along<kAxis>(blockIdx);
}

/// Threads of the block. kThreads: their number where it is known, of a block of one dimension; 0: any block.
template <int kThreads = 0>
__device__ __forceinline__ int size() {
  if constexpr (kThreads == 0) return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  detail::require(blockDim.x == kThreads && blockDim.y * blockDim.z == 1, "the block does not have the named size");
  return kThreads;
}
/// This thread's rank among them.
template <int kThreads = 0>
__device__ __forceinline__ int rank() {
  if constexpr (kThreads == 0) return warp::thread_rank();
  return static_cast<int>(threadIdx.x);
}
/// This thread's warp's rank among the block's.
template <int kThreads = 0>
__device__ __forceinline__ int warp_rank() {
  return static_cast<int>(static_cast<unsigned>(rank<kThreads>()) / kWarpSize);
}
/// Warps of the block, the last one perhaps with fewer lanes.
template <int kThreads = 0>
__device__ __forceinline__ int warps() {
  return ceil_div(size<kThreads>(), kWarpSize);
}

/// Elements for this thread: those of the block take turns.
template <int kThreads = 0, typename... Bounds>
__device__ __forceinline__ auto strided(Bounds... bounds) {
  return detail::strided(detail::extent_of(bounds...), rank<kThreads>(), size<kThreads>());
}
/// Elements for this warp: those of the block take turns.
template <int kThreads = 0, typename... Bounds>
__device__ __forceinline__ auto per_warp(Bounds... bounds) {
  return detail::strided(detail::extent_of(bounds...), warp_rank<kThreads>(), warps<kThreads>());
}
/// {index, inside} for this thread, in rounds that all threads of the block go through.
template <int kThreads = 0, typename... Bounds>
__device__ __forceinline__ auto rounds(Bounds... bounds) {
  return detail::rounds(detail::extent_of(bounds...), rank<kThreads>(), size<kThreads>());
}

}  // namespace block

namespace warp {

/// Elements for this lane: those of its team of kLanes neighbours (a power of two) take turns.
template <int kLanes = kWarpSize, typename... Bounds>
__device__ __forceinline__ auto strided(Bounds... bounds) {
  static_assert(kLanes > 0 && kLanes <= kWarpSize && (kLanes & (kLanes - 1)) == 0);
  return detail::strided(detail::extent_of(bounds...), lane() % kLanes, kLanes);
}
/// {index, inside} for this lane, in rounds that all lanes of the warp go through.
template <typename... Bounds>
__device__ __forceinline__ auto rounds(Bounds... bounds) {
  return detail::rounds(detail::extent_of(bounds...), lane(), kWarpSize);
}

}  // namespace warp

namespace grid {

/// Blocks of the grid along an axis.
template <Axis kAxis = Axis::x>
__device__ __forceinline__ std::int64_t blocks() {
  return detail::along<kAxis>(gridDim);
}

/// This thread's rank among those of the grid (along an axis of blocks). Blocks of one dimension, of kThreads
/// threads where that is known.
template <int kThreads = 0, Axis kAxis = Axis::x>
__device__ __forceinline__ std::int64_t index() {
  detail::require(blockDim.y * blockDim.z == 1, "grid:: ranges want blocks of one dimension");
  if constexpr (kThreads != 0) detail::require(blockDim.x == kThreads, "the block does not have the named size");
  return block::index<kAxis>() * detail::threads_along_x<kThreads>() + std::int64_t{threadIdx.x};
}
/// Threads of the grid.
template <int kThreads = 0, Axis kAxis = Axis::x>
__device__ __forceinline__ std::int64_t size() {
  return blocks<kAxis>() * detail::threads_along_x<kThreads>();
}

/// Elements for this thread: those of the grid take turns.
template <int kThreads = 0, Axis kAxis = Axis::x, typename... Bounds>
__device__ __forceinline__ auto strided(Bounds... bounds) {
  return detail::strided_over_grid(detail::extent_of(bounds...), index<kThreads, kAxis>(), size<kThreads, kAxis>());
}
/// Elements for this warp: those of the grid take turns. Blocks of whole warps, of any shape.
template <int kThreads = 0, Axis kAxis = Axis::x, typename... Bounds>
__device__ __forceinline__ auto per_warp(Bounds... bounds) {
  const int warps = block::warps<kThreads>();
  const std::int64_t rank = block::index<kAxis>() * warps + block::warp_rank<kThreads>();
  return detail::strided_over_grid(detail::extent_of(bounds...), rank, blocks<kAxis>() * warps);
}
/// Elements for this block: those of the grid take turns.
template <Axis kAxis = Axis::x, typename... Bounds>
__device__ __forceinline__ auto per_block(Bounds... bounds) {
  return detail::strided_over_grid(detail::extent_of(bounds...), block::index<kAxis>(), blocks<kAxis>());
}

}  // namespace grid

}  // namespace warpbench
