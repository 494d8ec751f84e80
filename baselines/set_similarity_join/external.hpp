// A program of its own as a solver of set_similarity_join (docs/external-programs.md).
#pragma once

#include <vector>

#include "problems/set_similarity_join/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::similarity {

class ExternalSimilarityJoin final : public ExternalSolver<SetSimilarityJoin> {
 public:
  using ExternalSolver::ExternalSolver;

  /// Starts the program, writes the sets for it, and has it load them. Throws Unsupported where the program cannot be
  /// had.
  void prepare(const Input& input, Phases& phases) override;
  /// The time is this process's clock while the program says that it joins, phase `join`; all else is untimed. Throws
  /// std::runtime_error where the program's pairs are not as many as it says.
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  void forget() override { answer_ = {}; }

 private:
  const Input* input_ = nullptr;
  std::vector<Pair> pairs_;
  Answer answer_;
};

}  // namespace warpbench::similarity
