// For the tests of nearest_neighbors' solvers, on a CPU and on a GPU: a solver made ready, and its answer judged.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::testing {

using Ids = std::vector<std::uint32_t>;
using Given = std::map<std::string, Value>;

inline Value integer(std::int64_t value) {
  return value;
}
inline Value word(const char* text) {
  return std::string(text);
}

/// The registered solver of that name; throws where there is none.
inline const SolverEntry<NearestNeighbors>& entry_of(const std::string& id) {
  for (const auto& entry : solvers_of<NearestNeighbors>()) {
    if (entry.info.id == id) return entry;
  }
  throw std::logic_error("no solver '" + id + "'");
}

/// A solver with its index of `input`, which outlives it; throws where the solver refuses the `given` parameters.
struct Prepared {
  Prepared(const std::string& id, const NearestNeighbors::Input& input, const Given& given) {
    const SolverEntry<NearestNeighbors>& entry = entry_of(id);
    const Parameters parameters(entry.info.parameters, given);
    entry.info.validate(parameters);
    solver = entry.make(parameters);
    solver->prepare(input, phases);
  }

  /// A view of the solver's own memory.
  NearestNeighbors::Answer solve() {
    NearestNeighbors::Answer found;
    solver->solve_with_transfers(found, phases);
    return found;
  }
  Ids answer() {
    const NearestNeighbors::Answer found = solve();
    return {found.neighbors.begin(), found.neighbors.end()};
  }

  Phases phases;
  std::unique_ptr<Solver<NearestNeighbors>> solver;
};

inline Judgement judged(const NearestNeighbors::Input& input, Ids ids, const NearestNeighbors::Reference& reference) {
  return NearestNeighbors::judge(input, {ids}, reference);
}
inline Judgement judged(const NearestNeighbors::Input& input, Ids ids) {
  return judged(input, std::move(ids), NearestNeighbors::reference(input));
}

}  // namespace warpbench::testing
