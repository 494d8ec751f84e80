#include "harness/worker.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "build_info.hpp"
#include "datasets/source.hpp"
#include "device/device.hpp"
#include "device/stream.hpp"
#include "harness/cpu_affinity.hpp"
#include "harness/durable.hpp"
#include "harness/failure.hpp"
#include "harness/identity.hpp"
#include "harness/processes.hpp"
#include "harness/trial_run.hpp"
#include "harness/verifier.hpp"
#include "problems/problem.hpp"

namespace warpbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Worker {
 public:
  Worker(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
         const MessageWriter& parent)
      : plan_(plan),
        trials_(trials),
        options_(options),
        parent_(parent),
        first_(plan.trials.at(trials.front())),
        problem_(*find_problem(first_.problem)),
        solver_(*problem_.solver(first_.solver)) {}

  void run() {
    if (set_up()) run_trials();
    parent_.send(MessageType::done);
  }

 private:
  /// Everything before the first trial. False where no trial can run; then the parent was told.
  bool set_up() {
    std::string stage = "looking for a device";
    try {
      need_device();
      stage = "loading the dataset";
      load();
      stage = "preparing the solver";
      return make_contest() && prepare();
    } catch (const FileError&) {
      throw;
    } catch (...) {
      fail_all(failure_from(std::current_exception(), stage));
      return false;
    }
  }

  void need_device() const {
    if (plan_.protocol.device_memory_bytes > 0) {
      set_memory_limit(static_cast<std::int64_t>(plan_.protocol.device_memory_bytes));
    }
    if (solver_.device == Target::cpu) return;
    if (devices().empty()) throw NoDevice("no GPU was found by the CUDA runtime");
    // The first stream makes the GPU's context, which takes a good part of a second that is not the solver's.
    Stream().synchronize();
  }

  void load() {
    const PlannedDataset& planned = plan_.datasets.at(first_.dataset);
    datasets::LoadOptions load_options;
    load_options.data_dir = options_.data;
    load_options.cache_dir = options_.cache;
    load_options.threads = options_.threads;
    load_options.notice = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
    auto dataset = std::make_shared<const datasets::Dataset>(datasets::load(planned.source, load_options));
    DatasetFacts facts;
    facts.name = planned.name;
    facts.digest = dataset->digest;
    facts.stand_in = dataset->stand_in;
    facts.properties = dataset->properties;
    parent_.send(MessageType::dataset, 0, to_json(facts));
    std::string key = fmt::format("warpbench {} reference of {} {} on {}", build_info::kVersion, first_.problem,
                                  first_.task.canonical(), dataset->digest);
    for (const auto& [name, value] : planned.extra) key += fmt::format(" {}={}", name, warpbench::to_string(value));
    instance_ = problem_.instance(std::move(dataset), first_.task);
    const auto long_work = [this](bool begins) {
      parent_.send(begins ? MessageType::verifying : MessageType::measuring);
    };
    verifier_ = std::make_unique<Verifier>(*instance_, ReferenceCache(options_.cache, first_.problem, key),
                                           options_.threads, long_work);
  }

  /// Makes the solver with the parameters of the first trial that it accepts: the constructor sees all parameters, so
  /// a refusal may concern the solve-parameters of one trial alone.
  bool make_contest() {
    for (; next_ < trials_.size(); ++next_) {
      try {
        contest_ = instance_->contest(first_.solver, plan_.trials.at(trials_[next_]).parameters);
        return true;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (...) {
        send_failure(trials_[next_], failure_from(std::current_exception(), "constructing the solver"));
      }
    }
    return false;
  }

  bool prepare() {
    if (plan_.protocol.pin_threads) fmt::print(stderr, "pinned {} threads\n", pin_openmp_threads());
    Phases phases;
    const auto start = Clock::now();
    contest_->prepare(phases);
    PrepareFacts facts;
    facts.seconds = seconds_since(start);
    facts.phases = phases.seconds();
    prepared_ = std::move(facts);
    parent_.send(MessageType::prepared);
    return true;
  }

  void run_trials() {
    for (; next_ < trials_.size(); ++next_) {
      const Trial& trial = plan_.trials.at(trials_[next_]);
      parent_.send(MessageType::started, static_cast<std::uint32_t>(trials_[next_]));
      TrialRun run({plan_.protocol, trial, solver_, *contest_, *verifier_});
      Outcome outcome = run.outcome();
      outcome.prepare = prepared_;
      outcome.work = instance_->work();
      parent_.send(MessageType::finished, static_cast<std::uint32_t>(trials_[next_]), to_json(outcome));
      parent_.wait_for_acknowledgement();
      // After an exception a solver, and after a GPU error the whole context, is in an unknown state.
      if (run.threw()) return;
    }
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
  const MessageWriter& parent_;
  const Trial& first_;
  const ProblemEntry& problem_;
  const SolverInfo& solver_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Contest> contest_;
  std::unique_ptr<Verifier> verifier_;
  std::optional<PrepareFacts> prepared_;
  std::size_t next_ = 0;
};

}  // namespace

void work(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
          const MessageWriter& parent) {
  Worker(plan, trials, options, parent).run();
}

}  // namespace warpbench::harness
