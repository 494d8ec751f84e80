// The base of solvers of theta_join that are programs of their own (docs/external-programs.md): database systems, which
// get the query in SQL.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "problems/theta_join/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::theta {

class ExternalJoin : public ExternalSolver<ThetaJoin> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program, writes the relations for it, and has it load them. Throws Unsupported where the program cannot
  /// be had.
  void prepare(const Input& input, Phases& phases) final;
  /// The time is this process's clock while the program says that its query runs, phase `query`; all else is untimed.
  void solve(Phases& phases) final;
  void forget() override { answer_ = {}; }
  void download(Answer& answer, Phases& phases) final;

 private:
  [[nodiscard]] Answer aggregated() const;
  [[nodiscard]] Answer selected();

  const Input* input_ = nullptr;
  std::vector<Row> rows_;
  Answer answer_;
};

}  // namespace warpbench::theta
