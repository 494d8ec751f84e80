#include "harness/measure/benchmark_driver.hpp"

#include <benchmark/benchmark.h>

#include <exception>
#include <stdexcept>
#include <vector>

namespace warpbench::harness {
namespace {

constexpr const char* kName = "sample";

/// The function that the registered benchmark runs, and its outcome. Global, because Google Benchmark's registry is.
struct Slot {
  const std::function<SampleReading()>* take = nullptr;
  SampleReading reading;
  std::exception_ptr error;
};
Slot slot;

void run_sample(benchmark::State& state) {
  for (auto iteration : state) {
    static_cast<void>(iteration);
    try {
      slot.reading = (*slot.take)();
      state.SetIterationTime(slot.reading.seconds);
    } catch (...) {
      slot.error = std::current_exception();
      state.SkipWithError("the solver threw");
      break;
    }
  }
}

/// Stores the reported time and prints nothing.
class Reporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) seconds = run.real_accumulated_time;
      ++reported;
    }
  }
  double seconds = 0.0;
  int reported = 0;
};

}  // namespace

BenchmarkDriver::BenchmarkDriver() {
  if (benchmark::RegisterBenchmark(kName, run_sample)->UseManualTime()->Iterations(1)->Repetitions(1) == nullptr) {
    throw std::logic_error("Google Benchmark did not register a benchmark");
  }
}

BenchmarkDriver::~BenchmarkDriver() {
  benchmark::ClearRegisteredBenchmarks();
}

SampleReading BenchmarkDriver::drive(const std::function<SampleReading()>& take) {
  slot = Slot{&take, {}, nullptr};
  Reporter reporter;
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter, kName);
  if (slot.error) std::rethrow_exception(slot.error);
  if (matched != 1 || reporter.reported != 1) throw std::logic_error("Google Benchmark did not run the sample once");
  SampleReading reading = slot.reading;
  reading.seconds = reporter.seconds;
  return reading;
}

}  // namespace warpbench::harness
