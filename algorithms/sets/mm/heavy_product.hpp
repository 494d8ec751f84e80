// The device's part of mmjoin-gpu: the 0/1 matrix of heavy sets × heavy tokens, and its product with its transpose,
// some rows at a time, while the host goes on.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/sets/mm/matrix_product.hpp"

namespace warpbench::sets {

class HeavyProduct {
 public:
  static constexpr std::int64_t kTileRows = 512;  ///< of a product

  /// Makes the matrix: row i has ones at columns[offsets[i]] … columns[offsets[i + 1] - 1], all below `width`.
  /// Throws OutOfDeviceMemory.
  void make_matrix(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> columns, std::int64_t width);

  /// Enqueues the product of the kTileRows rows from `row` on, a multiple of 16, with all rows from there on, and its
  /// way down. Of the two slots one may be read while the other is on its way.
  void start(std::int64_t row, std::size_t slot);
  /// Waits for the slot. Row r of the product has columns() numbers, the first that of (row + r, row).
  [[nodiscard]] std::span<const float> finish(std::size_t slot);
  [[nodiscard]] std::int64_t columns(std::int64_t row) const { return rows_ - row; }
  [[nodiscard]] std::int64_t matrix_bytes() const { return matrix_.bytes(); }
  /// Device memory that it holds.
  [[nodiscard]] std::int64_t device_bytes() const {
    return offsets_.bytes() + columns_.bytes() + matrix_.bytes() + product_[0].bytes() + product_[1].bytes();
  }
  /// Device memory that a matrix of so many rows and columns with at most `ones` ones takes, its products included.
  [[nodiscard]] static double max_bytes(double rows, double columns, std::int64_t ones);

 private:
  Stream stream_;
  std::int64_t rows_ = 0;   ///< of the matrix, a multiple of kRowUnit
  std::int64_t width_ = 0;  ///< likewise of kWidthUnit
  Buffer<std::uint64_t> offsets_;
  Buffer<std::uint32_t> columns_;
  Buffer<float> matrix_;
  Buffer<float> product_[2];
  PinnedBuffer<float> host_[2];
  std::int64_t sizes_[2] = {0, 0};
  Event done_[2];
  MatrixProduct<float> multiplier_;
};

}  // namespace warpbench::sets
