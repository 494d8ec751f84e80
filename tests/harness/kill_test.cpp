// kill -9 at random moments. After each kill all finished records are there and whole. The resumed run ends with the
// same results as one that was never killed, and each kill wastes at most one trial.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "harness/plan/plan.hpp"
#include "harness/process/child.hpp"
#include "harness/process/processes.hpp"
#include "harness/process/subreaper.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/runner.hpp"
#include "support/fake_problem.hpp"
#include "support/temporary_directory.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const auto kKills = static_cast<int>(testing::usual_or_thorough(80, 200));

/// Sixty trials of milliseconds, in groups of five, some of them failing.
Plan quick_plan() {
  std::vector<std::string> solvers;
  for (int group = 0; group < 12; ++group) {
    const char* solver = group % 6 == 5 ? "throw_error" : group % 6 == 2 ? "wrong" : "right";
    for (int i = 0; i < 5; ++i) solvers.push_back(solver + (":" + std::to_string(100 * group + i)));
  }
  Plan plan = fake_plan(solvers);
  plan.protocol.repetitions = 2;
  plan.protocol.minimum_repetitions = 1;
  return plan;
}

std::map<std::string, Status> statuses(const std::vector<Record>& records) {
  std::map<std::string, Status> found;
  for (const Record& record : records) found[record.trial] = record.outcome.status;
  return found;
}

std::size_t lines_of(const fs::path& file) {
  std::ifstream stream(file);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>(), '\n'));
}

class KillTest : public ::testing::Test {
 protected:
  KillTest() {
    options_.cache = directory_.path() / "cache";
    options_.data = directory_.path();
    options_.measure_ceilings = false;
  }

  pid_t start() const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int code = 7;
    // Hides the progress lines of hundreds of runs.
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): stderr stays what it is, there is nothing to own
    if (::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(code);
    try {
      code = run(plan_, options_).interrupted ? 3 : 0;
    } catch (const std::exception&) {
      code = 8;
    }
    ::_exit(code);
  }

  /// Waits until all descendants are gone, and reaps the adopted ones. Returns false after three seconds.
  static bool nobody_left() {
    const auto give_up = Clock::now() + std::chrono::seconds(3);
    for (;;) {
      const pid_t reaped = ::waitpid(-1, nullptr, WNOHANG);
      if (reaped < 0 && errno == ECHILD) return true;
      if (Clock::now() > give_up) return false;
      if (reaped == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void wait_for_first_record() const {
    const fs::path results = options_.out / "results.jsonl";
    const auto give_up = Clock::now() + std::chrono::seconds(20);
    while ((!fs::exists(results) || read_results(results).records.empty()) && Clock::now() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  TemporaryDirectory directory_;
  RunOptions options_;
  Plan plan_ = quick_plan();
};

TEST_F(KillTest, LosesRepeatsAndCorruptsNothing) {
  const Subreaper adopt_orphans;
  const char* chosen = std::getenv("WARPBENCH_TEST_SEED");
  const auto seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : std::random_device()();
  std::cout << "seed " << seed << " (WARPBENCH_TEST_SEED repeats it)" << std::endl;
  std::mt19937_64 random(seed);
  const fs::path trial_log = directory_.path() / "trials";
  ASSERT_EQ(::setenv("FAKE_TRIAL_LOG", trial_log.c_str(), 1), 0);

  options_.out = directory_.path() / "whole";
  const auto start_whole = Clock::now();
  const pid_t whole = start();
  int status = 0;
  ASSERT_EQ(::waitpid(whole, &status, 0), whole);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const double whole_ms = std::chrono::duration<double, std::milli>(Clock::now() - start_whole).count();
  const auto expected = statuses(read_results(options_.out / "results.jsonl").records);
  ASSERT_EQ(expected.size(), plan_.trials.size());
  const std::size_t starts_whole = lines_of(trial_log);

  int kills = 0;
  int suites = 0;
  std::size_t starts_allowed = starts_whole;
  while (kills < kKills) {
    options_.out = directory_.path() / ("killed-" + std::to_string(suites++));
    std::string before;
    for (bool finished = false; !finished;) {
      const pid_t child = start();
      ASSERT_GT(child, 0);
      if (kills < kKills) {
        // Up to a third of a whole run, so that a suite is killed several times.
        std::uniform_real_distribution<double> delay(0.0, whole_ms / 3.0);
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay(random)));
        ASSERT_TRUE(::kill(child, SIGKILL) == 0 || errno == ESRCH);
      }
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      finished = WIFEXITED(status);
      if (finished) {
        ASSERT_EQ(WEXITSTATUS(status), 0);
      } else {
        ++kills;
        ++starts_allowed;
      }
      ASSERT_TRUE(nobody_left()) << "a worker outlived its killed parent";
      const fs::path file = options_.out / "results.jsonl";
      if (!fs::exists(file)) continue;
      const ResultsContent content = read_results(file);  // throws if anything is corrupt
      const std::string now = read_file(file).substr(0, content.whole_bytes);
      ASSERT_TRUE(now.starts_with(before)) << "a finished record was lost or changed";
      before = now;
    }
    starts_allowed += starts_whole;
    const ResultsContent content = read_results(options_.out / "results.jsonl");
    EXPECT_EQ(content.records.size(), plan_.trials.size()) << "a trial was recorded twice";
    EXPECT_EQ(statuses(content.records), expected);
    const RunReport report = verify_run(options_.out);
    for (const std::string& problem : report.problems) {  // the plan has a solver that answers wrongly
      EXPECT_NE(problem.find("its answer was wrong"), std::string::npos) << problem;
    }
  }
  EXPECT_LE(lines_of(trial_log), starts_allowed) << "more than one trial per kill was run again";
  testing::print_figure(fmt::format("{} kills over {} suites of {} trials; {} trial starts, {} allowed", kills, suites,
                                    plan_.trials.size(), lines_of(trial_log), starts_allowed));
  ASSERT_EQ(::unsetenv("FAKE_TRIAL_LOG"), 0);
}

TEST_F(KillTest, AWorkerInALongSolveDiesWithTheHarness) {
  const Subreaper adopt_orphans;
  options_.out = directory_.path() / "run";
  plan_ = fake_plan({"right:0", "right:60000000"});
  const pid_t child = start();
  ASSERT_GT(child, 0);
  wait_for_first_record();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(nobody_left());
}

TEST_F(KillTest, AKilledWorkerCostsOnlyItsTrial) {
  // Kills the worker instead of the harness, as a stranger may; that is no sign of too little memory.
  options_.out = directory_.path() / "run";
  plan_ = fake_plan({"right:0", "right:20000000", "right:1"});
  const pid_t child = start();
  ASSERT_GT(child, 0);
  const fs::path results = options_.out / "results.jsonl";
  wait_for_first_record();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const std::set<pid_t> workers = children_of(child);
  ASSERT_EQ(workers.size(), 1U);
  ASSERT_EQ(::kill(*workers.begin(), SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const auto records = read_results(results).records;
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].outcome.status, Status::ok);
  EXPECT_EQ(records[1].outcome.status, Status::crash);
  EXPECT_TRUE(records[1].outcome.reason.starts_with("SIGKILL (Killed) while solving, by "))
      << records[1].outcome.reason;
  EXPECT_EQ(records[2].outcome.status, Status::ok);
}

}  // namespace
}  // namespace warpbench::harness
