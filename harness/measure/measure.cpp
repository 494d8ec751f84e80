#include "harness/measure/measure.hpp"

#include <chrono>
#include <map>
#include <utility>

namespace warpbench::harness {
namespace {

/// The rule that ends the measurement now, or "" if none does.
std::string ending_rule(const Measurement& measurement, const MeasureRules& rules) {
  const auto taken = static_cast<std::int64_t>(measurement.samples.size());
  if (taken >= rules.minimum_repetitions && taken < rules.repetitions &&
      median_interval(measurement.samples).relative_half_width() <= rules.target_half_width) {
    return "half_width";
  }
  return taken >= rules.repetitions ? "repetitions" : "";
}

}  // namespace

Measurement measure(SampleSource& source, const MeasureRules& rules) {
  Measurement measurement;
  std::map<std::string, std::vector<double>> phases;
  std::map<std::string, std::vector<double>> untimed;
  for (double spent = 0.0; measurement.stopped_by.empty();) {
    if (!measurement.samples.empty() && spent + median(measurement.samples) > rules.budget_seconds) {
      measurement.stopped_by = "timeout";
      break;
    }
    const double start = source.now();
    SampleReading reading = source.take();
    spent += source.now() - start;
    if (reading.throttled && measurement.retaken < rules.repetitions) {
      ++measurement.retaken;
      source.settle();
      continue;
    }
    measurement.throttled_kept += reading.throttled ? 1 : 0;
    measurement.samples.push_back(reading.seconds);
    for (const auto& [name, seconds] : reading.phases) phases[name].push_back(seconds);
    for (const auto& [name, seconds] : reading.untimed) untimed[name].push_back(seconds);
    measurement.stopped_by = source.verify() ? ending_rule(measurement, rules) : "wrong";
  }
  measurement.interval = median_interval(measurement.samples);
  measurement.drift = drift_of(measurement.samples);
  for (const auto& [name, seconds] : phases) measurement.phases[name] = median(seconds);
  for (const auto& [name, seconds] : untimed) measurement.untimed[name] = median(seconds);
  return measurement;
}

double resolution_floor() {
  using Clock = std::chrono::steady_clock;
  std::vector<double> nothing(101);
  for (double& seconds : nothing) {
    const auto start = Clock::now();
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return 10.0 * median(std::move(nothing));
}

}  // namespace warpbench::harness
