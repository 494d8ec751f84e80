// The base of solvers of nearest_neighbors that are programs of their own (docs/external-programs.md): libraries with
// an index that is built once and searched with several settings.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::nearest_neighbors {

class ExternalSearch : public ExternalSolver<NearestNeighbors> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program, writes points and queries for it, and has it build its index, phase `build`. Throws
  /// Unsupported where the program cannot be had.
  void prepare(const Input& input, Phases& phases) final;
  /// The time is this process's clock while the program says that it searches, phase `search`; all else is untimed.
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;

 private:
  const Input* input_ = nullptr;
  std::vector<std::uint32_t> neighbors_;
};

}  // namespace warpbench::nearest_neighbors
