// The base of solvers of matrix_factorization that are programs of their own (docs/external-programs.md): peers that
// learn by methods and schedules of their own, so that P and Q alone are compared, by RMSE and time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/external/program.hpp"
#include "solvers/external/temporary_folder.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matrix_factorization {

class ExternalSolver : public Solver<MatrixFactorization> {
 public:
  /// `command` starts the program.
  ExternalSolver(std::string command, const Parameters& parameters)
      : command_(std::move(command)), parameters_(parameters) {}

  void configure(const Parameters& parameters) final { parameters_ = parameters; }
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

  std::string command_;
  Parameters parameters_;
  const Input* input_ = nullptr;
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<ExternalProgram> program_;
  std::vector<float> p_;
  std::vector<float> q_;
  std::vector<double> rmse_;
  std::vector<double> seconds_;
};

/// The command that the environment variable holds; "" if there is none.
[[nodiscard]] std::string external_command(const char* variable);

/// Why the variable's command cannot be started: `needs` where there is none, its program where there is no such file;
/// "" if it can.
[[nodiscard]] std::string why_unavailable(const char* variable, const std::string& needs);

/// Registers `Class` where the environment variable holds a command whose program exists, else as unavailable. `needs`
/// says what to install.
template <typename Class>
bool register_external(SolverInfo info, const char* variable, const std::string& needs) {
  std::string why = why_unavailable(variable, needs);
  if (why.empty()) return detail::register_solver<MatrixFactorization, Class>(std::move(info));
  return detail::register_unavailable<MatrixFactorization>(std::move(info), std::move(why));
}

}  // namespace warpbench::matrix_factorization
