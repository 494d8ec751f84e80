// The rules that end a measurement, driven by an injected clock: no test here measures real time.
#include "harness/measure/measure.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warpbench::harness {
namespace {

/// Returns the samples it was given, on a clock that only they advance.
class FakeSource final : public SampleSource {
 public:
  explicit FakeSource(std::vector<double> samples) : samples_(std::move(samples)) {}

  SampleReading take() override {
    log += "t";
    if (throw_at >= 0 && static_cast<int>(taken) == throw_at) throw std::runtime_error("solver failed");
    const double seconds = samples_[taken % samples_.size()];
    ++taken;
    clock += seconds;
    return {seconds, {{"phase", seconds / 2}}, throttled > 0 && throttled-- > 0};
  }
  bool verify() override {
    log += "v";
    clock += 1000.0;  // judging takes long and must not count
    return wrong_at < 0 || static_cast<int>(taken) <= wrong_at;
  }
  void settle() override { log += "s"; }
  double now() override { return clock; }

  std::string log;
  std::size_t taken = 0;
  double clock = 0.0;
  int throw_at = -1;
  int wrong_at = -1;
  int throttled = 0;

 private:
  std::vector<double> samples_;
};

TEST(Measure, EndsAtTheRepetitionsIfNoiseStays) {
  FakeSource source({1.0, 2.0, 3.0});
  const Measurement m = measure(source, {10, 3, 0.02, 1e9});
  EXPECT_EQ(m.stopped_by, "repetitions");
  EXPECT_EQ(m.samples.size(), 10U);
  EXPECT_EQ(source.log, "tvtvtvtvtvtvtvtvtvtv") << "each sample is judged, after it was timed";
  EXPECT_DOUBLE_EQ(m.samples[1], 2.0) << "the time is the source's";
  EXPECT_DOUBLE_EQ(m.phases.at("phase"), 1.0);
}

TEST(Measure, EndsEarlyIfTheIntervalIsNarrow) {
  FakeSource source({1.0, 1.001});
  const Measurement m = measure(source, {100, 3, 0.02, 1e9});
  EXPECT_EQ(m.stopped_by, "half_width");
  EXPECT_EQ(m.samples.size(), 6U) << "fewer than six samples give no 95 % interval";
  EXPECT_LE(m.interval.relative_half_width(), 0.02);
}

TEST(Measure, KeepsTheMinimumOfRepetitions) {
  FakeSource source({1.0});
  EXPECT_EQ(measure(source, {100, 20, 0.02, 1e9}).samples.size(), 20U);
}

TEST(Measure, DoesNotBeginASampleThatWouldExceedTheBudget) {
  FakeSource source({1.0, 3.0});
  const Measurement m = measure(source, {100, 3, 1e-9, 9.5});
  EXPECT_EQ(m.stopped_by, "timeout");
  EXPECT_EQ(m.samples.size(), 4U) << "1+3+1+3 = 8, and a median sample more would be 10";
}

TEST(Measure, TakesAtLeastOneSample) {
  FakeSource source({5.0});
  const Measurement m = measure(source, {10, 3, 0.02, 0.0});
  EXPECT_EQ(m.samples.size(), 1U);
  EXPECT_EQ(m.stopped_by, "timeout");
}

TEST(Measure, TakesThrottledSamplesAgainAndCountsThem) {
  FakeSource source({1.0, 2.0});
  source.throttled = 2;
  const Measurement m = measure(source, {4, 3, 1e-9, 1e9});
  EXPECT_EQ(m.retaken, 2);
  EXPECT_EQ(m.samples.size(), 4U);
  EXPECT_EQ(source.log.substr(0, 6),
            "tstst"
            "v");
  EXPECT_EQ(m.throttled_kept, 0);
}

TEST(Measure, KeepsThrottledSamplesIfRetakingDoesNotHelp) {
  FakeSource source({1.0, 2.0});
  source.throttled = 1000;
  const Measurement m = measure(source, {3, 3, 1e-9, 1e9});
  EXPECT_EQ(m.retaken, 3);
  EXPECT_EQ(m.throttled_kept, 3);
  EXPECT_EQ(m.samples.size(), 3U);
}

TEST(Measure, EndsAtAWrongAnswer) {
  FakeSource source({1.0});
  source.wrong_at = 2;
  const Measurement m = measure(source, {10, 3, 1e-9, 1e9});
  EXPECT_EQ(m.stopped_by, "wrong");
  EXPECT_EQ(m.samples.size(), 3U);
}

TEST(Measure, LetsTheSolversExceptionThroughAndCanMeasureAgain) {
  FakeSource bad({1.0});
  bad.throw_at = 1;
  EXPECT_THROW(static_cast<void>(measure(bad, {10, 3, 1e-9, 1e9})), std::runtime_error);
  FakeSource good({1.0});
  EXPECT_EQ(measure(good, {2, 1, 1e-9, 1e9}).samples.size(), 2U);
}

TEST(Measure, FlagsDrift) {
  std::vector<double> rising;
  for (int i = 0; i < 12; ++i) rising.push_back(1.0 + 0.02 * i);
  FakeSource source(rising);
  EXPECT_TRUE(measure(source, {12, 12, 1e-9, 1e9}).drift.flagged);
}

TEST(ResolutionFloor, IsPositiveAndFarBelowAMillisecond) {
  EXPECT_GE(resolution_floor(), 0.0);
  EXPECT_LT(resolution_floor(), 1e-3);
}

}  // namespace
}  // namespace warpbench::harness
