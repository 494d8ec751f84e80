#include "harness/run/worker.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "harness/measure/profile.hpp"
#include "harness/process/durable.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/status.hpp"
#include "harness/run/failure.hpp"
#include "harness/run/prepared_group.hpp"
#include "harness/run/trial_run.hpp"
#include "solvers/solver.hpp"

namespace warpbench::harness {
namespace {

using Seconds = std::chrono::duration<double>;

class Worker {
 public:
  Worker(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
         std::string reference_failure, const MessageWriter& parent)
      : plan_(plan),
        trials_(trials),
        options_(options),
        reference_failure_(std::move(reference_failure)),
        parent_(parent),
        group_(plan, plan.trials.at(trials.front()), options) {}

  void run() {
    if (set_up()) run_trials();
    parent_.send(MessageType::done);
  }

 private:
  /// Does everything before the first trial. Returns false if no trial can run; the parent has then been told.
  bool set_up() {
    std::string stage = "looking for a device";
    try {
      group_.need_device();
      stage = "loading the dataset";
      load();
      stage = "preparing the solver";
      return make_ready();
    } catch (const FileError&) {
      throw;
    } catch (...) {
      fail_all(failure_from(std::current_exception(), stage));
      return false;
    }
  }

  void load() {
    parent_.send(MessageType::dataset, 0, to_json(group_.load()));
    group_.make_instance(reference_failure_, [this](bool begins) {
      parent_.send(begins ? MessageType::verifying : MessageType::measuring);
    });
  }

  /// Makes the solver with the parameters of the first trial that it accepts.
  bool make_solver() {
    for (; next_ < trials_.size(); ++next_) {
      try {
        group_.make_solver(plan_.trials.at(trials_[next_]).parameters);
        return true;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (...) {
        send_failure(trials_[next_], failure_from(std::current_exception(), "constructing the solver"));
      }
    }
    return false;
  }

  /// Makes and prepares the solver with the parameters of the first trial that it supports: a list may be too short for
  /// k in one trial, and long enough in the next.
  bool make_ready() {
    while (make_solver()) {
      try {
        prepared_ = group_.prepare();
        parent_.send(MessageType::prepared);
        return true;
      } catch (const Unsupported&) {
        send_failure(trials_[next_++], failure_from(std::current_exception(), "preparing the solver"));
        parent_.send(MessageType::preparing);
      }
    }
    return false;
  }

  void run_trials() {
    for (; next_ < trials_.size(); ++next_) {
      const Trial& trial = plan_.trials.at(trials_[next_]);
      parent_.send(MessageType::started, static_cast<std::uint32_t>(trials_[next_]));
      TrialRun run(group_.context(trial));
      Outcome outcome = run.outcome();
      tell_of_reference();
      outcome.prepare = prepared_;
      add_profile(trial, run.profiled_part(), outcome);
      parent_.send(MessageType::finished, static_cast<std::uint32_t>(trials_[next_]), to_json(outcome));
      parent_.wait_for_acknowledgement();
      // An exception leaves the solver in an unknown state, and a GPU error the whole context.
      if (run.threw()) return;
    }
  }

  /// So that no later worker of the run computes a reference that failed.
  void tell_of_reference() {
    if (group_.reference_failure() == reference_failure_) return;
    reference_failure_ = group_.reference_failure();
    parent_.send(MessageType::no_reference, 0, reference_failure_);
  }

  /// Adds hardware counters, which cover `covers`, if the protocol asks for them and this machine can read them.
  /// Failing to read them does not fail the trial. During profiling this process still holds its solver and its memory
  /// on the device.
  void add_profile(const Trial& trial, const std::string& covers, Outcome& outcome) const {
    const Protocol& protocol = plan_.protocol;
    const bool wanted = (protocol.profile || protocol.profile_transactions) && group_.solver().device != Target::cpu;
    if (!wanted || options_.ncu.empty() || outcome.status != Status::ok) return;
    parent_.send(MessageType::profiling);
    try {
      const Numbers counters = profile(options_.ncu, options_.out / "logs" / (trial.id + ".ncu.csv"),
                                       solve_command(trial, outcome), Seconds(protocol.prepare_timeout_seconds),
                                       protocol.profile ? CounterSet::all : CounterSet::transactions);
      outcome.counters.insert(counters.begin(), counters.end());
      outcome.profile_covers = covers;
    } catch (const std::exception& error) {
      fmt::print(stderr, "{} is not profiled: {}\n", label_of(plan_, trial), error.what());
    }
  }

  /// How much longer parts of an answer may take under ncu: three queries of many launches that take 0.3 s alone did
  /// not end in 3 s each there.
  static constexpr int kPatience = 100;

  /// This program's command line that solves `trial` alone. It reads the run directory's spec, which includes the
  /// suite's replacements and the overrides, so it makes the same trials. If answers are exact, the profiled solve must
  /// give the same digest: with less memory or time it might give up some queries.
  std::vector<std::string> solve_command(const Trial& trial, const Outcome& outcome) const {
    // Resolved here, because inside ncu /proc/self/exe would be ncu.
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"), "solve", options_.out / "spec.yaml",
                                   trial.id};
    const auto add = [&words](const char* option, const std::string& value) {
      if (!value.empty()) words.insert(words.end(), {option, value});
    };
    const JudgementFacts facts = outcome.judgement.value_or(JudgementFacts{});
    if (facts.verdict == Verdict::exact && facts.digest) add("--digest", fmt::format("{:016x}", *facts.digest));
    add("--data", options_.data);
    add("--cache", options_.cache);
    add("--threads", std::to_string(options_.threads));
    add("--max-inflation", std::to_string(options_.max_inflation));
    add("--patience", std::to_string(kPatience));
    return words;
  }

  void send_failure(std::size_t trial, const Failure& failure) {
    parent_.send(MessageType::started, static_cast<std::uint32_t>(trial));
    parent_.send(MessageType::finished, static_cast<std::uint32_t>(trial), to_json(outcome_of(failure)));
    parent_.wait_for_acknowledgement();
  }

  void fail_all(const Failure& failure) { parent_.send(MessageType::failed, 0, to_json(outcome_of(failure))); }

  Outcome outcome_of(const Failure& failure) const {
    Outcome outcome;
    outcome.status = failure.status;
    outcome.reason = failure.reason;
    outcome.memory.host_peak = peak_memory_use();
    return outcome;
  }

  const Plan& plan_;
  const std::vector<std::size_t>& trials_;
  const RunOptions& options_;
  std::string reference_failure_;
  const MessageWriter& parent_;
  PreparedGroup group_;
  std::optional<PrepareFacts> prepared_;
  std::size_t next_ = 0;
};

}  // namespace

void work(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
          const std::string& reference_failure, const MessageWriter& parent) {
  Worker(plan, trials, options, reference_failure, parent).run();
}

}  // namespace warpbench::harness
