#include <cublas_v2.h>

#include <limits>
#include <string>

#include "algorithms/sets/mm/matrix_product.hpp"
#include "device/cuda/stream_state.hpp"
#include "device/error.hpp"

namespace warpbench::sets {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(std::string(call) + " failed: " + cublasGetStatusString(status));
}

/// cuBLAS takes sizes of 32 bits.
int narrow(std::int64_t size) {
  if (size > std::numeric_limits<int>::max()) throw DeviceError("a matrix of " + std::to_string(size) + " columns");
  return static_cast<int>(size);
}

}  // namespace

template <typename Element>
struct MatrixProduct<Element>::State {
  cublasHandle_t handle = nullptr;
  State() { check(cublasCreate(&handle), "cublasCreate"); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { static_cast<void>(cublasDestroy(handle)); }  // a destructor has nobody to tell
};

template <typename Element>
MatrixProduct<Element>::MatrixProduct() : state_(std::make_unique<State>()) {}
template <typename Element>
MatrixProduct<Element>::~MatrixProduct() = default;

template <typename Element>
void MatrixProduct<Element>::multiply(View<const Element> matrix, std::int64_t width, const Rectangle& rectangle,
                                      View<Product> product, Stream& stream) {
  constexpr bool kFloat = std::is_same_v<Element, float>;
  constexpr cudaDataType kIn = kFloat ? CUDA_R_32F : CUDA_R_8I;
  constexpr cudaDataType kOut = kFloat ? CUDA_R_32F : CUDA_R_32I;
  constexpr cublasComputeType_t kCompute = kFloat ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32I;
  const Product one = 1;
  const Product zero = 0;
  check(cublasSetStream(state_->handle, stream.handle()->get()), "cublasSetStream");
  // Row by row for us is column by column, transposed, for BLAS: the columns' sets come first.
  check(cublasGemmEx(state_->handle, CUBLAS_OP_T, CUBLAS_OP_N, narrow(rectangle.columns), narrow(rectangle.rows),
                     narrow(width), &one, matrix.data() + rectangle.first_column * width, kIn, narrow(width),
                     matrix.data() + rectangle.first_row * width, kIn, narrow(width), &zero, product.data(), kOut,
                     narrow(rectangle.columns), kCompute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

template class MatrixProduct<float>;
template class MatrixProduct<std::int8_t>;

}  // namespace warpbench::sets
