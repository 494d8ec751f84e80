// DelegatingSolver: a solver that leaves the work to another one, which prepare() chooses by the input.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "solvers/solver.hpp"

namespace warpbench {

template <typename Problem>
class DelegatingSolver : public Solver<Problem> {
 public:
  using Answer = typename Problem::Answer;

  void configure(const Parameters& parameters) override {
    parameters_ = parameters;
    if (delegate_) delegate_->configure(parameters);
  }
  void upload(Phases& phases) override { delegate_->upload(phases); }
  void solve(Phases& phases) override { delegate_->solve(phases); }
  void download(Answer& answer, Phases& phases) override { delegate_->download(answer, phases); }
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    delegate_->solve_with_transfers(answer, phases);
  }
  void forget() override { delegate_->forget(); }
  [[nodiscard]] std::map<std::string, double> counters() const override { return delegate_->counters(); }
  [[nodiscard]] std::map<std::string, double> index_counters() override { return delegate_->index_counters(); }
  [[nodiscard]] std::map<std::string, std::string> facts() const override { return delegate_->facts(); }

 protected:
  explicit DelegatingSolver(Parameters parameters) : parameters_(std::move(parameters)) {}

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }

  std::unique_ptr<Solver<Problem>> delegate_;  ///< nullptr before prepare()

 private:
  Parameters parameters_;
};

}  // namespace warpbench
