// TrialLabels: what tells a trial of a plan from the others, for people who follow a run.
#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

class TrialLabels {
 public:
  explicit TrialLabels(const Plan& plan);

  /// Experiment, dataset, solver, and those values of the solver's parameters and of the task that differ within the
  /// plan: `che2019/fig-2: orkut-like mps threads=4`.
  [[nodiscard]] std::string of(const Trial& trial) const;

 private:
  const Plan& plan_;
  std::map<std::string, std::set<std::string>> parameters_;  ///< by solver: names of those that differ
  std::set<std::string> task_;
};

}  // namespace warpbench::harness
