// Times are what they claim to be: a sample is as long as its solve, and a trial costs little more than its samples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/runner.hpp"
#include "support/fake_problem.hpp"
#include "support/temporary_directory.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::harness {
namespace {

class TimesTest : public ::testing::Test {
 protected:
  TimesTest() {
    options_.data = directory_.path();
    options_.cache = directory_.path() / "cache";
    options_.measure_ceilings = false;
  }

  /// The seconds that `count` trials of a solver take that does nothing, all in one worker.
  double seconds_of_empty_trials(int count) {
    std::vector<std::string> solvers;
    for (int i = 0; i < count; ++i) solvers.emplace_back("right");
    Plan plan = fake_plan(solvers);
    plan.protocol.warmup = 0;
    plan.protocol.repetitions = 1;
    plan.protocol.minimum_repetitions = 1;
    options_.out = directory_.path() / fmt::format("run-{}", runs_++);
    const auto start = std::chrono::steady_clock::now();
    run(plan, options_);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(read_results(options_.out / "results.jsonl").records.size(), solvers.size());
    return seconds.count();
  }

  struct Lengths {
    std::vector<double> samples;
    std::vector<double> own;  ///< by the solver's clock
  };
  /// Of nine solves by one of the solvers that read a clock, in seconds.
  Lengths lengths_of(const std::string& solver) {
    const std::filesystem::path log = directory_.path() / fmt::format("lengths-{}", runs_);
    Plan plan = fake_plan({solver});
    plan.protocol.warmup = 0;
    plan.protocol.repetitions = 9;
    plan.protocol.minimum_repetitions = 9;
    plan.protocol.target_half_width = 0;  // no early end
    options_.out = directory_.path() / fmt::format("run-{}", runs_++);
    EXPECT_EQ(::setenv("FAKE_CLOCK_LOG", log.c_str(), 1), 0);
    run(plan, options_);
    EXPECT_EQ(::unsetenv("FAKE_CLOCK_LOG"), 0);
    const Outcome outcome = read_results(options_.out / "results.jsonl").records.at(0).outcome;
    if (!outcome.time) throw std::runtime_error(outcome.reason);
    std::ifstream file(log);
    return {outcome.time->samples, std::vector<double>(std::istream_iterator<double>(file), {})};
  }

  TemporaryDirectory directory_;
  RunOptions options_;

 private:
  int runs_ = 0;
};

TEST_F(TimesTest, OfSolvesAreWhatTheirOwnClockSays) {
  for (const std::string solver : {"clocked", "gpu_clocked"}) {
    for (const int delay_us : {0, 10, 100, 1'000, 10'000, 100'000}) {
      // The shorter solves are only shown: a sanitizer or a busy machine adds microseconds to any of them, and so does
      // the launch of a kernel, which takes most on a CPU. A busy machine can spoil the median of a run, not of three.
      const bool is_long = delay_us >= (solver == "clocked" ? 1'000 : 100'000);
      double share = 1;
      for (int attempt = 0; attempt < 3 && share > 0.01; ++attempt) {
        const auto [samples, lengths] = lengths_of(fmt::format("{}:{}", solver, delay_us));
        ASSERT_EQ(samples.size(), lengths.size());
        std::vector<double> errors;
        for (std::size_t i = 0; i < samples.size(); ++i) {
          EXPECT_GE(samples[i], 0.999 * lengths[i]) << solver;
          errors.push_back(std::abs(samples[i] - lengths[i]));
        }
        const double length = median(lengths);
        const double error = median(errors);
        share = error / length;
        testing::print_figure(fmt::format("solve of {:.4g} ms by {}: median error {:.2g} us, {:.2g} %", 1e3 * length,
                                          solver, 1e6 * error, 100 * share));
        if (!is_long) break;
      }
      if (is_long) {
        EXPECT_LE(share, 0.01) << solver << ' ' << delay_us;
      }
    }
  }
}

TEST_F(TimesTest, OfTrialsAreLittleMoreThanTheirSamples) {
  constexpr int kFew = 10;
  constexpr int kMany = 110;
  const double few = seconds_of_empty_trials(kFew);  // with the start of a worker, the dataset and the reference
  const double many = seconds_of_empty_trials(kMany);
  const double each = (many - few) / (kMany - kFew);
  testing::print_figure(
      fmt::format("{:.3g} ms per empty trial; {:.3g} ms for a run of {}", 1e3 * each, 1e3 * few, kFew));
  EXPECT_LT(each, 0.2) << "ten times the 20 ms that are promised, for the sake of busy machines";
}

}  // namespace
}  // namespace warpbench::harness
