// Sets as the rows of a 0/1 matrix on the device, in sizes that suit matrix_product.hpp.
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/pair_table.cuh"
#include "device/buffer.hpp"

namespace warpbench::sets {

inline constexpr std::int64_t kRowUnit = 16;     ///< rows: what tensor cores take
inline constexpr std::int64_t kWidthUnit = 128;  ///< columns
inline constexpr int kMatrixThreads = 256;

[[nodiscard]] inline std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Block i writes the ones of row i.
template <typename Element>
__global__ void __launch_bounds__(kMatrixThreads)
    ones_kernel(DeviceSets sets, View<Element> matrix, std::int64_t width) {
  const DeviceSet set = sets.set(blockIdx.x);
  const View<Element> row = matrix.subview(std::int64_t{blockIdx.x} * width, width);
  for (std::int64_t i = threadIdx.x; i < set.size; i += kMatrixThreads) row[std::int64_t{set.tokens[i]}] = 1;
}

/// Enqueues the whole matrix: row i has ones at the tokens of set i, all below `width`; further rows are zeros.
template <typename Element>
void make_matrix(const DeviceSets& sets, Buffer<Element>& matrix, std::int64_t width, Stream& stream) {
  matrix.fill_bytes(0, stream);
  if (sets.count > 0) {
    launch(ones_kernel<Element>, Grid{sets.count, kMatrixThreads}, stream, sets, matrix.view(), width);
  }
}

}  // namespace warpbench::sets
