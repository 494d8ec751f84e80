// Measure: takes samples until a stated rule ends the measurement. Samples come from a SampleSource, so that tests can
// inject a clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/record/record.hpp"
#include "harness/record/statistics.hpp"

namespace warpbench::harness {

/// One timed solve.
struct SampleReading {
  double seconds = 0.0;
  Numbers phases;          ///< seconds by phase
  bool throttled = false;  ///< the machine reported that it was slowed down
  Numbers untimed = {};    ///< seconds of work in the midst of the solve that is not in its time, by name
};

class SampleSource {
 public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;

  /// Solves once and returns the time it took.
  virtual SampleReading take() = 0;
  /// Judges the answer of the sample just taken; false ends the measurement. Not timed.
  virtual bool verify() = 0;
  /// Lets a throttled machine recover before the sample is taken again.
  virtual void settle() = 0;
  /// Seconds on a clock that runs during take().
  [[nodiscard]] virtual double now() = 0;
};

struct MeasureRules {
  std::int64_t repetitions = 10;
  std::int64_t minimum_repetitions = 3;
  double target_half_width = 0.02;
  double budget_seconds = 300.0;  ///< for all take() calls together; no sample is begun that would exceed it
};

struct Measurement {
  std::vector<double> samples;
  MedianInterval interval;
  Drift drift;
  Numbers phases;          ///< median over the samples, by phase
  Numbers untimed;         ///< the same of untimed work
  std::string stopped_by;  ///< half_width, repetitions, timeout; "wrong" if verify() rejected an answer
  std::int64_t retaken = 0;
  std::int64_t throttled_kept = 0;  ///< samples kept although throttled, because retaking did not help
};

/// Takes at least one sample. Exceptions of take() pass through.
Measurement measure(SampleSource& source, const MeasureRules& rules);

/// The median time of measuring nothing, times ten: a shorter time says more about the clock than about the solver.
double resolution_floor();

}  // namespace warpbench::harness
