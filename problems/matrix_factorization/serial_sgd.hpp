// Algorithm 1 of yu2023 in its plainest form, for several seeds: what any solver's RMSE is compared with. It shares
// nothing with the solvers.
#pragma once

#include <vector>

#include "problems/matrix_factorization/problem.hpp"

namespace warpbench::matrix_factorization {

/// The test RMSE after each iteration of one thread that takes all training ratings in a random order, for `seeds`
/// seeds from input.seed on, each with first factors and an order of its own. Seeds run side by side, each with P and Q
/// of its own. Where `seconds` are over, the iterations that were done. O(seeds × iterations × ratings × k).
[[nodiscard]] std::vector<std::vector<double>> serial_sgd(const MatrixFactorization::Input& input, int seeds,
                                                          double seconds);

}  // namespace warpbench::matrix_factorization
