// RowsOfTile: the rows that some slots lie in, for kernels that go through all slots of a graph. Each warp has as many
// slots as any other, so that a long row is shared by many warps.
#pragma once

#include <cstdint>

#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/view.hpp"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// The shape of kernels that go through all slots.
struct SlotTuning {
  static constexpr int kThreads = 256;
  static constexpr int kTileSlots = 512;  ///< a warp's
  static constexpr int kWords = 4;        ///< of 32 slots, a warp's where slots are independent
};

/// The rows of a tile's slots. Called by a whole warp; `marks` is its shared memory. Rows with slots begin at different
/// ones, so that each leaves a mark of its own, and a slot's row is that of the last mark up to it.
class RowsOfTile {
 public:
  __device__ RowsOfTile(View<const std::uint64_t> offsets, Extent<std::int64_t> slots, std::uint32_t* marks)
      : marks_(marks) {
    for (const int i : warp::strided(SlotTuning::kTileSlots)) marks[i] = kNone<std::uint32_t>;
    __syncwarp();
    // The last row that begins no later than the tile: the first slot's.
    const auto begin = static_cast<std::uint64_t>(slots.begin);
    const std::int64_t row = warp::lower_bound(offsets.data(), offsets.size(), begin + 1) - 1;
    carried_ = static_cast<std::uint32_t>(row);
    bool more = true;
    for (std::int64_t r = row + 1 + warp::lane(); more; r += kWarpSize) {
      const bool inside = r < offsets.size() - 1 && offsets[r] < static_cast<std::uint64_t>(slots.end);
      if (inside && offsets[r] < offsets[r + 1]) marks[offsets[r] - begin] = static_cast<std::uint32_t>(r);
      more = __all_sync(kFullMask, inside ? 1 : 0) != 0;
    }
    __syncwarp();
  }
  /// The row of slot `first` + lane of the tile; for ascending multiples of 32.
  __device__ std::uint32_t next(int first) {
    const std::uint32_t mark = marks_[first + warp::lane()];
    const unsigned marked = __ballot_sync(kFullMask, mark != kNone<std::uint32_t> ? 1 : 0);
    const unsigned up_to_lane = marked & (warp::lanes_below() * 2 + 1);
    const std::uint32_t row =
        up_to_lane == 0 ? carried_ : marks_[first + kBitsPerWord - 1 - __clz(static_cast<int>(up_to_lane))];
    carried_ = __shfl_sync(kFullMask, row, kWarpSize - 1);
    return row;
  }

 private:
  const std::uint32_t* marks_;
  std::uint32_t carried_;
};

/// Calls visit(u, slot, whether there is one) with the first `count` slots and their rows u, by whole warps of a kernel
/// with SlotTuning::kThreads threads a block: slots slot - lane to slot - lane + 31 together.
template <typename Visit>
__device__ __forceinline__ void for_each_slot_with_row(View<const std::uint64_t> offsets, std::int64_t count,
                                                       Visit visit) {
  constexpr int kThreads = SlotTuning::kThreads;
  constexpr std::int64_t kTile = SlotTuning::kTileSlots;
  __shared__ std::uint32_t marks[kThreads / kWarpSize][kTile];
  for (const std::int64_t tile : grid::per_warp<kThreads>(ceil_div(count, kTile))) {
    const std::int64_t begin = tile * kTile;
    const Extent<std::int64_t> slots{begin, count - begin < kTile ? count : begin + kTile};
    RowsOfTile rows(offsets, slots, marks[block::warp_rank<kThreads>()]);
    for (int first = 0; first < slots.size(); first += kWarpSize) {
      const std::uint32_t u = rows.next(first);
      const std::int64_t slot = begin + first + warp::lane();
      visit(u, slot, slot < slots.end);
    }
    __syncwarp();
  }
}

}  // namespace warpbench::common_neighbors
