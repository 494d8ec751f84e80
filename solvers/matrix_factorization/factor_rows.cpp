#include "solvers/matrix_factorization/factor_rows.hpp"

#include <algorithm>

#include "device/integers.hpp"

namespace warpbench::matrix_factorization {

FactorRows::FactorRows(std::int64_t rows, std::int64_t k)
    : k_(k),
      stride_(round_up(k, kLineFloats)),
      rows_(rows),
      pages_(static_cast<std::size_t>(ceil_div(rows * stride_, kPageFloats))) {}

std::span<float> FactorRows::all() {
  return {reinterpret_cast<float*>(pages_.data()), static_cast<std::size_t>(rows_ * stride_)};
}

void FactorRows::begin(const MatrixFactorization::Input& input, int matrix, std::span<const std::uint32_t> places) {
  const std::span<float> factors = all();
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < std::ssize(places); ++row) {
    float* const own = &factors[places[static_cast<std::size_t>(row)] * static_cast<std::size_t>(stride_)];
    for (std::int64_t f = 0; f < k_; ++f) {
      own[f] = initial_factor(input, matrix, static_cast<std::uint64_t>(row * k_ + f));
    }
  }
}

void FactorRows::copy_to(std::span<float> factors, std::span<const std::uint32_t> places) const {
  const auto* const own = reinterpret_cast<const float*>(pages_.data());
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < std::ssize(places); ++row) {
    std::copy_n(own + places[static_cast<std::size_t>(row)] * static_cast<std::size_t>(stride_), k_,
                factors.begin() + row * k_);
  }
}

}  // namespace warpbench::matrix_factorization
