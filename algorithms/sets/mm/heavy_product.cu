#include "algorithms/sets/mm/heavy_product.hpp"

#include <algorithm>

#include "algorithms/sets/mm/set_matrix.cuh"

namespace warpbench::sets {

double HeavyProduct::max_bytes(double rows, double columns, std::int64_t ones) {
  rows += kRowUnit;
  columns += kWidthUnit;
  return sizeof(std::uint64_t) * rows + sizeof(std::uint32_t) * std::min(static_cast<double>(ones), rows * columns) +
         sizeof(float) * rows * (columns + 2 * kTileRows);
}

void HeavyProduct::make_matrix(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> columns,
                               std::int64_t width) {
  const std::int64_t sets = static_cast<std::int64_t>(offsets.size()) - 1;
  rows_ = round_up(sets, kRowUnit);
  width_ = round_up(width, kWidthUnit);
  const std::int64_t max_size = std::min(kTileRows, rows_) * rows_;
  // The memory of the matrix before is given back first.
  offsets_.reset();
  columns_.reset();
  matrix_.reset();
  for (Buffer<float>& product : product_) {
    if (product.size() != max_size) product.reset();
  }
  offsets_ = Buffer<std::uint64_t>(offsets, stream_);
  columns_ = Buffer<std::uint32_t>(columns, stream_);
  matrix_ = Buffer<float>(rows_ * width_, stream_);
  sets::make_matrix({std::as_const(offsets_).view(), std::as_const(columns_).view(), sets}, matrix_, width_, stream_);
  for (std::size_t slot = 0; slot < 2; ++slot) {
    if (product_[slot].empty()) product_[slot] = Buffer<float>(max_size, stream_);
    if (host_[slot].size() < max_size) host_[slot] = PinnedBuffer<float>(max_size);
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
