// Measure: takes samples until a stated rule ends them. Where samples come from is behind SampleSource, so that the
// rules can be tested with an injected clock; Google Benchmark drives each sample with manual time.
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
};

class SampleSource {
 public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;

  /// Solves once and says how long that took.
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
  double budget_seconds = 300.0;  ///< for take(), all samples together; a sample is not begun that would exceed it
};

struct Measurement {
  std::vector<double> samples;
  MedianInterval interval;
  Drift drift;
  Numbers phases;          ///< median over the samples, by phase
  std::string stopped_by;  ///< half_width, repetitions, timeout; "wrong" where verify() said no
  std::int64_t retaken = 0;
  std::int64_t throttled_kept = 0;  ///< kept although throttled, since retaking did not help
};

/// At least one sample is taken. What take() throws comes through.
Measurement measure(SampleSource& source, const MeasureRules& rules);

/// The median time of measuring nothing, times ten: a shorter time says more of the clock than of the solver.
double resolution_floor();

}  // namespace warpbench::harness
