// Algorithm 1 of yu2023 in its plainest form, for several seeds: what any solver's RMSE is compared with. It shares
// nothing with the solvers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"

namespace warpbench::matrix_factorization {

/// A quarter of datasets::usable_memory_bytes(): for the factors of all seeds that run at once.
[[nodiscard]] std::int64_t memory_of_seeds(const std::filesystem::path& cgroup = "/sys/fs/cgroup");

/// The test RMSE after each iteration of one thread that takes all training ratings in a random order, for `seeds`
/// seeds from input.seed on, each with first factors and an order of its own. Where `seconds` are over, the iterations
/// that all seeds did. Seeds run side by side, each with P and Q of its own, as many as `memory_bytes` hold, but at
/// least one: 4 (users + items) k bytes each. The others follow, and share the time.
/// O(seeds × iterations × ratings × k).
[[nodiscard]] std::vector<std::vector<double>> serial_sgd(const MatrixFactorization::Input& input, int seeds,
                                                          double seconds,
                                                          std::int64_t memory_bytes = memory_of_seeds());

}  // namespace warpbench::matrix_factorization
