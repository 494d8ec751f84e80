// Solvers of matrix_factorization, made and prepared for a test.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "problems/matrix_factorization/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::testing {

/// γ = 0.02. `ratings` outlives it.
inline MatrixFactorization::Input factorization_input(const datasets::Ratings& ratings, std::int64_t k,
                                                      std::int64_t iterations) {
  MatrixFactorization::Input input;
  input.ratings = &ratings;
  input.k = k;
  input.gamma = 0.02;
  input.iterations = iterations;
  input.mean = ratings.mean();
  return input;
}

/// A solver that is prepared for `input`, which outlives it. Throws where none has this id.
struct PreparedFactorization {
  PreparedFactorization(const std::string& id, const MatrixFactorization::Input& input,
                        const std::map<std::string, Value>& given) {
    for (const auto& entry : solvers_of<MatrixFactorization>()) {
      if (entry.info.id == id) solver = entry.make(Parameters(entry.info.parameters, given));
    }
    if (!solver) throw std::logic_error("no solver '" + id + "'");
    solver->prepare(input, phases);
  }

  MatrixFactorization::Answer solve() {
    MatrixFactorization::Answer answer;
    solver->solve_with_transfers(answer, phases);
    return answer;
  }
  [[nodiscard]] double counter(const std::string& name) const { return solver->counters().at(name); }

  Phases phases;
  std::unique_ptr<Solver<MatrixFactorization>> solver;
};

}  // namespace warpbench::testing
