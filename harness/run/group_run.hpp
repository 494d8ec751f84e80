// GroupRun: runs one group of trials in as many worker processes as needed and gives each trial exactly one outcome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/process/child.hpp"
#include "harness/process/oom_kills.hpp"
#include "harness/record/record.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {

/// The bytes that a worker may use on a machine (or in a control group) that has `usable` bytes.
[[nodiscard]] double host_memory_limit(const Protocol& protocol, std::int64_t usable);

/// Callbacks to the runner. The dataset's facts are nullopt until a worker has loaded it.
struct GroupEvents {
  std::function<void(std::size_t trial)> started;
  std::function<void(std::size_t trial, const Outcome&, const std::optional<DatasetFacts>&)> finished;
};

/// Runs a group under the protocol's time and memory limits. A worker that breaks costs the trial it was running. A
/// failure before the first trial (loading, preparing) affects all trials alike, so every pending trial gets its
/// status; but what a preparation does not support may be a parameter of one trial, and the next is tried. A judgement
/// that takes too long or too much memory is taken for a failure of the reference: the trial runs again without one. A
/// worker that breaks between trials is replaced once; then the rest is given up.
class GroupRun {
 public:
  /// `reference_failure` is as in ReferenceRules.
  GroupRun(const Plan& plan, std::vector<std::size_t> pending, const RunOptions& options, GroupEvents events,
           std::filesystem::path log, std::string reference_failure);

  /// Returns true when every trial has its outcome. Returns false if the user interrupted: the running trial is then
  /// reported as interrupted, and the remaining ones are not reported.
  bool run();

  /// Why the reference failed, here or before; "" where it did not.
  [[nodiscard]] const std::string& reference_failure() const { return reference_failure_; }

 private:
  enum class Activity { preparing, measuring, verifying, profiling, between };

  bool run_worker();
  std::string accept(const Message& message);
  void handle(const Message& message);
  void enter(Activity activity);
  [[nodiscard]] Child::Clock::time_point deadline() const;
  [[nodiscard]] std::string activity_text() const;
  void end_trial(std::size_t trial, Outcome outcome);
  void break_off(Status status, const std::string& reason);
  bool go_on_without_reference(const std::string& reason);
  void handle_exit(const ChildEnd& end);
  void handle_timeout(Child& child);

  const Plan& plan_;
  std::vector<std::size_t> pending_;
  const RunOptions& options_;
  GroupEvents events_;
  std::filesystem::path log_;
  std::string reference_failure_;
  std::optional<DatasetFacts> dataset_;

  // State of the current worker.
  Activity activity_ = Activity::preparing;
  std::optional<std::size_t> current_;
  std::size_t finished_here_ = 0;
  bool done_ = false;
  std::optional<OomKills> oom_kills_before_;
  Child::Clock::time_point activity_start_;
  double measured_seconds_ = 0.0;  ///< of the running trial, without judging
  int fruitless_ = 0;              ///< workers in a row that broke between trials
};

}  // namespace warpbench::harness
