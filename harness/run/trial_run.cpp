#include "harness/run/trial_run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/measure/cache_flusher.hpp"
#include "harness/process/durable.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/solved.hpp"
#include "harness/record/status.hpp"
#include "harness/record/unverified.hpp"

namespace warpbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void solve(const TrialContext& context, Phases& phases) {
  if (context.protocol.include_transfers) {
    context.bound.solve_with_transfers(phases);
  } else {
    context.bound.solve(phases);
  }
}

void upload_untimed(const TrialContext& context) {
  Phases untimed;
  if (!context.protocol.include_transfers) context.bound.upload(untimed);
}

/// Judges the answer of the last solve where it lies on the host.
const Judgement& judge(const TrialContext& context) {
  Phases untimed;
  if (!context.protocol.include_transfers) context.bound.download(untimed);
  return context.verifier.judge(context.bound);
}

/// Reads a GPU's state after each sample; reads nothing without NVML or for a CPU solver.
class GpuWatch {
 public:
  explicit GpuWatch(bool wanted) {
    if (!wanted || backend_name() != "cuda") return;
    static const Nvml nvml(current_device().pci_bus);  // opened once, because that takes longer than a short trial
    nvml_ = &nvml;
  }

  bool throttled() {
    const std::optional<GpuReading> reading = nvml_ != nullptr ? nvml_->read() : std::nullopt;
    if (!reading) return false;
    readings_.push_back(*reading);
    return reading->throttled();
  }

  [[nodiscard]] Numbers facts() const {
    if (readings_.empty()) return {};
    const auto median_of = [this](double GpuReading::*field) {
      std::vector<double> values;
      values.reserve(readings_.size());
      for (const GpuReading& reading : readings_) values.push_back(reading.*field);
      return median(std::move(values));
    };
    std::uint64_t reasons = 0;
    for (const GpuReading& reading : readings_) reasons |= reading.throttle_reasons;
    return {{"sm_clock_mhz", median_of(&GpuReading::sm_clock_mhz)},
            {"memory_clock_mhz", median_of(&GpuReading::memory_clock_mhz)},
            {"power_w", median_of(&GpuReading::power_w)},
            {"temperature_c", median_of(&GpuReading::temperature_c)},
            {"throttle_reasons", static_cast<double>(reasons)}};
  }

 private:
  const Nvml* nvml_ = nullptr;
  std::vector<GpuReading> readings_;
};

/// The failure of an answer that lacks all of its parts, by what stopped most of them. `counters` are those of the
/// solve: `out_of_memory` parts did not fit into device memory, `out_of_host_memory` not into the host's; the time of
/// the others was up.
Failure nothing_solved(const Solved& solved, const Numbers& counters) {
  const auto counted = [&counters](const char* name) {
    const auto found = counters.find(name);
    return found == counters.end() ? std::int64_t{0} : static_cast<std::int64_t>(found->second);
  };
  const std::int64_t device = counted("out_of_memory");
  const std::int64_t host = counted("out_of_host_memory");
  const std::int64_t slow = solved.asked - device - host;
  std::vector<std::string> reasons;
  if (slow > 0) reasons.push_back(fmt::format("the time of {} was up", slow));
  if (device > 0) reasons.push_back(fmt::format("{} did not fit into device memory", device));
  if (host > 0) reasons.push_back(fmt::format("{} did not fit into host memory", host));
  Failure failure{Status::timeout, fmt::format("{}: {}", to_string(solved), fmt::join(reasons, ", "))};
  if (std::max(device, host) > slow) failure.status = device > host ? Status::oom_device : Status::oom_host;
  return failure;
}

/// Takes samples of a solver and judges each. An answer without any of its parts ends the measurement.
class SolverSource final : public SampleSource {
 public:
  explicit SolverSource(const TrialContext& context) : context_(context), watch_(context.solver.device != Target::cpu) {
    if (context.protocol.flush_l2) flusher_.emplace(context.solver.device != Target::cpu);
  }

  /// The answer of the sample before is gone when this one begins.
  SampleReading take() override {
    context_.bound.poison_answer();
    if (flusher_) flusher_->flush();
    SampleReading reading;
    Phases phases;
    const auto start = Clock::now();
    solve(context_, phases);
    reading.seconds = seconds_since(start);
    reading.throttled = watch_.throttled();
    reading.phases = phases.seconds();
    reading.untimed = phases.untimed_seconds();
    for (const auto& [name, seconds] : reading.untimed) reading.seconds -= seconds;
    return reading;
  }

  bool verify() override {
    const Judgement& judgement = judge(context_);
    ++facts_.taken;
    if (facts_.taken == 1) facts_.digest = context_.verifier.last_digest();
    facts_.verdict = judgement.verdict;
    if (const auto solved = solved_of(judgement.metrics, context_.work);
        judgement.verdict != Verdict::wrong && solved && solved->none()) {
      facts_.metrics = judgement.metrics;
      facts_.verified = 0;
      failure_ = nothing_solved(*solved, context_.bound.counters());
      return false;
    }
    if (judgement.verdict != Verdict::wrong) {
      if (std::string contradiction = contradiction_in(judgement); !contradiction.empty()) {
        facts_.verdict = Verdict::wrong;
        facts_.metrics = judgement.metrics;
        facts_.first_difference = std::move(contradiction);
        return false;
      }
    }
    if (judgement.verdict == Verdict::unverified) {
      add_metrics(judgement);
      why_unverified_ = judgement.difference;
      return true;
    }
    if (judgement.verdict == Verdict::wrong) {
      facts_.metrics = judgement.metrics;
      facts_.first_difference = judgement.difference;
      return false;
    }
    ++facts_.verified;
    add_metrics(judgement);
    approximate_ = approximate_ || judgement.verdict == Verdict::approximate;
    if (approximate_) facts_.verdict = Verdict::approximate;
    if (!why_unverified_.empty()) facts_.verdict = Verdict::unverified;
    return true;
  }

  void settle() override { std::this_thread::sleep_for(std::chrono::seconds(2)); }
  double now() override { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

  void warm_up() {
    for (std::int64_t i = 0; i < context_.protocol.warmup; ++i) {
      Phases untimed;
      solve(context_, untimed);
    }
    if (context_.protocol.warmup == 0 || context_.protocol.include_transfers) return;
    Phases untimed;
    context_.bound.download(untimed);  // shows where the answer lies, which the first sample must write anew
  }

  [[nodiscard]] const JudgementFacts& judgement() const { return facts_; }
  /// Why the last answer, although not wrong, is none.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  /// "" where every sample was verified.
  [[nodiscard]] const std::string& why_unverified() const { return why_unverified_; }
  [[nodiscard]] Numbers gpu_facts() const { return watch_.facts(); }

 private:
  /// The metrics become means over the samples that have them.
  void add_metrics(const Judgement& judgement) {
    for (const auto& [name, value] : judgement.metrics) {
      double& mean = facts_.metrics[name];
      mean += (value - mean) / static_cast<double>(++samples_with_[name]);
    }
  }

  /// A sentence for the first unverified number that is another one than in an earlier sample: one of both is wrong.
  /// "" where there is none.
  std::string contradiction_in(const Judgement& judgement) {
    for (const auto& [name, number] : judgement.metrics) {
      if (!name.starts_with(kUnverified)) continue;
      const auto [first, is_new] = unverified_.try_emplace(name, number);
      if (!is_new && first->second != number) {
        return fmt::format("{} is {:.17g}, and was {:.17g} in an earlier sample", name, number, first->second);
      }
    }
    return "";
  }

  TrialContext context_;
  GpuWatch watch_;
  std::optional<CacheFlusher> flusher_;
  JudgementFacts facts_;
  std::map<std::string, std::int64_t> samples_with_;  // a metric
  Numbers unverified_;                                // by metric, of the first sample that has it
  std::string why_unverified_;
  std::optional<Failure> failure_;
  bool approximate_ = false;
};

std::optional<std::int64_t> threads_of(const Parameters& parameters) {
  const auto found = parameters.values().find("threads");
  if (found == parameters.values().end() || !std::holds_alternative<std::int64_t>(found->second)) return std::nullopt;
  const auto threads = std::get<std::int64_t>(found->second);
  return threads > 0 ? threads : omp_get_max_threads();  // as solvers count: a process may have fewer than the machine
}

/// Solvers choose among several precisions by `precision`, between fp16 and fp32 by `half_precision`.
std::optional<std::string> precision_of(const Parameters& parameters) {
  const auto& values = parameters.values();
  if (const auto found = values.find("precision"); found != values.end()) {
    if (const auto* text = std::get_if<std::string>(&found->second)) return *text;
  }
  if (const auto found = values.find("half_precision"); found != values.end()) {
    if (const auto* half = std::get_if<bool>(&found->second)) return *half ? "fp16" : "fp32";
  }
  return std::nullopt;
}

TimeFacts time_facts(const Measurement& measurement, const TrialContext& context) {
  TimeFacts time;
  time.median = measurement.interval.median;
  time.low = measurement.interval.low;
  time.high = measurement.interval.high;
  time.confidence = measurement.interval.confidence;
  time.samples = measurement.samples;
  time.covers = context.protocol.include_transfers ? std::vector<std::string>{"upload", "solve", "download"}
                                                   : std::vector<std::string>{"solve"};
  time.threads = threads_of(context.trial.parameters);
  time.precision = precision_of(context.trial.parameters);
  time.stopped_by = measurement.stopped_by;
  time.retaken = measurement.retaken;
  return time;
}

Numbers extra_facts(const Measurement& measurement, const Verifier& verifier, double reference_before) {
  Numbers extra;
  const double floor = resolution_floor();
  if (measurement.interval.median < floor) extra["below_resolution_floor_s"] = floor;
  for (const auto& [name, seconds] : measurement.untimed) extra[fmt::format("untimed_{}_s", name)] = seconds;
  if (measurement.drift.flagged) extra["drift"] = measurement.drift.relative_change;
  if (measurement.throttled_kept > 0) extra["throttled_samples"] = static_cast<double>(measurement.throttled_kept);
  if (verifier.reference_seconds() > reference_before) {
    extra["reference_s"] = verifier.reference_seconds();
    extra["reference_cached"] = verifier.reference_cached() ? 1.0 : 0.0;
  }
  return extra;
}

MemoryFacts memory_facts(const SolverInfo& solver) {
  MemoryFacts memory;
  memory.host_peak = peak_memory_use();
  if (solver.device != Target::cpu) memory.device_peak = peak_memory_in_use();
  return memory;
}

}  // namespace

Judgement solve_once(const TrialContext& context) {
  context.bound.configure(context.trial.parameters);
  upload_untimed(context);
  Phases untimed;
  SolveProfiler profiler;
  solve(context, untimed);
  context.bound.poison_answer();
  if (context.solver.device == Target::cpu) {
    solve(context, untimed);
  } else {
    profiler.profile([&] { solve(context, untimed); });
  }
  return judge(context);
}

Outcome TrialRun::succeed_or_throw() {
  const double reference_before = context_.verifier.reference_seconds();
  const auto start = Clock::now();
  context_.bound.configure(context_.trial.parameters);
  SolverSource source(context_);
  step_ = "uploading";
  upload_untimed(context_);
  step_ = "warming up";
  source.warm_up();
  step_ = "measuring";
  const Protocol& protocol = context_.protocol;
  const Measurement measurement =
      measure(source, {protocol.repetitions, protocol.minimum_repetitions, protocol.target_half_width,
                       std::max(0.0, protocol.timeout_seconds - seconds_since(start))});
  Outcome outcome;
  outcome.judgement = source.judgement();
  outcome.memory = memory_facts(context_.solver);
  outcome.work = context_.work;
  outcome.counters = context_.bound.counters();
  outcome.facts = context_.bound.facts();
  outcome.nvml = source.gpu_facts();
  outcome.extra = extra_facts(measurement, context_.verifier, reference_before);
  if (source.judgement().verdict == Verdict::wrong) {
    outcome.status = Status::wrong;
    outcome.reason = fmt::format("sample {}: {}", source.judgement().taken, source.judgement().first_difference);
    return outcome;
  }
  if (const std::optional<Failure>& failure = source.failure()) {
    outcome.status = failure->status;
    outcome.reason = failure->reason;
    return outcome;
  }
  outcome.status = source.why_unverified().empty() ? Status::ok : Status::unverified;
  outcome.reason = source.why_unverified();
  outcome.time = time_facts(measurement, context_);
  outcome.phases = measurement.phases;
  return outcome;
}

Outcome TrialRun::outcome() {
  reset_peak_memory_use();
  reset_peak_memory();
  try {
    return succeed_or_throw();
  } catch (const FileError&) {
    throw;
  } catch (...) {
    threw_ = true;
    const Failure failure = failure_from(std::current_exception(), step_);
    Outcome outcome;
    outcome.status = failure.status;
    outcome.reason = failure.reason;
    outcome.work = context_.work;
    outcome.memory = memory_facts(context_.solver);
    return outcome;
  }
}

}  // namespace warpbench::harness
