// The product of a matrix of sets with its own transpose, a rectangle of it at a time: cuBLAS on a GPU
// (matrix_product.gpu.cu), Eigen on simt (matrix_product.simt.cpp).
#pragma once

#include <cstdint>
#include <memory>

#include "device/buffer.hpp"

namespace warpbench::sets {

/// Rows [first_row, first_row + rows) against rows [first_column, first_column + columns): multiples of 16, as the
/// matrix's width is.
struct Rectangle {
  std::int64_t first_row;
  std::int64_t rows;
  std::int64_t first_column;
  std::int64_t columns;
};

/// Element is float (single precision) or std::int8_t (tensor cores on a GPU), whose products are float and int32.
template <typename Element>
struct ProductOf;
template <>
struct ProductOf<float> {
  using Type = float;
};
template <>
struct ProductOf<std::int8_t> {
  using Type = std::int32_t;
};

template <typename Element>
class MatrixProduct {
 public:
  using Product = typename ProductOf<Element>::Type;

  /// Throws DeviceError.
  MatrixProduct();
  ~MatrixProduct();
  MatrixProduct(const MatrixProduct&) = delete;
  MatrixProduct& operator=(const MatrixProduct&) = delete;

  /// Enqueues product[r × columns + c] = sum over e of matrix[first_row + r][e] × matrix[first_column + c][e].
  /// Throws DeviceError.
  void multiply(View<const Element> matrix, std::int64_t width, const Rectangle& rectangle, View<Product> product,
                Stream& stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbench::sets
