// DelegatingSolver: a solver that leaves the work to another one, which prepare() chooses by the input.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "solvers/solver.hpp"

namespace warpbench::sets {

template <typename Problem>
class DelegatingSolver : public Solver<Problem> {
 public:
  using Answer = typename Problem::Answer;

  void upload(Phases& phases) override { delegate_->upload(phases); }
  void solve(Phases& phases) override { delegate_->solve(phases); }
  void download(Answer& answer, Phases& phases) override { delegate_->download(answer, phases); }
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    delegate_->solve_with_transfers(answer, phases);
  }
  [[nodiscard]] std::map<std::string, double> counters() const override { return delegate_->counters(); }

 protected:
  std::unique_ptr<Solver<Problem>> delegate_;  ///< nullptr before prepare()
};

}  // namespace warpbench::sets
