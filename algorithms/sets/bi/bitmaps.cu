#include "algorithms/sets/bi/bitmaps.cuh"

namespace warpbench::sets {
namespace {

__global__ void bitmap_kernel(DeviceSet set, Bitmap bitmap) {
  for (const std::int64_t i : grid::strided(set.size())) atomic_set_bit(bitmap.words, set[i]);
}

/// Blocks (i, y) set or clear the bits of set first + i together.
template <bool kSet>
__global__ void bitmaps_kernel(DeviceSets sets, std::int64_t first, Bitmaps bitmaps) {
  const DeviceSet set = sets.set(first + block::index());
  const Bitmap bitmap = bitmaps[block::index()];
  for (const std::int64_t i : grid::strided<0, Axis::y>(set.size())) {
    if constexpr (kSet) {
      atomic_set_bit(bitmap.words, set[i]);
    } else {
      atomic_clear_bit(bitmap.words, set[i]);
    }
  }
}

}  // namespace

void make_bitmap(DeviceSet set, Bitmap bitmap, int threads, Stream& stream) {
  launch(bitmap_kernel, Grid{blocks_for(set.size(), threads), threads}, stream, set, bitmap);
}

void make_bitmaps(const DeviceSets& sets, std::int64_t first, std::int64_t last, const Bitmaps& bitmaps,
                  std::int64_t blocks, int threads, Stream& stream) {
  launch(bitmaps_kernel<true>, Grid{Dim3{last - first, blocks}, threads}, stream, sets, first, bitmaps);
}

void clear_bitmaps(const DeviceSets& sets, std::int64_t first, std::int64_t last, const Bitmaps& bitmaps,
                   std::int64_t blocks, int threads, Stream& stream) {
  launch(bitmaps_kernel<false>, Grid{Dim3{last - first, blocks}, threads}, stream, sets, first, bitmaps);
}

}  // namespace warpbench::sets
