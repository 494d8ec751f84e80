#include "harness/run/runner.hpp"
#include "harness/record/readable_duration.hpp"
#include "solvers/external/temporary_folder.hpp"
#include "solvers/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "device/device.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/shell_words.hpp"
#include "harness/plan/trial_labels.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/subreaper.hpp"
#include "harness/record/ceiling_share.hpp"
#include "harness/record/solved.hpp"
#include "harness/record/unverified.hpp"
#include "harness/run/finished.hpp"
#include "harness/run/group_run.hpp"
#include "harness/run/probe.hpp"
#include "harness/run/run_directory.hpp"

namespace warpbench::harness {
namespace {

datasets::Properties generator_facts(const datasets::Source& source) {
  const auto* generator = std::get_if<datasets::GeneratorSource>(&source.from);
  if (generator == nullptr) return {};
  datasets::Properties facts = generator->parameters;
  facts["generator"] = generator->generator;
  facts["seed"] = static_cast<std::int64_t>(generator->seed);
  return facts;
}

std::map<std::string, Value> plain_values(const Parameters& parameters) {
  return {parameters.values().begin(), parameters.values().end()};
}

class Runner {
 public:
  Runner(const Plan& plan, const RunOptions& options, SharedProbe& probe, Progress& progress)
      : plan_(plan),
        options_(options),
        probe_(probe),
        progress_(progress),
        labels_(plan),
        directory_(options.out, plan),
        pending_(find_pending()) {}

  RunSummary run() {
    const ResultsContent& found = directory_.results().found();
    progress_.skip(plan_.trials.size() - pending_.size());
    if (found.cut_bytes > 0) {
      progress_.note(fmt::format("{}: the last line was cut after {} bytes, as a killed run leaves it; it was removed",
                                 (options_.out / "results.jsonl").string(), found.cut_bytes));
    }
    const std::vector<std::string>& outside = directory_.outside();
    for (const Record& record : latest_records(found.records)) {
      if (std::ranges::find(outside, record.trial) == outside.end())
        static_cast<void>(unverified_.contradictions(record));
    }
    tell_of_changes();
    if (summary_.resumed > 0) progress_.note(fmt::format("{} trials were finished before", summary_.resumed));
    if (!pending_.empty() || options_.calibrations > 0) settle_environment();
    if (summary_.interrupted) return summary_;
    directory_.adopt(plan_);
    make_spare();
    run_groups(plan_, pending_, [this](const Trial& trial, const Record& record) {
      // It would stand for the samples that the trial has already.
      const bool keeps_older = record.outcome.status == Status::interrupted && continued_.contains(trial.id);
      if (!keeps_older) directory_.results().append(record);
      ends_[trial.id] = {record.outcome.status, record.timed(), record.revision};
      ++summary_.by_status[record.outcome.status];
    });
    calibrate();
    summary_.interrupted = summary_.interrupted || (InterruptGuard::requests() > 0 && !pending_.empty());
    return summary_;
  }

 private:
  using Sink = std::function<void(const Trial&, const Record&)>;

  /// How a trial ended.
  struct End {
    Status status = Status::interrupted;
    bool timed = false;
    std::string revision;  ///< of the program that ran it
  };

  /// So that a reference is computed once for all solvers, also without a cache, or with one that is full or read-only.
  void make_spare() {
    try {
      options_.spare = spare_.emplace().path();
    } catch (const std::system_error& error) {
      progress_.note(fmt::format("without a temporary folder references may be computed again: {}", error.what()));
    }
  }

  /// What differs from the spec that the directory had before.
  void tell_of_changes() {
    if (!continued_.empty()) {
      progress_.note(
          fmt::format("{} finished trials run again: the spec asks for more samples or preparations than they have",
                      continued_.size()));
    }
    if (!directory_.outside().empty()) {
      progress_.note(fmt::format("{}: {} recorded trials are not of this spec; their records stay, but do not count",
                                 (options_.out / kResultsFile).string(), directory_.outside().size()));
    }
  }

  /// The trials to run; counts the others as resumed.
  std::set<std::size_t> find_pending() {
    std::set<std::string> finished;
    for (const Record& record : latest_records(directory_.results().found().records)) {
      ends_[record.trial] = {record.outcome.status, record.timed(), record.revision};
      if (wants_more_samples(plan_.protocol, record) || wants_more_preparations(plan_.protocol, record)) {
        continued_.insert(record.trial);
      }
      if (is_finished(record, plan_.protocol, options_.retry)) finished.insert(record.trial);
    }
    for (const std::string& trial : directory_.outside()) continued_.erase(trial);
    std::set<std::size_t> pending;
    for (std::size_t i = 0; i < plan_.trials.size(); ++i) {
      const std::string& trial = plan_.trials[i].id;
      if (!finished.contains(trial)) {
        pending.insert(i);
      } else {
        ++summary_.resumed;
        ++summary_.by_status[ends_.at(trial).status];
      }
    }
    return pending;
  }

  /// Executes the trials whose time counts again. A round takes all of them, so that executions of one trial are as far
  /// apart in time as those of two runs.
  void calibrate() {
    if (options_.calibrations == 0) return;
    std::map<std::string, int> executions;
    for (const Record& record : directory_.calibration().found().records) {
      if (record.revision == revision_) ++executions[record.trial];
      if (record.outcome.status != Status::ok) ++summary_.failed_further;
    }
    Plan plan = plan_;
    plan.protocol.profile = plan.protocol.profile_transactions = false;
    for (int round = 1; round <= options_.calibrations && !summary_.interrupted; ++round) {
      std::set<std::size_t> pending;
      for (std::size_t i = 0; i < plan_.trials.size(); ++i) {
        const auto end = ends_.find(plan_.trials[i].id);
        const bool measured = end != ends_.end() && end->second.timed && end->second.revision == revision_;
        if (measured && executions[plan_.trials[i].id] < round) pending.insert(i);
      }
      if (pending.empty()) continue;
      progress_.add(pending.size());
      progress_.note(
          fmt::format("calibration, round {} of {}: {} trials again", round, options_.calibrations, pending.size()));
      run_groups(plan, pending, [this, &executions](const Trial& trial, const Record& record) {
        if (record.outcome.status == Status::interrupted) return;
        directory_.calibration().append(record);
        ++executions[trial.id];
        if (record.outcome.status != Status::ok) ++summary_.failed_further;
      });
    }
  }

  /// Writes nothing of a machine that was not looked at to the end.
  void settle_environment() {
    Environment now = host_environment();
    if (const std::optional<Environment>& first = directory_.environment()) {
      environment_ = *first;
      const ProbeResult seen = probe(false);
      summary_.interrupted = seen.interrupted;
      if (summary_.interrupted) return;
      now.machine = machine_name(now.cpu, seen.gpus);
      check_begun_on(now, environment_, options_.out);
      revision_ = now.git.revision;
      if (revision_ != environment_.git.revision) {
        progress_.note(fmt::format("note: this program is of revision {}, the run was begun by {}", revision_,
                                   environment_.git.revision));
      }
      return;
    }
    progress_.begin(options_.measure_ceilings ? "measuring what this machine can do" : "looking at this machine");
    const ProbeResult& probed = probe_.result();
    summary_.interrupted = probed.interrupted;
    if (summary_.interrupted) return;
    for (const std::string& note : probed.notes) progress_.note(note);
    now.gpus = probed.gpus;
    now.ceilings = probed.ceilings;
    now.machine = machine_name(now.cpu, now.gpus);
    now.trials = static_cast<std::int64_t>(plan_.trials.size());
    now.outside = directory_.outside();
    now.spec_crc32 = crc32_of(plan_.spec_text);
    directory_.write_environment(now);
    environment_ = now;
    revision_ = now.git.revision;
  }

  static bool can_be_debugged(Status status) {
    return status == Status::crash || status == Status::gpu_error || status == Status::wrong;
  }

  /// A shell command that runs the trial in its own process.
  [[nodiscard]] std::string debug_command(const Trial& trial) const {
    std::string command = fmt::format("{} solve {} {}", quoted(program_invocation_name),
                                      quoted((options_.out / "spec.yaml").string()), trial.id);
    const datasets::Source& source = plan_.datasets.at(trial.dataset).source;
    if (!datasets::files_of(source).empty()) command += fmt::format(" --data {}", quoted(options_.data.string()));
    return command;
  }

  void run_groups(const Plan& plan, const std::set<std::size_t>& pending, const Sink& sink) {
    for (std::size_t group = 0; group < plan.groups.size() && !summary_.interrupted; ++group) {
      std::vector<std::size_t> trials;
      for (const std::size_t trial : plan.groups[group].trials) {
        if (pending.contains(trial)) trials.push_back(trial);
      }
      if (!trials.empty()) run_group(plan, group, trials, sink);
    }
  }

  void run_group(const Plan& plan, std::size_t group, const std::vector<std::size_t>& trials, const Sink& sink) {
    progress_.begin(labels_.of(plan.trials[trials.front()]), ", preparing");
    GroupEvents events;
    events.started = [this, &plan](std::size_t trial) { progress_.begin(labels_.of(plan.trials.at(trial))); };
    events.finished = [this, &plan, &sink](std::size_t index, const Outcome& outcome,
                                           const std::optional<DatasetFacts>& dataset) {
      const Trial& trial = plan.trials.at(index);
      const Record record = record_of(trial, outcome, dataset);
      sink(trial, record);
      progress_.end(
          labels_.of(trial), outcome.status,
          outcome.time && outcome.reason.empty()
              ? readable_duration(outcome.time->median) + remark_on(solved_of(outcome)) + remark_on_unverified(outcome)
              : outcome.reason);
      if (can_be_debugged(outcome.status)) progress_.note("  to debug it: " + debug_command(trial));
      for (const std::string& contradiction : unverified_.contradictions(record)) progress_.note(contradiction);
    };
    const Trial& first = plan.trials[trials.front()];
    std::string& failure = reference_failures_[{first.problem, first.dataset, first.task.canonical()}];
    GroupRun group_run(plan, trials, options_, events, directory_.log(group), failure);
    if (!group_run.run()) summary_.interrupted = true;
    if (group_run.reference_failure() == failure) return;
    failure = group_run.reference_failure();
    progress_.note(fmt::format("{} has no reference, so its answers are unverified: {}",
                               plan.datasets.at(first.dataset).name, failure));
  }

  Record record_of(const Trial& trial, const Outcome& outcome, const std::optional<DatasetFacts>& dataset) const {
    const SolverInfo& solver = *find_solver(*find_problem(trial.problem), trial.solver);
    const NamedDataset& planned = plan_.datasets.at(trial.dataset);
    Record record;
    record.run = environment_.run;
    record.trial = trial.id;
    record.experiment = plan_.experiment;
    record.problem = trial.problem;
    record.task = plain_values(trial.task);
    if (dataset) record.dataset = *dataset;
    record.dataset.name = planned.name;
    record.dataset.stand_in = record.dataset.stand_in || planned.source.stand_in;
    record.dataset.parameters = generator_facts(planned.source);
    record.solver = {solver.id, to_string(solver.role), to_string(solver.device), plain_values(trial.parameters),
                     to_string(point_of(solver, trial.parameters))};
    record.backend = std::string(backend_name());
    record.machine = environment_.machine;
    record.revision = revision_;
    record.made_at = utc_now();
    record.protocol = plan_.protocol;
    record.outcome = outcome;
    record.ceiling = ceiling_share(record, environment_.ceilings);
    return record;
  }

  const Plan& plan_;
  RunOptions options_;
  std::optional<TemporaryFolder> spare_;
  SharedProbe& probe_;
  Progress& progress_;
  TrialLabels labels_;
  RunSummary summary_;
  RunDirectory directory_;
  std::map<std::string, End> ends_;  ///< by trial
  std::set<std::string> continued_;  ///< finished trials that run again for more samples
  std::set<std::size_t> pending_;
  /// By problem, dataset and task: why the reference failed; "" where it did not.
  std::map<std::tuple<std::string, std::size_t, std::string>, std::string> reference_failures_;
  UnverifiedNumbers unverified_;
  Environment environment_;
  std::string revision_;
};

}  // namespace

RunSummary run(const Plan& plan, const RunOptions& options) {
  SharedProbe probe(options.measure_ceilings);
  Progress progress(plan.trials.size(), stderr);
  return run(plan, options, probe, progress);
}

RunSummary run(const Plan& plan, const RunOptions& options, SharedProbe& probe, Progress& progress) {
  const InterruptGuard interrupt;
  const Subreaper reaper;
  return Runner(plan, options, probe, progress).run();
}

}  // namespace warpbench::harness
