#include "algorithms/sets/bi/bitmaps.cuh"

namespace warpbench::sets {
namespace {

__global__ void bitmap_kernel(DeviceSet set, Bitmap bitmap) {
  for (const std::int64_t i : grid::strided(set.size())) atomic_set_bit(bitmap.words, set[i]);
}

}  // namespace

void make_bitmap(DeviceSet set, Bitmap bitmap, int threads, Stream& stream) {
  launch(bitmap_kernel, Grid{blocks_for(set.size(), threads), threads}, stream, set, bitmap);
}

}  // namespace warpbench::sets
