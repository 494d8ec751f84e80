#include "algorithms/sets/bi/bitmaps.cuh"

namespace warpbench::sets {
namespace {

__global__ void bitmap_kernel(View<const std::uint32_t> tokens, View<std::uint32_t> bitmap) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < tokens.size(); i += stride) {
    set_bit(bitmap.data(), tokens[i]);
  }
}

}  // namespace

void make_bitmap(View<const std::uint32_t> tokens, View<std::uint32_t> bitmap, std::int64_t threads, Stream& stream) {
  launch(bitmap_kernel, Grid{blocks_for(tokens.size(), threads), threads}, stream, tokens, bitmap);
}

}  // namespace warpbench::sets
