// A program of its own as a solver of subgraph_matching (docs/external-programs.md).
#pragma once

#include "problems/subgraph_matching/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::matching {

class ExternalMatching final : public ExternalSolver<SubgraphMatching> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program, writes the graphs for it, and has it load the data graph and the queries. Throws Unsupported
  /// where the program cannot be had.
  void prepare(const Input& input, Phases& phases) override;
  /// The time is this process's clock while the program says that it matches, phase `match`; all else is untimed. The
  /// digests are taken from the program's matches, untimed, too. Throws std::runtime_error where these are not as many
  /// as it says.
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  void forget() override { answer_ = {}; }

 private:
  void take_matches();

  const Input* input_ = nullptr;
  Answer answer_;
};

}  // namespace warpbench::matching
