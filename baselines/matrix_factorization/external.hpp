// The base of solvers of matrix_factorization that are programs of their own (docs/external-programs.md): peers that
// learn by methods and schedules of their own, so that P and Q alone are compared, by RMSE and time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::matrix_factorization {

class ExternalFactorization : public ExternalSolver<MatrixFactorization> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program and writes the ratings for it. Throws Unsupported where the program cannot be had.
  void prepare(const Input& input, Phases& phases) final;
  /// The time is this process's clock while the program says that it trains; all else is untimed.
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;

 private:
  /// Rows that the program left NaN, those of users or items that it never saw, keep their first factors. Returns
  /// whether there are any.
  [[nodiscard]] bool read_factors(const char* file, int matrix, std::vector<float>& factors) const;
  /// Puts the RMSE of P and Q in place of the last one reported, if that is the same but for rounding.
  void refine_last_rmse(bool rows_were_filled);

  const Input* input_ = nullptr;
  std::vector<float> p_;
  std::vector<float> q_;
  std::vector<double> rmse_;
  std::vector<double> seconds_;
};

}  // namespace warpbench::matrix_factorization
