#include "harness/plan/trial_labels.hpp"

#include <fmt/format.h>

#include "problems/parameters.hpp"

namespace warpbench::harness {
namespace {

/// Adds the names of the values in which `other` differs from `first`.
void add_differing(const Parameters& first, const Parameters& other, std::set<std::string>& names) {
  for (const auto& [name, value] : other.values()) {
    const auto found = first.values().find(name);
    if (found == first.values().end() || found->second != value) names.insert(name);
  }
}

void append(const Parameters& parameters, const std::set<std::string>& names, std::string& label) {
  for (const auto& [name, value] : parameters.values()) {
    if (names.contains(name)) label += fmt::format(" {}={}", name, to_string(value));
  }
}

}  // namespace

std::string TrialLabel::text() const {
  return fmt::format("{}: {} {}", experiment, dataset, solver);
}

TrialLabels::TrialLabels(const Plan& plan) : plan_(plan) {
  std::map<std::string, const Trial*> first;  // of each solver
  for (const Trial& trial : plan.trials) {
    add_differing(plan.trials.front().task, trial.task, task_);
    one_dataset_ = one_dataset_ && trial.dataset == plan.trials.front().dataset;
    const Trial& one = *first.emplace(trial.solver, &trial).first->second;
    add_differing(one.parameters, trial.parameters, parameters_[trial.solver]);
  }
}

TrialLabel TrialLabels::of(const Trial& trial) const {
  TrialLabel label{plan_.experiment, plan_.datasets.at(trial.dataset).name, one_dataset_, trial.solver};
  append(trial.parameters, parameters_.at(trial.solver), label.solver);
  append(trial.task, task_, label.solver);
  return label;
}

}  // namespace warpbench::harness
