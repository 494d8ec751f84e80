// Judging over a whole run: references that groups share, and samples of a trial that contradict each other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/runner.hpp"
#include "support/fake_problem.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

class Judging : public ::testing::Test {
 protected:
  Judging() {
    options_.out = directory_.path() / "run";
    options_.data = directory_.path();
    options_.measure_ceilings = false;
  }

  /// The references that were computed while three groups ran, a line each.
  std::string references_computed() {
    const fs::path log = directory_.path() / "references";
    const fs::path temporary = directory_.path() / "temporary";
    fs::create_directory(temporary);
    EXPECT_EQ(::setenv("FAKE_REFERENCE_LOG", log.c_str(), 1), 0);
    EXPECT_EQ(::setenv("TMPDIR", temporary.c_str(), 1), 0);
    const RunSummary summary = run(fake_plan({"right", "digesting", "clocked"}), options_);
    EXPECT_EQ(::unsetenv("FAKE_REFERENCE_LOG"), 0);
    EXPECT_EQ(::unsetenv("TMPDIR"), 0);
    EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::ok, 3}}));
    EXPECT_TRUE(fs::is_empty(temporary)) << "what a run keeps for itself goes with it";
    return read_file(log);
  }

  TemporaryDirectory directory_;
  RunOptions options_;
};

TEST_F(Judging, AReferenceIsComputedOnceWithACache) {
  options_.cache = directory_.path() / "cache";
  EXPECT_EQ(references_computed(), "right\n");
  EXPECT_TRUE(fs::exists(options_.cache / "references"));
}

TEST_F(Judging, AReferenceIsComputedOnceWithoutACache) {
  EXPECT_EQ(references_computed(), "right\n");
}

TEST_F(Judging, AReferenceIsComputedOnceWithACacheThatCannotBeWritten) {
  options_.cache = directory_.path() / "cache";
  fs::create_directory(options_.cache);
  replace_file(options_.cache / "references", "no folder");
  EXPECT_EQ(references_computed(), "right\n");
}

TEST_F(Judging, SamplesThatContradictEachOtherWhereNothingIsVerifiedAreWrong) {
  run(fake_plan({"wavers"}), options_);
  const Outcome outcome = read_results(options_.out / kResultsFile).records.at(0).outcome;
  EXPECT_STREQ(to_string(outcome.status), "wrong");
  EXPECT_EQ(outcome.reason, "sample 3: unverified_parts is 1, and was 0 in an earlier sample");
  EXPECT_EQ(outcome.judgement->verdict, Verdict::wrong);
}

}  // namespace
}  // namespace warpbench::harness
