// The plan of an experiment as text: how many trials, on what, and how long they may take.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <set>

#include "harness/cli/commands.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/readable_duration.hpp"
#include "harness/record/results_file.hpp"
#include "harness/run/progress.hpp"
#include "problems/problem.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// Adds the seconds, of samples and preparation, of the trials in a file.
void add_measured(const fs::path& file, MeasuredSeconds& measured) {
  try {
    for (const Record& record : read_results(file).records) {
      if (!record.outcome.time) continue;
      double total = record.outcome.prepare ? record.outcome.prepare->seconds : 0.0;
      for (const double sample : record.outcome.time->samples) total += sample;
      measured[record.trial] = total;
    }
  } catch (const std::exception&) {
    // An estimate must not fail on a damaged or foreign file; `verify` reports those.
  }
}

void print_counts(const char* heading, const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::vector<std::string>> rows{{heading, "trials"}};
  for (const auto& [name, count] : counts) rows.push_back({name, std::to_string(count)});
  std::cout << table(rows) << '\n';
}

}  // namespace

MeasuredSeconds earlier_results(const fs::path& out) {
  MeasuredSeconds measured;
  std::error_code error;
  for (const fs::path& folder : {fs::path("results"), out}) {
    if (folder.empty() || !fs::is_directory(folder, error)) continue;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
      if (entry.path().filename() == "results.jsonl") add_measured(entry.path(), measured);
    }
  }
  return measured;
}

void print_plan(const Plan& plan, const MeasuredSeconds& measured) {
  std::map<std::string, std::int64_t> by_solver;
  std::map<std::string, std::int64_t> by_dataset;
  for (const Trial& trial : plan.trials) {
    const ProblemEntry* problem = find_problem(trial.problem);
    const SolverInfo* solver = problem == nullptr ? nullptr : find_solver(*problem, trial.solver);
    const bool lacks = solver != nullptr && !solver->unavailable.empty();
    ++by_solver[lacks ? trial.solver + " (unsupported: " + solver->unavailable + ")" : trial.solver];
    ++by_dataset[plan.datasets[trial.dataset].name];
  }
  std::cout << fmt::format("{}: {}\n{} trials in {} groups, up to {} samples each\n", plan.experiment, plan.title,
                           plan.trials.size(), plan.groups.size(), plan.protocol.repetitions);
  if (plan.left_out > 0)
    std::cout << fmt::format("{} combinations left out, the first because of {}\n", plan.left_out,
                             plan.left_out_reason);
  std::cout << '\n';
  print_counts("solver", by_solver);
  print_counts("dataset", by_dataset);
  const double bound = static_cast<double>(plan.trials.size()) * plan.protocol.timeout_seconds +
                       static_cast<double>(plan.groups.size()) * plan.protocol.prepare_timeout_seconds;
  std::cout << fmt::format("at most {} (every trial and every preparation to its timeout)\n", readable_duration(bound));
  std::set<std::string> known;
  double sum = 0;
  for (const Trial& trial : plan.trials) {
    const auto found = measured.find(trial.id);
    if (found != measured.end() && known.insert(trial.id).second) sum += found->second;
  }
  if (!known.empty()) {
    std::cout << fmt::format("earlier results: {} of {} trials took {}\n", known.size(), plan.trials.size(),
                             readable_duration(sum));
  }
  std::cout << '\n';
}

void print_trials(const Plan& plan) {
  std::vector<std::vector<std::string>> rows{{"trial", "dataset, solver, parameters"}};
  for (const Trial& trial : plan.trials) rows.push_back({trial.id, label_of(plan, trial)});
  std::cout << table(rows) << '\n';
}

}  // namespace warpbench::harness
