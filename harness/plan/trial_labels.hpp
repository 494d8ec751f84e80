// TrialLabels: what tells a trial of a plan from the others, for people who follow a run.
#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

struct TrialLabel {
  std::string experiment;
  std::string dataset;
  bool only_dataset = false;  ///< of the plan
  std::string solver;         ///< with the values that differ: `mps threads=4 k=10`

  /// All of it: `che2019/fig-2: orkut-like mps threads=4`.
  [[nodiscard]] std::string text() const;
};

class TrialLabels {
 public:
  explicit TrialLabels(const Plan& plan);

  /// Experiment, dataset, solver, and those values of the solver's parameters and of the task that differ within the
  /// plan.
  [[nodiscard]] TrialLabel of(const Trial& trial) const;

 private:
  const Plan& plan_;
  std::map<std::string, std::set<std::string>> parameters_;  ///< by solver: names of those that differ
  std::set<std::string> task_;
  bool one_dataset_ = true;
};

}  // namespace warpbench::harness
