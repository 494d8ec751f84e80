#include "harness/run/group_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "datasets/io/usable_memory.hpp"
#include "harness/process/crash_stack.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/status.hpp"
#include "harness/run/worker.hpp"
#include "solvers/external/error_output.hpp"
#include "solvers/external/temporary_folder.hpp"

namespace warpbench::harness {
namespace {

constexpr std::chrono::milliseconds kGrace(2000);
/// A worker ends a trial itself when its time is up; the parent steps in if it is this much late.
constexpr double kTimeoutSlackSeconds = 0.25;
/// The same for a worker's profiler, which may have to be killed in the middle of a GPU call.
constexpr double kProfilerSlackSeconds = 30.0;

std::string with_output(std::string reason, const std::string& tail) {
  if (!tail.empty()) reason += fmt::format("; it printed last: {}", tail);
  return reason;
}

}  // namespace

double host_memory_limit(const Protocol& protocol, std::int64_t usable) {
  // Beyond that the machine swaps or its killer chooses a victim, which may be another user's program.
  constexpr double kShare = 7.0 / 8.0;
  return protocol.host_memory_bytes > 0 ? protocol.host_memory_bytes : kShare * static_cast<double>(usable);
}

GroupRun::GroupRun(const Plan& plan, std::vector<std::size_t> pending, const RunOptions& options, GroupEvents events,
                   std::filesystem::path log, std::string reference_failure)
    : plan_(plan),
      pending_(std::move(pending)),
      options_(options),
      events_(std::move(events)),
      log_(std::move(log)),
      reference_failure_(std::move(reference_failure)) {}

bool GroupRun::run() {
  while (!pending_.empty()) {
    const bool goes_on = run_worker();
    remove_abandoned_folders();  // those of a worker that was killed
    if (!goes_on) return false;
  }
  return true;
}

bool GroupRun::run_worker() {
  current_.reset();
  finished_here_ = 0;
  done_ = false;
  enter(Activity::preparing);
  oom_kills_before_ = count_oom_kills();
  const std::vector<std::size_t> trials = pending_;
  Child child(
      [this, &trials](const MessageWriter& parent) {
        set_error_log(log_);
        work(plan_, trials, options_, reference_failure_, parent);
      },
      log_, host_memory_limit(plan_.protocol, datasets::usable_memory_bytes()));
  for (;;) {
    const Child::News news = child.wait(deadline());
    using Kind = Child::News::Kind;
    switch (news.kind) {
      case Kind::message:
        if (const std::string fault = accept(news.message); !fault.empty()) {
          break_off(Status::crash, with_output(fmt::format("the worker sent nonsense ({})", fault),
                                               child.stop(std::chrono::milliseconds(0)).output_tail));
          return true;
        }
        if (news.message.type == MessageType::finished) child.acknowledge();
        break;
      case Kind::ended:
        handle_exit(child.finish());
        return true;
      case Kind::deadline:
        handle_timeout(child);
        return true;
      case Kind::memory_limit: {
        const std::string reason =
            with_output(fmt::format("the worker exceeded the protocol's host_memory{} while {}: {}",
                                    plan_.protocol.host_memory_bytes > 0 ? "" : ", 7/8 of this machine's,",
                                    activity_text(), news.detail),
                        child.stop(std::chrono::milliseconds(0)).output_tail);
        if (!go_on_without_reference(reason)) break_off(Status::oom_host, reason);
        return true;
      }
      case Kind::damaged:
        break_off(Status::crash, with_output(fmt::format("the worker's memory or pipe is corrupted ({}) while {}",
                                                         news.detail, activity_text()),
                                             child.stop(std::chrono::milliseconds(0)).output_tail));
        return true;
      case Kind::interrupted:
        // A trial that did not finish has no result, even if it was already judged.
        if (const ChildEnd end = child.stop(kGrace); current_) {
          Outcome outcome;
          outcome.status = Status::interrupted;
          outcome.reason =
              with_output(fmt::format("the user ended the run while {}", activity_text()), end.output_tail);
          end_trial(*current_, outcome);
        }
        return false;
    }
  }
}

std::string GroupRun::accept(const Message& message) {
  try {
    const bool about_trial = message.type == MessageType::started || message.type == MessageType::finished;
    if (about_trial && std::ranges::find(pending_, message.trial) == pending_.end()) return "a trial not its own";
    handle(message);
    return "";
  } catch (const RecordError& error) {
    return error.what();
  }
}

void GroupRun::handle(const Message& message) {
  switch (message.type) {
    case MessageType::dataset:
      dataset_ = dataset_from(message.text);
      break;
    case MessageType::prepared:
      enter(Activity::between);
      break;
    case MessageType::preparing:
      enter(Activity::preparing);
      break;
    case MessageType::started:
      current_ = message.trial;
      measured_seconds_ = 0.0;
      enter(Activity::measuring);
      events_.started(*current_);
      break;
    case MessageType::verifying:
      enter(Activity::verifying);
      break;
    case MessageType::measuring:
      enter(Activity::measuring);
      break;
    case MessageType::no_reference:
      reference_failure_ = message.text;
      break;
    case MessageType::profiling:
      enter(Activity::profiling);
      break;
    case MessageType::finished:
      end_trial(message.trial, outcome_from(message.text));
      current_.reset();
      ++finished_here_;
      fruitless_ = 0;
      enter(Activity::between);
      break;
    case MessageType::failed: {
      const Outcome outcome = outcome_from(message.text);
      for (const std::size_t trial : std::vector<std::size_t>(pending_)) end_trial(trial, outcome);
      break;
    }
    case MessageType::done:
      done_ = true;
      enter(Activity::between);
      break;
  }
}

void GroupRun::enter(Activity activity) {
  const auto now = Child::Clock::now();
  if (activity_ == Activity::measuring)
    measured_seconds_ += std::chrono::duration<double>(now - activity_start_).count();
  activity_ = activity;
  activity_start_ = now;
}

Child::Clock::time_point GroupRun::deadline() const {
  double seconds = plan_.protocol.prepare_timeout_seconds;
  if (activity_ == Activity::measuring) {
    seconds = std::max(0.0, plan_.protocol.timeout_seconds - measured_seconds_) + kTimeoutSlackSeconds;
  }
  if (activity_ == Activity::profiling) seconds += kProfilerSlackSeconds;
  if (done_) seconds = std::chrono::duration<double>(kGrace).count();
  return activity_start_ + std::chrono::duration_cast<Child::Clock::duration>(std::chrono::duration<double>(seconds));
}

std::string GroupRun::activity_text() const {
  switch (activity_) {
    case Activity::preparing:
      return dataset_ ? "preparing the solver" : "loading the dataset";
    case Activity::measuring:
      return "solving";
    case Activity::verifying:
      return "judging the answer";
    case Activity::profiling:
      return "reading its hardware counters";
    case Activity::between:
      return "between two trials";
  }
  return "";
}

void GroupRun::end_trial(std::size_t trial, Outcome outcome) {
  std::erase(pending_, trial);
  if (outcome.status != Status::ok && outcome.reason.empty()) outcome.reason = "no reason was given";
  events_.finished(trial, outcome, dataset_);
}

void GroupRun::break_off(Status status, const std::string& reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = reason;
  if (current_) {
    end_trial(*current_, outcome);
    return;
  }
  ++fruitless_;
  if (activity_ == Activity::between && finished_here_ > 0 && fruitless_ < 2) return;
  for (const std::size_t trial : std::vector<std::size_t>(pending_)) end_trial(trial, outcome);
}

/// The first time that judging fails: returns true, and the running trial stays pending.
bool GroupRun::go_on_without_reference(const std::string& reason) {
  if (activity_ != Activity::verifying || !reference_failure_.empty()) return false;
  reference_failure_ = reason;
  return true;
}

void GroupRun::handle_exit(const ChildEnd& end) {
  if (done_ && !current_) return;  // the worker broke after its last message, when nothing could be lost
  std::string reason = fmt::format("{} while {}", end.describe(), activity_text());
  bool out_of_memory = false;
  // We ourselves kill a worker only after we have noted why.
  if (end.signalled && end.code == SIGKILL) {
    const KillCause cause = cause_of_kill(oom_kills_before_, count_oom_kills());
    out_of_memory = cause.out_of_memory;
    reason += ", " + cause.explanation;
  }
  if (out_of_memory && go_on_without_reference(reason)) return;
  break_off(out_of_memory ? Status::oom_host : Status::crash, with_output(reason, with_named_stack(end.output_tail)));
}

void GroupRun::handle_timeout(Child& child) {
  const Activity activity = activity_;
  const std::string doing = activity_text();
  const ChildEnd end = child.stop(kGrace);
  if (done_) return;  // it hung after its last message
  const double limit =
      activity == Activity::measuring ? plan_.protocol.timeout_seconds : plan_.protocol.prepare_timeout_seconds;
  const Status status = activity == Activity::verifying ? Status::unverified : Status::timeout;
  const std::string reason = with_output(fmt::format("more than {} s while {}", limit, doing), end.output_tail);
  if (go_on_without_reference(reason)) return;
  break_off(status, reason);
}

}  // namespace warpbench::harness
