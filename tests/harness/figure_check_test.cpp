// The check of figures before a run: what is said where it cannot be made.
#include "harness/cli/figure_check.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

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

TEST_F(FigureCheck, ThatIsGivenUpEndsWithAllThatItStarted) {
  const fs::path started = directory_.path() / "started";
  static_cast<void>(faults_by("sleep 60 & echo $! >'" + started.string() + "'; wait"));
  pid_t process = 0;
  std::ifstream(started) >> process;
  ASSERT_GT(process, 0);
  const auto goes_on = [process] {  // who adopts an orphan may leave it a zombie
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    return std::getline(stat, text) && text.find(") Z ") == std::string::npos;
  };
  for (int i = 0; i < 100 && goes_on(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(goes_on());
  if (goes_on()) ::kill(process, SIGKILL);
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
