// QuerySolver: a solver of both queries that leaves each to a solver of its own, which prepare() chooses by the input.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::theta {

class QuerySolver : public Solver<ThetaJoin> {
 public:
  using Input = ThetaJoin::Input;
  using Answer = ThetaJoin::Answer;
  using Factory = std::unique_ptr<Solver<ThetaJoin>> (*)(const Parameters&);

  /// nullptr: the method has no such query, and prepare() throws Unsupported for it.
  QuerySolver(Factory aggregate, Factory select, Parameters parameters)
      : aggregate_(aggregate), select_(select), parameters_(std::move(parameters)) {}

  void prepare(const Input& input, Phases& phases) override {
    const bool is_aggregate = input.query == ThetaJoin::Query::aggregate;
    const Factory factory = is_aggregate ? aggregate_ : select_;
    if (factory == nullptr) {
      throw Unsupported(std::string("this solver answers no `query: ") + (is_aggregate ? "aggregate`" : "select`"));
    }
    delegate_ = factory(parameters_);
    delegate_->prepare(input, phases);
  }
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
  [[nodiscard]] std::map<std::string, double> counters() const override { return delegate_->counters(); }
  [[nodiscard]] std::map<std::string, double> index_counters() override { return delegate_->index_counters(); }

 private:
  Factory aggregate_;
  Factory select_;
  Parameters parameters_;
  std::unique_ptr<Solver<ThetaJoin>> delegate_;  ///< nullptr before prepare()
};

}  // namespace warpbench::theta
