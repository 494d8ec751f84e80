#include "harness/worker.hpp"

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "harness/durable.hpp"
#include "harness/failure.hpp"
#include "harness/prepared_group.hpp"
#include "harness/processes.hpp"
#include "harness/trial_run.hpp"

namespace warpbench::harness {
namespace {

class Worker {
 public:
  Worker(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
         const MessageWriter& parent)
      : plan_(plan),
        trials_(trials),
        options_(options),
        parent_(parent),
        group_(plan, plan.trials.at(trials.front()), options) {}

  void run() {
    if (set_up()) run_trials();
    parent_.send(MessageType::done);
  }

 private:
  /// Everything before the first trial. False where no trial can run; then the parent was told.
  bool set_up() {
    std::string stage = "looking for a device";
    try {
      group_.need_device();
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

  void load() {
    parent_.send(MessageType::dataset, 0, to_json(group_.load()));
    group_.make_instance(
        [this](bool begins) { parent_.send(begins ? MessageType::verifying : MessageType::measuring); });
  }

  /// Makes the solver with the parameters of the first trial that it accepts.
  bool make_contest() {
    for (; next_ < trials_.size(); ++next_) {
      try {
        group_.make_contest(plan_.trials.at(trials_[next_]).parameters);
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
    prepared_ = group_.prepare();
    parent_.send(MessageType::prepared);
    return true;
  }

  void run_trials() {
    for (; next_ < trials_.size(); ++next_) {
      const Trial& trial = plan_.trials.at(trials_[next_]);
      parent_.send(MessageType::started, static_cast<std::uint32_t>(trials_[next_]));
      TrialRun run(group_.stage(trial));
      Outcome outcome = run.outcome();
      outcome.prepare = prepared_;
      outcome.work = group_.work();
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
  PreparedGroup group_;
  std::optional<PrepareFacts> prepared_;
  std::size_t next_ = 0;
};

}  // namespace

void work(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
          const MessageWriter& parent) {
  Worker(plan, trials, options, parent).run();
}

}  // namespace warpbench::harness
