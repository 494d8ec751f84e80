// The plan of experiments as text: how many trials, on what, what is done and what is missing, and how long they took
// before.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "datasets/input_error.hpp"
#include "datasets/named_files.hpp"
#include "datasets/source.hpp"
#include "device/device.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/earlier_trials.hpp"
#include "harness/cli/figure_check.hpp"
#include "harness/machine/environment.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/readable_duration.hpp"
#include "harness/record/results_file.hpp"
#include "harness/run/finished.hpp"
#include "harness/run/probe.hpp"
#include "harness/run/run_directory.hpp"
#include "problems/problem.hpp"
#include "solvers/external/own_program.hpp"
#include "solvers/registry.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// Those of this machine, in the runs under results/, where a run without --out goes, and in --out; of other trials
/// those of --times.
EarlierTrials earlier_trials(const RunCommand& command) {
  EarlierTrials earlier = trials_of_times(command.times);
  const std::string machine = machine_name();
  for (const fs::path& folder : {fs::path("results"), command.out}) add_earlier_trials(folder, machine, earlier);
  return earlier;
}

/// Of some trials: how many are done in `--out`, and how long the others may take.
struct Outlook {
  std::size_t trials = 0;
  std::size_t done = 0;
  Estimate left;
};

void add(Outlook& sum, const Outlook& one) {
  sum.trials += one.trials;
  sum.done += one.done;
  sum.left += one.left;
}

/// The ids of the trials that a run in `directory` would find finished. Throws what refuses such a run.
std::set<std::string> finished_in(const fs::path& directory, const Plan& plan, const RunCommand& command) {
  std::set<std::string> finished;
  if (directory.empty()) return finished;
  const std::set<Status> retry = statuses_from(command.retry);
  const FoundRun found = look_into(directory, plan);
  for (const Record& record : latest_records(found.results.records)) {
    if (is_finished(record, plan.protocol, retry)) finished.insert(record.trial);
  }
  const bool measures = command.calibrations > 0 || std::ranges::any_of(plan.trials, [&](const Trial& trial) {
                          return !finished.contains(trial.id);
                        });
  if (found.environment && measures) {
    Environment now = host_environment();
    now.machine = machine_name();
    check_begun_on(now, *found.environment, directory);
  }
  return finished;
}

Outlook outlook(const Plan& plan, const EarlierTrials& earlier, const std::set<std::string>& done) {
  Outlook sum;
  for (const Group& group : plan.groups) {
    const Estimate left = estimate(plan, group, earlier, done);
    add(sum, {group.trials.size(), group.trials.size() - left.trials, left});
  }
  return sum;
}

std::string text_of(const Outlook& outlook, const fs::path& times) {
  const Estimate& left = outlook.left;
  const std::string where =
      times.empty() ? "on this machine before"
                    : fmt::format("with backend {} on this machine before or in {}", backend_name(), times.string());
  if (left.trials == 0) return "nothing is left to run";
  const char* const that_are_left = outlook.done > 0 ? " that are left" : "";
  if (left.known == 0) {
    const std::string which = outlook.done > 0 ? fmt::format("the {} trials", left.trials) : "these trials";
    return fmt::format("not known: none of {}{} was measured {}", which, that_are_left, where);
  }
  const std::string references = left.reference_seconds < 1 ? ""
                                                            : fmt::format(", their references {} besides",
                                                                          readable_duration(left.reference_seconds));
  const std::string whole =
      left.known_whole == 0 || left.whole_seconds < 1
          ? "without loading and judging"
          : fmt::format(
                "about {} with loading and judging{}", readable_duration(left.whole_seconds),
                left.known_whole < left.known ? fmt::format(" (estimated from {} of them)", left.known_whole) : "");
  std::string text = fmt::format("{} of {} trials{} took {} {}{}, {}", left.known, left.trials, that_are_left,
                                 readable_duration(left.seconds), where, references, whole);
  if (left.known < left.trials) text += fmt::format("; of the other {} no time is known", left.trials - left.known);
  return text;
}

void print_counts(const char* heading, const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::vector<std::string>> rows{{heading, "trials"}};
  for (const auto& [name, count] : counts) rows.push_back({name, std::to_string(count)});
  std::cout << table(rows) << '\n';
}

void print_plan(const Plan& plan, const Outlook& outlook, const fs::path& directory, const fs::path& times,
                const std::vector<std::string>& missing) {
  std::map<std::string, std::int64_t> by_solver;
  std::map<std::string, std::int64_t> by_dataset;
  for (const Group& group : plan.groups) {
    for (const std::size_t index : group.trials) {
      const Trial& trial = plan.trials[index];
      const ProblemEntry* problem = find_problem(trial.problem);
      const SolverInfo* solver = problem == nullptr ? nullptr : find_solver(*problem, trial.solver);
      std::string why = why_no_own_program(trial.solver, trial.parameters);
      if (why.empty() && solver != nullptr) why = solver->unavailable;
      ++by_solver[why.empty() ? trial.solver : fmt::format("{} (unsupported: {})", trial.solver, why)];
      ++by_dataset[plan.datasets[trial.dataset].name];
    }
  }
  std::cout << fmt::format("{}: {}\n{} trials in {} groups, up to {} samples each\n", plan.experiment, plan.title,
                           outlook.trials, plan.groups.size(), plan.protocol.repetitions);
  if (fs::exists(directory / kResultsFile))
    std::cout << fmt::format("{} of {} trials are done in {}\n", outlook.done, outlook.trials, directory.string());
  if (plan.left_out > 0)
    std::cout << fmt::format("{} combinations left out, the first because of {}\n", plan.left_out,
                             plan.left_out_reason);
  std::cout << '\n';
  print_counts("solver", by_solver);
  print_counts("dataset", by_dataset);
  for (const std::string& sentence : missing) std::cout << "missing: " << sentence << '\n';
  std::cout << fmt::format("time: {}\nlimits: {} for a trial, {} for a preparation\n\n", text_of(outlook, times),
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

int print_plans(const std::vector<Plan>& plans, const RunCommand& command, std::size_t asked,
                const FigureFaults& faults) {
  const auto directory = [&](const Plan& plan) {
    return command.out.empty() ? fs::path() : directory_of(command.out, plan, asked);
  };
  std::vector<std::set<std::string>> finished;  // of all plans, before one is printed
  finished.reserve(plans.size());
  for (const Plan& plan : plans) finished.push_back(finished_in(directory(plan), plan, command));
  const EarlierTrials earlier = earlier_trials(command);
  Outlook total;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Plan& plan = plans[i];
    const Outlook one = outlook(plan, earlier, finished[i]);
    const std::vector<std::string> sentences = missing_files(plan, command.data);
    print_plan(plan, one, directory(plan), command.times, sentences);
    if (command.list_trials) print_trials(plan);
    add(total, one);
    missing += sentences.size();
  }
  if (plans.size() > 1) {
    const std::string trials = total.done > 0 ? fmt::format("{} of {} trials are done", total.done, total.trials)
                                              : fmt::format("{} trials", total.trials);
    std::cout << fmt::format("all {} experiments: {}\ntime: {}\n", plans.size(), trials, text_of(total, command.times));
    if (missing > 0) std::cout << fmt::format("missing files: {}\n", missing);
  }
  if (!faults.unchecked.empty()) std::cout << faults.unchecked << '\n';
  for (const std::string& fault : faults.sentences) std::cout << fault << '\n';
  missing += faults.sentences.size();
  return missing == 0 ? kAllWell : kSomeNotOk;
}

}  // namespace warpbench::harness
