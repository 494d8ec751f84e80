#include "harness/plan/plan.hpp"
#include "solvers/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "datasets/outline.hpp"
#include "harness/plan/identity.hpp"
#include "harness/spec/spec.hpp"

namespace warpbench::harness {
namespace {

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t points(const std::vector<Axis>& axes) {
  std::int64_t count = 1;
  for (const Axis& axis : axes) count = saturating_multiply(count, static_cast<std::int64_t>(axis.values.size()));
  return count;
}

/// The task on a dataset: the spec's, with the dataset's own parameters in place of those of the same name.
std::vector<Axis> task_on(const Spec& spec, const DatasetRequest& dataset) {
  std::vector<Axis> task = spec.task;
  for (const Axis& own : dataset.task) {
    const auto same = std::ranges::find(task, own.name, &Axis::name);
    if (same == task.end()) {
      task.push_back(own);
    } else {
      *same = own;
    }
  }
  return task;
}

/// Refuses an oversized sweep before expanding it.
void check_size(const Spec& spec) {
  std::int64_t outer = 0;
  for (const DatasetRequest& dataset : spec.datasets) outer = saturating_add(outer, points(task_on(spec, dataset)));
  std::int64_t total = 0;
  const SolverRequest* largest = nullptr;
  for (const SolverRequest& request : spec.solvers) {
    if (largest == nullptr || points(request.axes) > points(largest->axes)) largest = &request;
    total = saturating_add(total, saturating_multiply(outer, points(request.axes)));
  }
  if (total <= kMaxTrials) return;
  const bool saturated = total == std::numeric_limits<std::int64_t>::max();
  refuse(largest->place, fmt::format("the sweeps make {}{} trials, most of them by solver '{}'; at most {} are allowed",
                                     saturated ? "more than " : "", total, largest->solver->id, kMaxTrials));
}

/// The points of a sweep that `validate` accepts; the rejected ones are counted. Throws if all points are rejected, a
/// sweep of one point included.
template <typename Validate>
std::vector<Parameters> combinations(const std::vector<Axis>& axes, const std::vector<ParameterSpec>& declared,
                                     const Validate& validate, const Place& place, const std::string& what,
                                     Plan& plan) {
  std::vector<Parameters> accepted;
  std::optional<ParameterError> first;
  std::vector<std::size_t> at(axes.size(), 0);
  const std::int64_t total = points(axes);
  for (std::int64_t i = 0; i < total; ++i) {
    std::map<std::string, Value> given;
    for (std::size_t a = 0; a < axes.size(); ++a) given[axes[a].name] = axes[a].values[at[a]];
    Parameters parameters(declared, given);
    try {
      validate(parameters);
      accepted.push_back(std::move(parameters));
    } catch (const ParameterError& error) {
      if (!first) first = error;
      if (plan.left_out++ == 0) plan.left_out_reason = fmt::format("{}: {}", what, error.what());
    }
    for (std::size_t a = axes.size(); a-- > 0;) {  // the last axis varies fastest
      if (++at[a] < axes[a].values.size()) break;
      at[a] = 0;
    }
  }
  if (!accepted.empty() || !first) return accepted;
  const auto culprit = std::ranges::find(axes, first->name(), &Axis::name);
  const Place& where = culprit == axes.end() ? place : culprit->place;
  if (total == 1) refuse(where, fmt::format("{}: {}", what, first->what()));
  refuse(where, fmt::format("{}: none of the {} combinations makes sense; the first: {}", what, total, first->what()));
}

class Expansion {
 public:
  explicit Expansion(const Spec& spec) : spec_(spec) {
    plan_.experiment = spec.experiment;
    plan_.title = spec.title;
    plan_.protocol = spec.protocol;
    std::optional<std::vector<Parameters>> usual;  // once, so that Plan::left_out counts it once
    for (const DatasetRequest& request : spec.datasets) {
      plan_.datasets.push_back(request.dataset);
      dataset_texts_.push_back(canonical_text(request.dataset) + request.content);
      if (request.task.empty() && !usual) usual = tasks_of(spec.task, spec.task_place);
      tasks_.push_back(
          answerable(request, request.task.empty() ? *usual : tasks_of(task_on(spec, request), request.place)));
    }
    protocol_text_ = canonical_text(spec.protocol);
  }

  Plan run() {
    for (const SolverRequest& request : spec_.solvers) {
      const auto points_of_solver = combinations(request.axes, request.solver->parameters, request.solver->validate,
                                                 request.place, fmt::format("solver '{}'", request.solver->id), plan_);
      for (std::size_t d = 0; d < plan_.datasets.size(); ++d) {
        for (const Parameters& task : tasks_[d]) {
          for (const Parameters& parameters : points_of_solver) add(request, d, task, parameters);
        }
      }
    }
    order_by_dataset();
    return std::move(plan_);
  }

 private:
  std::vector<Parameters> tasks_of(const std::vector<Axis>& axes, const Place& place) {
    const ProblemInfo& problem = spec_.problem->info;
    return combinations(axes, problem.task, problem.validate, place, "task", plan_);
  }

  /// The tasks that can be asked of the dataset, as far as is known before it is read; the others are counted. Throws
  /// if none is left.
  std::vector<Parameters> answerable(const DatasetRequest& request, std::vector<Parameters> tasks) {
    const datasets::Outline outline = datasets::outline_of(request.dataset.source);
    std::string first;
    const std::size_t refused = std::erase_if(tasks, [&](const Parameters& task) {
      const std::string why = spec_.problem->info.foresee(outline, task);
      if (first.empty()) first = why;
      return !why.empty();
    });
    if (refused == 0) return tasks;
    first = fmt::format("dataset '{}': {}", request.dataset.name, first);
    if (tasks.empty()) refuse(request.place, first);
    if (plan_.left_out == 0) plan_.left_out_reason = first;
    plan_.left_out += static_cast<std::int64_t>(refused);
    return tasks;
  }

  void add(const SolverRequest& request, std::size_t dataset, const Parameters& task, const Parameters& parameters) {
    Trial trial{{}, spec_.problem->info.id, task, dataset, request.solver->id, parameters};
    trial.id = trial_id(trial, dataset_texts_[dataset], protocol_text_);
    const auto [first, fresh] = lines_.emplace(trial.id, request.place.line);
    if (!fresh) {
      const std::string with = parameters.values().empty() ? "" : fmt::format(" with {}", parameters.canonical());
      refuse(request.place,
             fmt::format("solver '{}'{} is listed twice, first in line {}", trial.solver, with, first->second));
    }
    plan_.trials.push_back(std::move(trial));
  }

  /// Puts the trials of a dataset together, so that it is loaded once and used while warm; groups then follow the order
  /// of their first trial.
  void order_by_dataset() {
    std::ranges::stable_sort(plan_.trials, {}, &Trial::dataset);
    std::map<std::string, std::size_t> group_of;
    for (std::size_t t = 0; t < plan_.trials.size(); ++t) {
      const Trial& trial = plan_.trials[t];
      const SolverInfo& solver = *find_solver(*spec_.problem, trial.solver);
      const std::string key = fmt::format("{}|{}|{}|{}", trial.dataset, trial.solver, canonical_text(trial.task),
                                          canonical_text(trial.parameters.at(Stage::prepare, solver.parameters)));
      const auto [group, fresh] = group_of.emplace(key, plan_.groups.size());
      if (fresh) plan_.groups.emplace_back();
      plan_.groups[group->second].trials.push_back(t);
    }
  }

  const Spec& spec_;
  Plan plan_;
  std::vector<std::string> dataset_texts_;
  std::vector<std::vector<Parameters>> tasks_;  // of each dataset
  std::string protocol_text_;
  std::map<std::string, int> lines_;  // spec line of the solver of each trial
};

}  // namespace

Plan expand(const Spec& spec) {
  check_size(spec);
  return Expansion(spec).run();
}

std::string label_of(const Plan& plan, const Trial& trial) {
  std::string label = fmt::format("{} {}", plan.datasets.at(trial.dataset).name, trial.solver);
  if (const std::string parameters = trial.parameters.canonical(); !parameters.empty()) label += " " + parameters;
  return label;
}

}  // namespace warpbench::harness
