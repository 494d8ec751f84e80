// `warpbench references`: what answers are judged by, computed before a run, on a machine without a GPU too.
#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/record/readable_duration.hpp"
#include "harness/run/failure.hpp"
#include "harness/run/prepared_group.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {
namespace {

/// A trial of each dataset and task: all trials of both have the same reference.
std::vector<const Trial*> one_of_each_reference(const Plan& plan) {
  std::set<std::tuple<std::size_t, std::string, std::string>> seen;
  std::vector<const Trial*> found;
  for (const Trial& trial : plan.trials) {
    if (seen.emplace(trial.dataset, trial.problem, trial.task.canonical()).second) found.push_back(&trial);
  }
  return found;
}

/// Prints how long it took. Returns "", or why there is no reference.
std::string find_reference(const Plan& plan, const Trial& trial, const RunOptions& options, const std::string& label) {
  std::string step = "loading the dataset";
  try {
    PreparedGroup group(plan, trial, options);
    group.load();
    step = "reading the dataset";
    group.make_instance("", [](bool) {});
    step = "computing the reference";
    const Verifier& verifier = group.need_reference();
    if (verifier.reference_failure().empty()) {
      std::cout << fmt::format("{}: {} {}\n", label,
                               verifier.reference_cached() ? "read from the cache in" : "computed in",
                               readable_duration(verifier.reference_seconds()))
                << std::flush;
    }
    return verifier.reference_failure();
  } catch (...) {
    return failure_from(std::current_exception(), step).reason;
  }
}

}  // namespace

int compute_references(const RunCommand& command) {
  RunOptions options;
  options.data = command.data;
  options.cache = command.cache;
  options.threads = command.threads;
  options.max_inflation = command.max_inflation;
  bool good = true;
  for (const Plan& plan : load_plans(command)) {
    for (const Trial* trial : one_of_each_reference(plan)) {
      const std::string task = trial->task.canonical();
      const std::string label = fmt::format("{}: {}{}{}", plan.experiment, plan.datasets.at(trial->dataset).name,
                                            task.empty() ? "" : " ", task);
      const std::string failure = find_reference(plan, *trial, options, label);
      if (failure.empty()) continue;
      std::cout << fmt::format("{}: no reference: {}\n", label, failure) << std::flush;
      good = false;
    }
  }
  return good ? kAllWell : kSomeNotOk;
}

}  // namespace warpbench::harness
