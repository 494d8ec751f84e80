// TrialRun: one trial on a prepared solver: configure, warm up, sample, judge, and what came of it.
#pragma once

#include <optional>
#include <string>

#include "harness/failure.hpp"
#include "harness/measure.hpp"
#include "harness/plan.hpp"
#include "harness/record.hpp"
#include "harness/verifier.hpp"
#include "problems/problem.hpp"

namespace warpbench::harness {

/// What a trial runs on; all of it outlives the TrialRun.
struct TrialStage {
  const Protocol& protocol;
  const Trial& trial;
  const SolverInfo& solver;
  Contest& contest;
  Verifier& verifier;
};

class TrialRun {
 public:
  explicit TrialRun(const TrialStage& stage) : stage_(stage) {}

  /// Runs the trial. Exceptions of the solver become statuses; throws FileError where the parent is gone.
  Outcome outcome();
  /// Whether the solver or its judge threw: then nothing else should run in this process.
  [[nodiscard]] bool threw() const { return threw_; }

 private:
  Outcome succeed_or_throw();

  TrialStage stage_;
  std::string step_ = "configuring";
  bool threw_ = false;
};

/// For debuggers and profilers, which want one solve and no clock: configures, uploads where the protocol keeps
/// transfers out, solves once to warm up and once in a ProfiledRange, and judges the latter. What any of it throws
/// comes through.
Judgement solve_once(const TrialStage& stage);

}  // namespace warpbench::harness
