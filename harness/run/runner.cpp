#include "harness/run/runner.hpp"
#include "harness/record/readable_duration.hpp"
#include "solvers/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "device/device.hpp"
#include "harness/machine/environment.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/subreaper.hpp"
#include "harness/record/ceiling_share.hpp"
#include "harness/record/unverified.hpp"
#include "harness/run/group_run.hpp"
#include "harness/run/probe.hpp"
#include "harness/run/progress.hpp"
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
  Runner(const Plan& plan, const RunOptions& options, SharedProbe& probe)
      : plan_(plan),
        options_(options),
        probe_(probe),
        directory_(options.out, plan),
        pending_(find_pending()),
        progress_(pending_.size(), stderr) {}

  RunSummary run() {
    const ResultsContent& found = directory_.results().found();
    if (found.cut_bytes > 0) {
      progress_.note(fmt::format("{}: the last line was cut after {} bytes, as a killed run leaves it; it was removed",
                                 (options_.out / "results.jsonl").string(), found.cut_bytes));
    }
    for (const Record& record : latest_records(found.records)) static_cast<void>(unverified_.contradictions(record));
    if (summary_.resumed > 0) progress_.note(fmt::format("{} trials were finished before", summary_.resumed));
    if (!pending_.empty()) settle_environment();
    for (std::size_t group = 0; group < plan_.groups.size() && !summary_.interrupted; ++group) run_group(group);
    summary_.interrupted = summary_.interrupted || (InterruptGuard::requests() > 0 && !pending_.empty());
    return summary_;
  }

 private:
  /// The trials to run; counts the others as resumed.
  std::set<std::size_t> find_pending() {
    std::map<std::string, Status> finished;
    for (const Record& record : directory_.results().found().records) finished[record.trial] = record.outcome.status;
    std::set<std::size_t> pending;
    for (std::size_t i = 0; i < plan_.trials.size(); ++i) {
      const auto known = finished.find(plan_.trials[i].id);
      if (known == finished.end() || known->second == Status::interrupted || options_.retry.contains(known->second)) {
        pending.insert(i);
      } else {
        ++summary_.resumed;
        ++summary_.by_status[known->second];
      }
    }
    return pending;
  }

  void settle_environment() {
    Environment now = host_environment();
    if (const std::optional<Environment>& first = directory_.environment()) {
      environment_ = *first;
      now.machine = machine_name(now.cpu, query_gpus());
      if (now.machine != environment_.machine || now.cpu.model != environment_.cpu.model ||
          now.backend != environment_.backend) {
        throw FileError(fmt::format("{}: was begun on {} ({}, {}); this is {} ({}, {}); choose another --out",
                                    options_.out.string(), environment_.machine, environment_.cpu.model,
                                    environment_.backend, now.machine, now.cpu.model, now.backend));
      }
      revision_ = now.git.revision;
      if (revision_ != environment_.git.revision) {
        progress_.note(fmt::format("note: this program is of revision {}, the run was begun by {}", revision_,
                                   environment_.git.revision));
      }
      return;
    }
    progress_.begin(options_.measure_ceilings ? "measuring what this machine can do" : "looking at this machine");
    const ProbeResult& probed = probe_.result();
    for (const std::string& note : probed.notes) progress_.note(note);
    now.gpus = probed.gpus;
    now.ceilings = probed.ceilings;
    now.machine = machine_name(now.cpu, now.gpus);
    now.trials = static_cast<std::int64_t>(plan_.trials.size());
    directory_.write_environment(now);
    environment_ = now;
    revision_ = now.git.revision;
  }

  void run_group(std::size_t group) {
    std::vector<std::size_t> trials;
    for (const std::size_t trial : plan_.groups[group].trials) {
      if (pending_.contains(trial)) trials.push_back(trial);
    }
    if (trials.empty()) return;
    progress_.begin(fmt::format("preparing {}", label_of(plan_, plan_.trials[trials.front()])));
    GroupEvents events;
    events.started = [this](std::size_t trial) { progress_.begin(label_of(plan_, plan_.trials.at(trial))); };
    events.finished = [this](std::size_t trial, const Outcome& outcome, const std::optional<DatasetFacts>& dataset) {
      record(plan_.trials.at(trial), outcome, dataset);
    };
    const Trial& first = plan_.trials[trials.front()];
    std::string& failure = reference_failures_[{first.problem, first.dataset, first.task.canonical()}];
    GroupRun group_run(plan_, trials, options_, events, directory_.log(group), failure);
    if (!group_run.run()) summary_.interrupted = true;
    if (group_run.reference_failure() == failure) return;
    failure = group_run.reference_failure();
    progress_.note(fmt::format("{} has no reference, so its answers are unverified: {}",
                               plan_.datasets.at(first.dataset).name, failure));
  }

  void record(const Trial& trial, const Outcome& outcome, const std::optional<DatasetFacts>& dataset) {
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
    record.protocol = plan_.protocol;
    record.outcome = outcome;
    record.ceiling = ceiling_share(record, environment_.ceilings);
    directory_.results().append(record);
    ++summary_.by_status[outcome.status];
    progress_.end(label_of(plan_, trial), outcome.status,
                  outcome.reason.empty() ? readable_duration(outcome.time->median) + remark_on_unverified(outcome)
                                         : outcome.reason);
    for (const std::string& contradiction : unverified_.contradictions(record)) progress_.note(contradiction);
  }

  const Plan& plan_;
  const RunOptions& options_;
  SharedProbe& probe_;
  RunSummary summary_;
  RunDirectory directory_;
  std::set<std::size_t> pending_;
  /// By problem, dataset and task: why the reference failed; "" where it did not.
  std::map<std::tuple<std::string, std::size_t, std::string>, std::string> reference_failures_;
  UnverifiedNumbers unverified_;
  Progress progress_;
  Environment environment_;
  std::string revision_;
};

}  // namespace

RunSummary run(const Plan& plan, const RunOptions& options) {
  SharedProbe probe(options.measure_ceilings);
  return run(plan, options, probe);
}

RunSummary run(const Plan& plan, const RunOptions& options, SharedProbe& probe) {
  const InterruptGuard interrupt;
  const Subreaper reaper;
  return Runner(plan, options, probe).run();
}

}  // namespace warpbench::harness
