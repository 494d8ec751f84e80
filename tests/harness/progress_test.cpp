// Progress lines, the labels of trials in them, and words for a shell.
#include "harness/run/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/machine/shell_words.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/plan/trial_labels.hpp"
#include "tests/harness/support/spec_home.hpp"

namespace warpbench::harness {
namespace {

TEST(Progress, ALogHasALineForEachTrialOfTheWholeCommand) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const log = ::open_memstream(&text, &size);
  ASSERT_NE(log, nullptr);
  {
    Progress progress(5, log);
    EXPECT_EQ(progress.remaining(), "");
    progress.begin("not shown");
    progress.end("one: tiny merge", Status::ok, "3 ms");
    progress.skip(2);
    progress.end("two: tiny merge", Status::crash, "why");
    EXPECT_NE(progress.remaining(), "");
    progress.end("two: tiny bmp", Status::ok, "");
    EXPECT_EQ(progress.remaining(), "0 s") << "skipped trials count as done";
  }
  std::fclose(log);
  const std::string printed(text, size);
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): as open_memstream wants it
  EXPECT_EQ(printed, "[1/5] one: tiny merge: ok (3 ms)\n[4/5] two: tiny merge: crash (why)\n[5/5] two: tiny bmp: ok\n");
}

TEST(Progress, ALineFitsTheTerminal) {
  EXPECT_EQ(fitted("[1/2] a trial", ", 3 s elapsed", 80), "[1/2] a trial, 3 s elapsed");
  EXPECT_EQ(fitted("[1/2] a trial with a very long name", ", 3 s elapsed", 40),
            "[1/2] a trial with a very l, 3 s elapsed");
  EXPECT_EQ(fitted("[1/2] a trial with a name", ", 3 s elapsed", 20), "[1/2] a trial with a");
  EXPECT_EQ(fitted("ab\u00e9", "", 3), "ab") << "no half of a letter";
}

TEST(Progress, LabelsHaveWhatDiffersBetweenTrials) {
  const Plan plan = load_plan(kSpecHome / "configs" / "demo" / "table-1.yaml", {"/nonexistent", {}, kSpecHome});
  const TrialLabels labels(plan);
  EXPECT_EQ(labels.of(plan.trials.front()), "demo/table-1: tiny plain k=5");
  const auto tuned = std::ranges::find(plan.trials, "tuned", &Trial::solver);
  EXPECT_EQ(labels.of(*tuned), "demo/table-1: tiny tuned depth=4 ef=32 graph=nsw ratio=1 k=5");
}

TEST(Progress, CommandsCanBeCopiedIntoAShell) {
  EXPECT_EQ(quoted("results/run-1/spec.yaml"), "results/run-1/spec.yaml");
  EXPECT_EQ(quoted("protocol.repetitions=3"), "protocol.repetitions=3");
  EXPECT_EQ(quoted("it's here"), "'it'\\''s here'");
  EXPECT_EQ(quoted(""), "''");
}

TEST(ShellWords, OfARunLeaveOutItsFolders) {
  EXPECT_EQ(portable_command(std::vector<std::string>{"/home/u/build/warpbench", "run", "quick", "--out", "/tmp/a b",
                                                      "--set", "datasets=[a, b]", "--cache=/tmp/c", "--data", "d",
                                                      "--retry", "timeout"}),
            "warpbench run quick --set 'datasets=[a, b]' --retry timeout");
  EXPECT_EQ(portable_command(std::vector<std::string>{"warpbench", "run", "--outer", "--out"}),
            "warpbench run --outer");
  EXPECT_EQ(portable_command({}), "");
}

}  // namespace
}  // namespace warpbench::harness
