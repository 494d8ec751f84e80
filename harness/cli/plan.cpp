// The plan of experiments as text: how many trials, on what, what is missing, and how long they took before.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "datasets/input_error.hpp"
#include "datasets/named_files.hpp"
#include "datasets/source.hpp"
#include "device/device.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/earlier_trials.hpp"
#include "harness/cli/figure_check.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/readable_duration.hpp"
#include "harness/record/results_file.hpp"
#include "harness/run/probe.hpp"
#include "problems/problem.hpp"
#include "solvers/external/own_program.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// Those of this machine, in the runs under results/ and in `out`.
EarlierTrials earlier_trials(const fs::path& out) {
  EarlierTrials earlier;
  const std::string machine = machine_name();
  for (const fs::path& folder : {fs::path("results"), out}) add_earlier_trials(folder, machine, earlier);
  return earlier;
}

Estimate estimate(const Plan& plan, const EarlierTrials& earlier) {
  Estimate sum;
  for (const Group& group : plan.groups) {
    const Estimate one = estimate(plan, group, earlier);
    sum = {sum.trials + one.trials, sum.known + one.known, sum.seconds + one.seconds};
  }
  return sum;
}

std::string text_of(const Estimate& estimate) {
  if (estimate.known == 0) return "not known: none of these trials was measured on this machine before";
  std::string text = fmt::format("{} of {} trials took {} on this machine before, without loading and judging",
                                 estimate.known, estimate.trials, readable_duration(estimate.seconds));
  if (estimate.known < estimate.trials)
    text += fmt::format("; of the other {} nothing is known", estimate.trials - estimate.known);
  return text;
}

void print_counts(const char* heading, const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::vector<std::string>> rows{{heading, "trials"}};
  for (const auto& [name, count] : counts) rows.push_back({name, std::to_string(count)});
  std::cout << table(rows) << '\n';
}

void print_plan(const Plan& plan, const Estimate& estimated, const std::vector<std::string>& missing) {
  std::map<std::string, std::int64_t> by_solver;
  std::map<std::string, std::int64_t> by_dataset;
  for (const Group& group : plan.groups) {
    for (const std::size_t index : group.trials) {
      const Trial& trial = plan.trials[index];
      const ProblemEntry* problem = find_problem(trial.problem);
      const SolverInfo* solver = problem == nullptr ? nullptr : find_solver(*problem, trial.solver);
      std::string why = solver == nullptr ? "" : solver->unavailable;
      if (why.empty()) why = why_no_own_program(trial.solver, trial.parameters);
      ++by_solver[why.empty() ? trial.solver : fmt::format("{} (unsupported: {})", trial.solver, why)];
      ++by_dataset[plan.datasets[trial.dataset].name];
    }
  }
  std::cout << fmt::format("{}: {}\n{} trials in {} groups, up to {} samples each\n", plan.experiment, plan.title,
                           estimated.trials, plan.groups.size(), plan.protocol.repetitions);
  if (plan.left_out > 0)
    std::cout << fmt::format("{} combinations left out, the first because of {}\n", plan.left_out,
                             plan.left_out_reason);
  std::cout << '\n';
  print_counts("solver", by_solver);
  print_counts("dataset", by_dataset);
  for (const std::string& sentence : missing) std::cout << "missing: " << sentence << '\n';
  std::cout << fmt::format("time: {}\nlimits: {} for a trial, {} for a preparation\n\n", text_of(estimated),
                           readable_duration(plan.protocol.timeout_seconds),
                           readable_duration(plan.protocol.prepare_timeout_seconds));
}

/// A line for each trial: id, dataset, solver, parameters, task.
void print_trials(const Plan& plan) {
  std::vector<std::vector<std::string>> rows{{"trial", "dataset, solver, parameters; task"}};
  for (const Group& group : plan.groups) {
    for (const std::size_t index : group.trials) {
      const Trial& trial = plan.trials[index];
      const std::string task = trial.task.canonical();
      rows.push_back({trial.id, label_of(plan, trial) + (task.empty() ? "" : "; " + task)});
    }
  }
  std::cout << table(rows) << '\n';
}

}  // namespace

std::vector<std::string> missing_files(const Plan& plan, const fs::path& data) {
  std::vector<std::string> sentences;
  for (const NamedDataset& dataset : plan.datasets) {
    const datasets::Source& source = dataset.source;
    for (const datasets::FileSource* file : datasets::files_of(source)) {
      const std::string path = (data / file->path).string();
      try {
        const auto paths = datasets::contents_of(source, *file, data);
        datasets::check_named_files(source, *file, data);
        if (paths.empty()) {
          const std::string registered = dataset.name.substr(0, dataset.name.find('('));
          sentences.push_back(fmt::format("{}: dataset '{}' has no such file, nor with .gz ({})", path, dataset.name,
                                          file->url.empty() ? "set the data directory, --data or WARPBENCH_DATA"
                                                            : "warpbench datasets fetch " + registered));
        }
        for (const fs::path& one : paths) {
          if (fs::exists(one) && !fs::is_regular_file(one))
            sentences.push_back(fmt::format("{}: dataset '{}': expected a regular file, found a {}", one.string(),
                                            dataset.name,
                                            fs::is_directory(one) ? "directory" : "device, socket or pipe"));
        }
      } catch (const datasets::InputError& error) {
        sentences.push_back(fmt::format("dataset '{}': {}", dataset.name, error.what()));
      }
    }
  }
  return sentences;
}

int print_plans(const std::vector<Plan>& plans, const RunCommand& command, const FigureFaults& faults) {
  const EarlierTrials earlier = earlier_trials(command.out);
  Estimate total;
  std::size_t missing = 0;
  for (const Plan& plan : plans) {
    const Estimate estimated = estimate(plan, earlier);
    const std::vector<std::string> sentences = missing_files(plan, command.data);
    print_plan(plan, estimated, sentences);
    if (command.list_trials) print_trials(plan);
    total = {total.trials + estimated.trials, total.known + estimated.known, total.seconds + estimated.seconds};
    missing += sentences.size();
  }
  if (plans.size() > 1) {
    std::cout << fmt::format("all {} experiments: {} trials\ntime: {}\n", plans.size(), total.trials, text_of(total));
    if (missing > 0) std::cout << fmt::format("missing files: {}\n", missing);
  }
  if (!faults) std::cout << kFiguresUnchecked << '\n';
  for (const std::string& fault : faults.value_or(std::vector<std::string>{})) std::cout << fault << '\n';
  missing += faults ? faults->size() : 0;
  return missing == 0 ? kAllWell : kSomeNotOk;
}

}  // namespace warpbench::harness
