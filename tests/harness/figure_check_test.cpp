// The check of figures before a run: what is said where it cannot be made.
#include "harness/cli/figure_check.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/process/command_output.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The plots' Python is a script here.
class FigureCheck : public ::testing::Test {
 protected:
  [[nodiscard]] FigureFaults faults_by(const std::string& script) const {
    const fs::path python = directory_.path() / "python";
    std::ofstream(python) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(python, fs::perms::owner_all);
    Plan plan;
    plan.spec_text = "experiment: a\nfigure: {kind: bars}\n";
    return faults_of_figures({plan}, std::chrono::milliseconds(300), python);
  }

  TemporaryDirectory directory_;
};

TEST_F(FigureCheck, ThatTakesTooLongIsGivenUp) {
  const auto start = Clock::now();
  const FigureFaults faults = faults_by("sleep 30");
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
  EXPECT_TRUE(faults.sentences.empty());
  EXPECT_EQ(faults.unchecked,
            "figures: not checked, as that was not done after 0.3 s (`run --no-figures` leaves it out)");
}

TEST_F(FigureCheck, ThatFailsSaysSo) {
  EXPECT_NE(faults_by("exit 3").unchecked.find("Python is missing or fails"), std::string::npos);
  const FigureFaults faults = faults_by("cat >/dev/null; echo one; echo two");
  EXPECT_EQ(faults.unchecked, "");
  EXPECT_EQ(faults.sentences, (std::vector<std::string>{"one", "two"}));
}

TEST(CommandOutput, IsNotWaitedForLongerThanIsAsked) {
  const auto start = Clock::now();
  // The program that it starts holds the output open.
  EXPECT_EQ(output_of({"sh", "-c", "sleep 30 & sleep 30"}, "", std::chrono::milliseconds(100)), std::nullopt);
  EXPECT_EQ(output_of({"sh", "-c", "exec >&-; sleep 30"}, "", std::chrono::milliseconds(100)), std::nullopt);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(output_of({"cat"}, "said", std::chrono::seconds(60)), "said");
}

}  // namespace
}  // namespace warpbench::harness
