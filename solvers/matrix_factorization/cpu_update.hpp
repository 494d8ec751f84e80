// The update of P and Q by ratings, with the vector instructions of this CPU.
#pragma once

#include <cstdint>
#include <span>

#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/simd.hpp"

namespace warpbench::matrix_factorization {

/// P and Q as FactorRows keeps them.
struct FactorView {
  float* p = nullptr;
  float* q = nullptr;
  std::int64_t stride = 0;  ///< floats from one row to the next, of both
};

/// The constants of an update.
struct UpdateRule {
  float gamma = 0;
  float lambda_p = 0;
  float lambda_q = 0;
};

/// Updates P and Q by one rating after the other, as problems/matrix_factorization/problem.hpp says, in single
/// precision. O(ratings × stride).
using UpdateFunction = void (*)(std::span<const Rating> ratings, const FactorView& factors, const UpdateRule& rule);
[[nodiscard]] UpdateFunction update_function(Simd simd);

}  // namespace warpbench::matrix_factorization
