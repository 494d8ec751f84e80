// `warpbench run`, `plan`, `verify` and `report`.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "device/device.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/earlier_trials.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/shell_words.hpp"
#include "harness/measure/profile.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/plan/shard.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/runs/run_folders.hpp"
#include "harness/record/status.hpp"
#include "harness/run/probe.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/runner.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/registry.hpp"
#include "harness/spec/spec.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxCalibrations = 100;

/// The plans' share that the command asks for.
std::vector<Plan> shared(std::vector<Plan> plans, const RunCommand& command) {
  if (command.shard.empty()) return plans;
  const Shard shard = shard_from(command.shard);
  const EarlierTrials earlier = trials_of_times(command.times);
  return share_of(std::move(plans), shard,
                  [&](const Plan& plan, const Group& group) { return estimate(plan, group, earlier).all_seconds; });
}

/// Where a run without --out goes: with one experiment its run directory, with several the folder of theirs.
fs::path default_out(const RunCommand& command, const std::vector<Plan>& plans, std::size_t asked) {
  const std::time_t now = std::time(nullptr);
  std::string name = fmt::format("{:%Y-%m-%dT%H%M%SZ}", fmt::gmtime(now));
  if (!command.shard.empty()) {  // shards may begin in the same second
    const Shard shard = shard_from(command.shard);
    name += fmt::format("-{}-of-{}", shard.number, shard.of);
  }
  const fs::path machine = fs::path("results") / machine_name();
  return asked == 1 ? machine / plans.front().experiment / name : machine / name;
}

/// Refuses an --out where one run would hide others: `verify` and the like take a folder with results for a single run.
void check_out(const RunCommand& command, const std::vector<Plan>& plans) {
  if (!fs::is_directory(command.out)) return;
  const bool holds_results = is_run_directory(command.out);
  if (plans.size() > 1 && holds_results) {
    throw std::invalid_argument(fmt::format(
        "--out: {} is the run directory of one experiment, but {} are asked for; choose a folder that has no results "
        "of its own",
        command.out.string(), plans.size()));
  }
  if (plans.size() > 1 || holds_results) return;
  const std::vector<fs::path> others = run_directories_below(command.out);
  if (others.empty()) return;
  const std::string& experiment = plans.front().experiment;
  throw std::invalid_argument(fmt::format(
      "--out: {} has run directories below it, such as {}, which results of one experiment would hide; "
      "give {} a folder of its own, such as --out {}",
      command.out.string(), others.front().string(), experiment, quoted((command.out / experiment).string())));
}

RunOptions options_of(const RunCommand& command) {
  RunOptions options;
  options.data = command.data;
  options.cache = command.cache;
  options.retry = statuses_from(command.retry);
  options.measure_ceilings = !command.no_ceilings;
  options.threads = command.threads;
  options.max_inflation = command.max_inflation;
  if (command.calibrations < 0 || command.calibrations > kMaxCalibrations) {
    throw std::invalid_argument(fmt::format("--calibrate: expected at most {} further executions, found {}",
                                            kMaxCalibrations, command.calibrations));
  }
  options.calibrations = command.calibrations;
  // simt kernels run on the CPU, where ncu sees nothing.
  if (const char* path = std::getenv("PATH"); backend_name() == "cuda")
    options.ncu = find_ncu(path == nullptr ? "" : path).value_or("");
  return options;
}

std::string statuses(const std::map<Status, std::int64_t>& by_status, std::int64_t failed_further) {
  std::string text;
  for (const auto& [status, count] : by_status) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
  }
  if (failed_further > 0) text += fmt::format("; further executions that failed: {}", failed_further);
  return text.empty() ? "no trials" : text;
}

/// A sound record of a trial that failed is no problem, but such a run is not all well. All that it lacks, the worst
/// first.
std::string state_of(const RunReport& report) {
  if (!report.ok()) return "not ok";
  const bool failed = std::ranges::any_of(report.by_status, [](const auto& counted) {
    return counted.first != Status::ok && counted.first != Status::unsupported && counted.second > 0;
  });
  std::vector<std::string> lacks;
  if (failed || report.failed_further > 0) lacks.emplace_back("not every trial is ok");
  if (report.trials < report.planned) lacks.emplace_back("not complete");
  if (report.changed_spec) lacks.emplace_back("with another spec.yaml");
  return lacks.empty() ? "all well" : fmt::format("sound, but {}", fmt::join(lacks, ", "));
}

/// What to enter after Ctrl-C: a command without --out began a folder that it would not find again.
std::string how_to_go_on(const RunCommand& command, const fs::path& out) {
  return fmt::format("The run was interrupted; finished trials are kept. To go on: {}{}\n", command.line,
                     command.out.empty() ? " --out " + quoted(out.string()) : "");
}

/// Before the first trial: hours of measurements should not end in figures that cannot be drawn.
int refuse_figures(const std::vector<std::string>& faults) {
  for (const std::string& fault : faults) std::cerr << fault << '\n';
  std::cerr << "Nothing was run, because these figures could not be drawn. To run all the same: --no-figures\n";
  return kBadRequest;
}

bool all_ok(const RunSummary& summary) {
  for (const auto& [status, count] : summary.by_status) {
    if (status != Status::ok && count > 0) return false;
  }
  return !summary.interrupted && summary.failed_further == 0;
}

}  // namespace

std::vector<Plan> load_plans(const RunCommand& command) {
  std::vector<Plan> plans;
  for (const std::string& request : command.requests) {
    for (Plan& plan : load_request(request, {command.data, command.overrides})) {
      for (const Plan& earlier : plans) {
        if (earlier.experiment == plan.experiment)
          throw std::invalid_argument(fmt::format("experiment '{}' is asked for twice", plan.experiment));
      }
      plans.push_back(std::move(plan));
    }
  }
  return plans;
}

fs::path directory_of(const fs::path& out, const Plan& plan, std::size_t asked) {
  return asked == 1 ? out : out / plan.experiment;
}

std::set<Status> statuses_from(const std::vector<std::string>& names) {
  std::set<Status> statuses;
  for (const std::string& name : names) statuses.insert(status_from(name));
  return statuses;
}

int run_requests(const RunCommand& command) {
  RunOptions options = options_of(command);
  std::vector<Plan> all = load_plans(command);
  check_out(command, all);
  const std::size_t asked = all.size();
  // Of all trials, also where this command runs a share of them: figures are drawn of the merged run.
  const FigureFaults faults = command.no_figures ? FigureFaults{} : faults_of_figures(all);
  const std::vector<Plan> plans = shared(std::move(all), command);
  if (plans.empty()) {
    const Shard shard = shard_from(command.shard);
    std::cerr << fmt::format("Share {} of {} has no trials: all are in other shares\n", shard.number, shard.of);
    return kAllWell;
  }
  if (command.dry_run) return print_plans(plans, command, asked, faults);
  if (!faults.sentences.empty()) return refuse_figures(faults.sentences);
  if (!faults.unchecked.empty()) std::cerr << faults.unchecked << '\n';
  std::vector<std::vector<std::string>> rows{{"experiment", "statuses", "resumed", "run directory"}};
  for (const Plan& plan : plans) {
    for (const std::string& sentence : missing_files(plan, command.data))
      std::cerr << fmt::format("{}: missing: {}\n", plan.experiment, sentence);
  }
  bool good = true;
  SharedProbe probe(options.measure_ceilings);
  std::size_t trials = 0;
  for (const Plan& plan : plans) {
    for (const Group& group : plan.groups) trials += group.trials.size();
  }
  Progress progress(trials, stderr);
  const fs::path out = command.out.empty() ? default_out(command, plans, asked) : command.out;
  for (const Plan& plan : plans) {
    if (plan.left_out > 0)
      progress.note(fmt::format("{}: {} combinations are left out, the first because of {}", plan.experiment,
                                plan.left_out, plan.left_out_reason));
    options.out = directory_of(out, plan, asked);
    const RunSummary summary = run(plan, options, probe, progress);
    rows.push_back({plan.experiment, statuses(summary.by_status, summary.failed_further),
                    std::to_string(summary.resumed), options.out.string()});
    good = good && all_ok(summary);
    progress.clear();
    if (summary.interrupted) {
      std::cerr << how_to_go_on(command, out);
      break;
    }
  }
  std::cout << table(rows);
  return good ? kAllWell : kSomeNotOk;
}

int verify_runs(const std::vector<fs::path>& paths) {
  bool good = true;
  std::vector<fs::path> directories;
  for (const fs::path& path : paths) {
    for (fs::path& directory : run_directories(path)) directories.push_back(std::move(directory));
  }
  for (const fs::path& directory : directories) {
    const RunReport report = verify_run(directory);
    std::cout << fmt::format("{}: {}, {} lines, {} trials ({}), {} of {} samples verified\n", directory.string(),
                             state_of(report), report.lines, report.trials,
                             statuses(report.by_status, report.failed_further), report.verified_samples,
                             report.samples);
    for (const std::string& problem : report.problems) std::cout << "  problem: " << problem << '\n';
    for (const std::string& note : report.notes) std::cout << "  note: " << note << '\n';
    good = good && report.ok();
  }
  return good ? kAllWell : kSomeNotOk;
}

int report(const std::vector<std::string>& arguments) {
  const fs::path python = home() / ".venv" / "bin" / "python";
  if (!fs::exists(python))
    throw std::runtime_error(fmt::format(
        "the report needs Python's virtual environment, and {} is missing: run `make setup`", python.string()));
  std::vector<std::string> words{python.string(), "-m", "warpbench_plots", "report"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::cout.flush();
  execv(pointers[0], pointers.data());
  throw std::runtime_error(fmt::format("{}: cannot be run: {}", python.string(), std::strerror(errno)));
}

}  // namespace warpbench::harness
