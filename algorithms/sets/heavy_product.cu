#include "algorithms/sets/heavy_product.hpp"

#include <algorithm>

#include "device/kernel.hpp"

namespace warpbench::sets {
namespace {

constexpr int kThreads = 256;

/// Block i writes row i of a matrix of zeros.
__global__ void __launch_bounds__(kThreads)
    ones_kernel(View<const std::uint64_t> offsets, View<const std::uint32_t> columns, View<float> matrix,
                std::int64_t width) {
  const std::int64_t row = blockIdx.x;
  const auto end = static_cast<std::int64_t>(offsets[row + 1]);
  for (std::int64_t i = static_cast<std::int64_t>(offsets[row]) + threadIdx.x; i < end; i += kThreads) {
    matrix[row * width + columns[i]] = 1;
  }
}

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

void HeavyProduct::make_matrix(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> columns,
                               std::int64_t width) {
  const std::int64_t sets = static_cast<std::int64_t>(offsets.size()) - 1;
  rows_ = round_up(sets, 16);
  width_ = round_up(width, 128);
  offsets_ = Buffer<std::uint64_t>(offsets, stream_);
  columns_ = Buffer<std::uint32_t>(columns, stream_);
  matrix_ = Buffer<float>(rows_ * width_, stream_);
  matrix_.fill_bytes(0, stream_);
  if (sets > 0) {
    launch(ones_kernel, Grid{sets, kThreads}, stream_, std::as_const(offsets_).view(), std::as_const(columns_).view(),
           matrix_.view(), width_);
  }
  const std::int64_t most = std::min(kTileRows, rows_) * rows_;
  for (std::size_t slot = 0; slot < 2; ++slot) {
    if (product_[slot].size() < most) product_[slot] = Buffer<float>(most, stream_);
    if (host_[slot].size() < most) host_[slot] = PinnedBuffer<float>(most);
  }
}

void HeavyProduct::start(std::int64_t row, std::size_t slot) {
  const Rectangle rectangle{row, std::min(kTileRows, rows_ - row), row, rows_ - row};
  sizes_[slot] = rectangle.rows * rectangle.columns;
  multiplier_.multiply(std::as_const(matrix_).view(), width_, rectangle, product_[slot].view().first(sizes_[slot]),
                       stream_);
  product_[slot].download(host_[slot].span().first(static_cast<std::size_t>(sizes_[slot])), stream_);
  done_[slot].record(stream_);
}

std::span<const float> HeavyProduct::finish(std::size_t slot) {
  done_[slot].synchronize();
  return host_[slot].span().first(static_cast<std::size_t>(sizes_[slot]));
}

}  // namespace warpbench::sets
