#include "algorithms/sets/matrix_product.hpp"
#include "device/kernel.hpp"

namespace warpbench::sets {
namespace {

constexpr int kThreads = 32;

/// Block (r, part), a thread an element of the product.
template <typename Element, typename Product>
__global__ void product_kernel(View<const Element> matrix, std::int64_t width, Rectangle rectangle,
                               View<Product> product) {
  const std::int64_t row = blockIdx.x;
  const std::int64_t column = std::int64_t{blockIdx.y} * kThreads + threadIdx.x;
  if (column >= rectangle.columns) return;
  const Element* const a = matrix.subview((rectangle.first_row + row) * width, width).data();
  const Element* const b = matrix.subview((rectangle.first_column + column) * width, width).data();
  Product sum = 0;
  for (std::int64_t e = 0; e < width; ++e) sum += static_cast<Product>(a[e]) * static_cast<Product>(b[e]);
  product[row * rectangle.columns + column] = sum;
}

}  // namespace

template <typename Element>
struct MatrixProduct<Element>::State {};

template <typename Element>
MatrixProduct<Element>::MatrixProduct() = default;
template <typename Element>
MatrixProduct<Element>::~MatrixProduct() = default;

template <typename Element>
void MatrixProduct<Element>::multiply(View<const Element> matrix, std::int64_t width, const Rectangle& rectangle,
                                      View<Product> product, Stream& stream) {
  launch(product_kernel<Element, Product>,
         Grid{{rectangle.rows, (rectangle.columns + kThreads - 1) / kThreads}, kThreads}, stream, matrix, width,
         rectangle, product);
}

template class MatrixProduct<float>;
template class MatrixProduct<std::int8_t>;

}  // namespace warpbench::sets
