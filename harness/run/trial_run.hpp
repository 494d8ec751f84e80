// TrialRun: one trial on a prepared solver: configure, warm up, sample, judge, and what came of it.
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
#include "solvers/registry.hpp"

namespace warpbench::harness {

/// The protocol, solver and verifier that a trial runs with; all of them outlive the TrialRun.
struct TrialContext {
  const Protocol& protocol;
  const Trial& trial;
  const SolverInfo& solver;
  BoundSolver& bound;
  Verifier& verifier;
};

class TrialRun {
 public:
  explicit TrialRun(const TrialContext& context) : context_(context) {}

  /// Runs the trial. Exceptions of the solver become statuses; throws FileError where the parent is gone.
  Outcome outcome();
  /// Whether the solver or its judge threw: then nothing else should run in this process.
  [[nodiscard]] bool threw() const { return threw_; }

 private:
  Outcome succeed_or_throw();

  TrialContext context_;
  std::string step_ = "configuring";
  bool threw_ = false;
};

/// For debuggers and profilers, which want one solve and no clock: configures, uploads where the protocol keeps
/// transfers out, solves once to warm up and once in a ProfiledRange, and judges the latter. What any of it throws
/// comes through.
Judgement solve_once(const TrialContext& context);

}  // namespace warpbench::harness
