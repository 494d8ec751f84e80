// QuerySolver: a solver of both queries that leaves each to a solver of its own, which prepare() chooses by the input.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "problems/theta_join/problem.hpp"
#include "solvers/delegating_solver.hpp"

namespace warpbench::theta {

class QuerySolver : public DelegatingSolver<ThetaJoin> {
 public:
  using Input = ThetaJoin::Input;
  using Factory = std::unique_ptr<Solver<ThetaJoin>> (*)(const Parameters&);

  /// nullptr: the method has no such query, and prepare() throws Unsupported for it.
  QuerySolver(Factory aggregate, Factory select, Parameters parameters)
      : DelegatingSolver(std::move(parameters)), aggregate_(aggregate), select_(select) {}

  void prepare(const Input& input, Phases& phases) override {
    const bool is_aggregate = input.query == ThetaJoin::Query::aggregate;
    const Factory factory = is_aggregate ? aggregate_ : select_;
    if (factory == nullptr) {
      throw Unsupported(std::string("this solver answers no `query: ") + (is_aggregate ? "aggregate`" : "select`"));
    }
    delegate_ = factory(parameters());
    delegate_->prepare(input, phases);
  }

 private:
  Factory aggregate_;
  Factory select_;
};

}  // namespace warpbench::theta
