// The verdicts of `compare` keep their error rates on machines whose load drifts and whose times have heavy tails. All
// samples are synthetic: nothing here reads a clock.
#include "harness/record/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/figure.hpp"

namespace warpbench::harness {
namespace {

using Generator = std::mt19937_64;
using Intervals = std::vector<MedianInterval>;

constexpr std::uint64_t kSimulationSeed = 20240607;
constexpr double kMinimumEffect = 0.02;

/// A simulated machine. All values are relative changes of times.
struct Machine {
  std::string name;
  double load = 0.0;         ///< changes from run to run and is common to all trials of a run
  double trial_load = 0.0;   ///< the same for each trial by itself
  double persistence = 0.0;  ///< correlation of load between successive executions
  double placement = 0.0;    ///< differs between processes; heavy-tailed (Student's t, 3 degrees of freedom)
  double noise = 0.0;        ///< of samples; heavy-tailed (Pareto, infinite variance)
  double rise = 0.0;         ///< from the first to the last sample of an execution
};

constexpr int kSamples = 10;

class Simulation {
 public:
  explicit Simulation(const Machine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {}

  /// One execution of each of `trials` trials, `factor` slower than before.
  std::vector<MedianInterval> round(std::size_t trials, double factor) {
    loads_.resize(trials, normal());
    load_ = next(load_);
    std::vector<MedianInterval> executions;
    for (std::size_t i = 0; i < trials; ++i) {
      loads_[i] = next(loads_[i]);
      const double shift = machine_.load * load_ + machine_.trial_load * loads_[i] +
                           machine_.placement * std::student_t_distribution<double>(3.0)(random_);
      std::vector<double> samples(kSamples);
      for (std::size_t k = 0; k < samples.size(); ++k) {
        const double uniform = std::uniform_real_distribution<double>(0.0, 1.0)(random_);
        const double pareto = std::pow(1.0 - uniform, -1.0 / 1.5) - 1.0;
        const double risen = machine_.rise * static_cast<double>(k) / kSamples;
        samples[k] = factor * std::exp(shift + risen) * (1.0 + machine_.noise * pareto);
      }
      executions.push_back(median_interval(samples));
    }
    return executions;
  }

 private:
  double normal() { return std::normal_distribution<double>()(random_); }
  double next(double before) {
    return machine_.persistence * before + std::sqrt(1.0 - machine_.persistence * machine_.persistence) * normal();
  }

  Machine machine_;
  Generator random_;
  double load_ = 0.0;
  std::vector<double> loads_;
};

struct Counts {
  int comparisons = 0;
  int changed = 0;  ///< slower or faster
  int slower = 0;
};

/// Simulates `repeats` pairs of runs of 20 trials, each trial executed `rounds` times in a run, and counts the
/// verdicts.
Counts compare_simulated(const Machine& machine, int repeats, std::size_t rounds, double factor,
                         double assumed_spread = Spread{}.assumed) {
  constexpr std::size_t kTrials = 20;
  Counts counts;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Simulation simulation(machine, kSimulationSeed + static_cast<std::uint64_t>(repeat));
    std::array<std::vector<Intervals>, 2> sides;
    std::vector<double> all_differences;
    for (std::size_t side = 0; side < 2; ++side) {
      sides.at(side).resize(kTrials);
      for (std::size_t round = 0; round < rounds; ++round) {
        const Intervals executions = simulation.round(kTrials, side == 0 ? 1.0 : factor);
        for (std::size_t i = 0; i < kTrials; ++i) sides.at(side)[i].push_back(executions[i]);
      }
      for (const Intervals& executions : sides.at(side)) {
        for (const double difference : differences(executions)) all_differences.push_back(difference);
      }
    }
    const Spread spread{assumed_spread, all_differences.empty() ? 0.0 : median(all_differences)};
    for (std::size_t i = 0; i < kTrials; ++i) {
      const Change change = change_of(ratio_of(sides[0][i], sides[1][i], spread), kMinimumEffect);
      ++counts.comparisons;
      counts.changed += change == Change::slower || change == Change::faster ? 1 : 0;
      counts.slower += change == Change::slower ? 1 : 0;
    }
  }
  return counts;
}

const std::array<Machine, 5> kMachines{{{"quiet", 0.001, 0.001, 0.0, 0.001, 0.005, 0.0},
                                        {"other processes come and go", 0.0, 0.1, 0.0, 0.01, 0.05, 0.02},
                                        {"load changes slowly", 0.02, 0.05, 0.8, 0.01, 0.02, 0.05},
                                        {"placement decides", 0.0, 0.0, 0.0, 0.05, 0.01, 0.0},
                                        {"all at once", 0.05, 0.05, 0.5, 0.03, 0.1, 0.1}}};

TEST(CompareVerdict, IsRarelyAChangeForTheSameProgramOnALoadedMachine) {
  for (const Machine& machine : kMachines) {
    const Counts counts = compare_simulated(machine, 40, 2, 1.0);
    const double share = static_cast<double>(counts.changed) / counts.comparisons;
    testing::print_figure(
        fmt::format("{}: {} of {} called a change", machine.name, counts.changed, counts.comparisons));
    EXPECT_LE(share, 0.05) << machine.name << ", seed " << kSimulationSeed;
  }
}

TEST(CompareVerdict, WouldOftenBeAChangeByTheSamplesAlone) {
  const Counts counts = compare_simulated(kMachines[2], 40, 1, 1.0, 0.0);
  EXPECT_GT(counts.changed, counts.comparisons / 4) << "the simulation is too easy";
}

TEST(CompareVerdict, FindsThreeAndTenPercentOnAQuietMachine) {
  const Counts three = compare_simulated(kMachines[0], 20, 2, 1.03);
  EXPECT_GE(three.slower, three.comparisons * 80 / 100) << "seed " << kSimulationSeed;
  const Counts ten = compare_simulated(kMachines[0], 20, 2, 1.10);
  EXPECT_GE(ten.slower, ten.comparisons * 99 / 100) << "seed " << kSimulationSeed;
  testing::print_figure(fmt::format("found +3 % in {} and +10 % in {} of {} simulated comparisons", three.slower,
                                    ten.slower, ten.comparisons));
}

MedianInterval interval(double median, double half_width = 0.001) {
  return {median, median * (1.0 - half_width), median * (1.0 + half_width), kConfidence, true};
}

Change change_between(const Intervals& before, const Intervals& after, const Spread& spread = {}) {
  return change_of(ratio_of(before, after, spread), kMinimumEffect);
}

TEST(CompareVerdict, IsAmbiguousWithoutCalibrationUnlessASpreadIsAssumed) {
  EXPECT_EQ(change_between({interval(1.0)}, {interval(2.4)}), Change::ambiguous);
  EXPECT_EQ(change_between({interval(1.0)}, {interval(1.25)}, {0.3, 0.0}), Change::ambiguous);
  EXPECT_EQ(change_between({interval(1.0)}, {interval(1.25)}, {0.1, 0.0}), Change::slower);
  EXPECT_EQ(change_between({interval(1.0)}, {interval(1.0 / 1.25)}, {0.1, 0.0}), Change::faster);
  EXPECT_EQ(change_between({interval(1.0)}, {interval(1.01)}, {0.0, 0.0}), Change::same);
}

TEST(CompareVerdict, UsesTheSpreadOfTheTrial) {
  const Intervals calm{interval(1.0), interval(1.002)};
  EXPECT_EQ(change_between(calm, {interval(1.05), interval(1.051)}), Change::slower);
  EXPECT_EQ(change_between(calm, {interval(1.05), interval(1.15)}), Change::ambiguous);
  EXPECT_EQ(change_between(calm, {interval(1.001), interval(1.003)}), Change::same);
  EXPECT_EQ(change_between(calm, {interval(1.05)}), Change::slower) << "one run calibrated: fewer degrees of freedom";
}

TEST(CompareVerdict, UsesTheSpreadOfTheOtherTrials) {
  const Intervals before{interval(1.0), interval(1.001)};
  const Intervals after{interval(1.1), interval(1.101)};
  EXPECT_EQ(change_between(before, after, {0.0, 3.0}), Change::slower);
  EXPECT_EQ(change_between(before, after, {0.0, 40.0}), Change::ambiguous) << "these executions agree by chance";
}

TEST(CompareVerdict, IsAmbiguousBelowTheConfidence) {
  MedianInterval few = interval(3.0);
  few.reached = false;
  EXPECT_EQ(change_between({interval(1.0)}, {few}), Change::ambiguous);
  EXPECT_EQ(change_between({interval(1.0), interval(1.0)}, {interval(3.0), few}), Change::ambiguous);
}

}  // namespace
}  // namespace warpbench::harness
