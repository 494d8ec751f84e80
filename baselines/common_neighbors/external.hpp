// A solver of common_neighbors that is a program of its own (docs/external-programs.md).
#pragma once

#include <cstdint>
#include <vector>

#include "problems/common_neighbors/problem.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench {

class ExternalCounts final : public ExternalSolver<CommonNeighbors> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program, writes the graph for it, and has it prepare itself. Throws Unsupported where the program
  /// cannot be had.
  void prepare(const Input& input, Phases& phases) final;
  /// The time is this process's clock while the program says that it counts, phase `count`; all else is untimed.
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;

 private:
  std::vector<std::uint32_t> counts_;
};

}  // namespace warpbench
