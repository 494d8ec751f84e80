// TrialRun: runs one trial on a prepared solver (configure, warm up, sample, judge) and builds its outcome.
#pragma once

#include <optional>
#include <string>

#include "harness/measure/measure.hpp"
#include "harness/measure/verifier.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/record.hpp"
#include "harness/run/failure.hpp"
#include "problems/problem.hpp"
#include "solvers/bound_solver.hpp"
#include "solvers/profiled_part.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {

/// What a trial is run with; all that is referred to must outlive the TrialRun.
struct TrialContext {
  const Protocol& protocol;
  const Trial& trial;
  const SolverInfo& solver;
  BoundSolver& bound;
  Verifier& verifier;
  Numbers work;  ///< of the problem instance, such as its number of queries
};

class TrialRun {
 public:
  explicit TrialRun(const TrialContext& context) : context_(context) {}

  /// Runs the trial. Exceptions of the solver become statuses. Throws FileError if the parent is gone.
  Outcome outcome();
  /// Whether the solver or its judge threw. If so, nothing else should run in this process.
  [[nodiscard]] bool threw() const { return threw_; }
  /// After outcome(): what of a solve hardware counters cover (solvers/profiled_part.hpp).
  [[nodiscard]] const std::string& profiled_part() const { return profiler_.part(); }

 private:
  Outcome succeed_or_throw();

  TrialContext context_;
  std::string step_ = "configuring";
  bool threw_ = false;
  SolveProfiler profiler_;
};

/// One solve without a clock, for debuggers and profilers: configures, uploads if the protocol does not time transfers,
/// solves once to warm up and once profiled, and judges the second answer. Exceptions pass through.
Judgement solve_once(const TrialContext& context);

}  // namespace warpbench::harness
