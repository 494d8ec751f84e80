// The twin of matrix_product.gpu.cu on simt: Eigen on the host, in the stream's order, as simt's device memory is
// memory of the host.
#include "algorithms/sets/mm/matrix_product.hpp"

#ifdef WARPBENCH_HAS_EIGEN
#include <Eigen/Core>

#include "device/simt/stream_state.hpp"
#else
#include "solvers/solver.hpp"
#endif

namespace warpbench::sets {

template <typename Element>
struct MatrixProduct<Element>::State {};

template <typename Element>
MatrixProduct<Element>::~MatrixProduct() = default;

#ifdef WARPBENCH_HAS_EIGEN

template <typename Element>
MatrixProduct<Element>::MatrixProduct() = default;

template <typename Element>
void MatrixProduct<Element>::multiply(View<const Element> matrix, std::int64_t width, const Rectangle& rectangle,
                                      View<Product> product, Stream& stream) {
  using RowMajorMap = Eigen::Map<const Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Result = Eigen::Map<Eigen::Matrix<Product, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  const RowMajorMap a(matrix.subview(rectangle.first_row * width, rectangle.rows * width).data(), rectangle.rows,
                      width);
  const RowMajorMap b(matrix.subview(rectangle.first_column * width, rectangle.columns * width).data(),
                      rectangle.columns, width);
  const std::int64_t size = rectangle.rows * rectangle.columns;
  stream.handle()->enqueue([a, b, rectangle, result = product.first(size).data()] {
    Result(result, rectangle.rows, rectangle.columns).noalias() =
        a.template cast<Product>() * b.template cast<Product>().transpose();
  });
}

#else

template <typename Element>
MatrixProduct<Element>::MatrixProduct() {
  throw Unsupported("without a GPU the matrix product needs Eigen (Debian: libeigen3-dev)");
}
template <typename Element>
void MatrixProduct<Element>::multiply(View<const Element>, std::int64_t, const Rectangle&, View<Product>, Stream&) {}

#endif

template class MatrixProduct<float>;
template class MatrixProduct<std::int8_t>;

}  // namespace warpbench::sets
