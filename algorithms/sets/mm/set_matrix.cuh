// Sets as the rows of a 0/1 matrix on the device, in sizes that suit matrix_product.hpp.
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/pair_tile.cuh"
#include "device/buffer.hpp"

namespace warpbench::sets {

inline constexpr std::int64_t kRowUnit = 16;     ///< rows: what tensor cores take
inline constexpr std::int64_t kWidthUnit = 128;  ///< columns
inline constexpr int kMatrixThreads = 256;

/// Block i writes the ones of row i.
template <typename Element>
__global__ void __launch_bounds__(kMatrixThreads)
    ones_kernel(DeviceSets sets, View<Element> matrix, std::int64_t width) {
  const DeviceSet set = sets.set(block::index());
  const View<Element> row = matrix.subview(block::index() * width, width);
  for (const std::int64_t i : block::strided<kMatrixThreads>(set.size())) row[set[i]] = 1;
}

/// Enqueues the whole matrix: row i has ones at the tokens of set i, all below `width`; further rows are zeros.
template <typename Element>
void make_matrix(const DeviceSets& sets, Buffer<Element>& matrix, std::int64_t width, Stream& stream) {
  matrix.fill_bytes(0, stream);
  launch(ones_kernel<Element>, Grid{sets.count, kMatrixThreads}, stream, sets, matrix.view(), width);
}

}  // namespace warpbench::sets
