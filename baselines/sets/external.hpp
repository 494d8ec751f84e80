// Programs of their own as solvers of set_intersection and set_containment (docs/external-programs.md).
#pragma once

#include <cstdint>
#include <vector>

#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/external/registration.hpp"
#include "solvers/external/solver.hpp"

namespace warpbench::cpu_sets {

/// What both problems share. The time of a solve is this process's clock while the program says that it works, phase
/// `intersect`; all else is untimed.
template <typename Problem>
class ExternalSets : public ExternalSolver<Problem> {
 public:
  using ExternalSolver<Problem>::ExternalSolver;
  using Input = typename Problem::Input;

  /// Starts the program, writes the sets for it, and has it load them. Throws Unsupported where the program cannot be
  /// had, or where there are more pairs than an answer keeps whole and a value of each is asked for.
  void prepare(const Input& input, Phases& phases) final;

 protected:
  /// Asks for a value of each pair.
  void solve_pairs(Phases& phases);
  [[nodiscard]] const Input& input() const { return *input_; }
  [[nodiscard]] pairs::Answer values() { return {values_, {}}; }

 private:
  const Input* input_ = nullptr;
  std::vector<std::uint32_t> values_;
};

class ExternalIntersection final : public ExternalSets<SetIntersection> {
 public:
  using ExternalSets::ExternalSets;

  /// Throws std::runtime_error where the tokens of one pair are not as many as the program says.
  void solve(Phases& phases) override;
  void download(SetIntersection::Answer& answer, Phases& phases) override;
  void forget() override { common_ = 0; }

 private:
  void solve_one_pair(Phases& phases);

  std::uint64_t common_ = 0;
  std::vector<std::uint32_t> tokens_;
};

class ExternalContainment final : public ExternalSets<SetContainment> {
 public:
  using ExternalSets::ExternalSets;

  /// Throws std::runtime_error where the contained pairs are not as many as the program says, or none of the sets'.
  void solve(Phases& phases) override;
  void download(SetContainment::Answer& answer, Phases& phases) override;

 private:
  void solve_contained_pairs(Phases& phases);

  std::vector<std::uint64_t> places_;
};

}  // namespace warpbench::cpu_sets
