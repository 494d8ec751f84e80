// BenchmarkDriver: runs one sample inside Google Benchmark's timing loop with manual time. A single benchmark of one
// iteration is registered and run once per sample, so that verification and the stopping rule stay outside the loop.
#pragma once

#include <functional>

#include "harness/measure/measure.hpp"

namespace warpbench::harness {

class BenchmarkDriver {
 public:
  BenchmarkDriver();
  BenchmarkDriver(const BenchmarkDriver&) = delete;
  BenchmarkDriver& operator=(const BenchmarkDriver&) = delete;
  ~BenchmarkDriver();

  /// Calls `take` once and returns its result with the seconds that Google Benchmark reports. Throws what `take`
  /// throws.
  SampleReading drive(const std::function<SampleReading()>& take);
};

}  // namespace warpbench::harness
