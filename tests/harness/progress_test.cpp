// Progress lines, the labels of trials in them, and words for a shell.
#include "harness/run/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/shell_words.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/plan/trial_labels.hpp"
#include "harness/run/progress_line.hpp"
#include "tests/harness/support/spec_home.hpp"

namespace warpbench::harness {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const {
    std::fclose(file);  // NOLINT(cppcoreguidelines-owning-memory): as its owner, File
  }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

TEST(Progress, ALogHasALineForEachTrialOfTheWholeCommand) {
  char* text = nullptr;
  std::size_t size = 0;
  File log(::open_memstream(&text, &size));
  ASSERT_NE(log, nullptr);
  {
    Progress progress(5, log.get());
    EXPECT_EQ(progress.remaining(), "");
    progress.begin("not shown");
    progress.end({"one", "tiny", true, "merge"}, Status::ok, "3 ms");
    progress.skip(2);
    progress.end({"two", "tiny", true, "merge"}, Status::crash, "why");
    EXPECT_NE(progress.remaining(), "");
    progress.end({"two", "tiny", true, "bmp"}, Status::ok, "");
    EXPECT_EQ(progress.remaining(), "0 s") << "skipped trials count as done";
  }
  log.reset();
  const std::string printed(text, size);
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory): as open_memstream wants it
  EXPECT_EQ(printed, "[1/5] one: tiny merge: ok (3 ms)\n[4/5] two: tiny merge: crash (why)\n[5/5] two: tiny bmp: ok\n");
}

/// The bytes that are printed on a terminal of 80 columns.
std::string on_a_terminal(const std::function<void(Progress&)>& act) {
  const int screen = ::posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_TRUE(screen >= 0 && ::grantpt(screen) == 0 && ::unlockpt(screen) == 0);
  File terminal(::fopen(::ptsname(screen), "w"));
  EXPECT_NE(terminal, nullptr);
  std::string printed;
  {
    Progress progress(1, terminal.get());
    act(progress);
    std::fprintf(terminal.get(), "|");  // what is printed next
    std::fflush(terminal.get());
    std::array<char, 4096> block{};
    // A terminal may give what was printed in several parts.
    for (ssize_t count = 1; count > 0 && !printed.ends_with('|');) {
      count = ::read(screen, block.data(), block.size());
      printed.append(block.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
  }
  terminal.reset();
  ::close(screen);
  return printed;
}

TEST(Progress, LeavesTheTerminalsLineToWhatPrintsNext) {
  const std::string printed = on_a_terminal([](Progress& progress) {
    progress.begin({"one", "tiny", true, "merge"});
    progress.clear();
  });
  EXPECT_EQ(printed, "[1/1] one: merge, 0 s elapsed\r\033[K|");
}

TEST(Progress, ALineFitsTheTerminal) {
  const std::vector<std::string> times{", 3 s elapsed, about 9 s left", ", 9 s left"};
  const auto line = [&](const TrialLabel& trial, std::size_t columns) {
    return fitted({"[1/2] ", trial, "", times}, columns);
  };
  const TrialLabel one{"yu2023/figure-4.4", "sift1m-like-in-a-tenth", false, "hnsw ef=64 k=10"};
  EXPECT_EQ(line(one, 120),
            "[1/2] yu2023/figure-4.4: sift1m-like-in-a-tenth hnsw ef=64 k=10, 3 s elapsed, about 9 s left");
  EXPECT_EQ(line(one, 80), "[1/2] yu2023…re-4.4: sift1m-…-tenth hnsw ef=64 k=10, 3 s elapsed, about 9 s left");
  EXPECT_EQ(line(one, 70), "[1/2] yu2023/figure-4.4: sift1m-li…n-a-tenth hnsw ef=64 k=10, 9 s left");
  EXPECT_EQ(line(one, 50), "[1/2] yu20…4.4: sift…nth hnsw ef=64 k=10, 9 s left");
  EXPECT_EQ(line(one, 42), "[1/2] sift1…enth hnsw ef=64 k=10, 9 s left");
  EXPECT_EQ(line(one, 30), "[1/2] sift…nth hnsw ef=64 k=10");
  EXPECT_EQ(line(one, 24), "[1/2] hnsw ef=64 k=10");
  EXPECT_EQ(line(one, 20), "[1/2] hnsw ef=64 k=…");
  TrialLabel alone = one;
  alone.only_dataset = true;
  EXPECT_EQ(line(alone, 80), "[1/2] yu2023/figure-4.4: hnsw ef=64 k=10, 3 s elapsed, about 9 s left");
  EXPECT_EQ(fitted({"[1/2] ", one, ", preparing", {}}, 45), "[1/2] sift1m…tenth hnsw ef=64 k=10, preparing");
}

TEST(Progress, NamesLoseTheirMiddlesByWholeLetters) {
  EXPECT_EQ(without_middle("short", 5), "short");
  EXPECT_EQ(without_middle("shorter", 5), "sh…er");
  EXPECT_EQ(without_middle("äöüßäöü", 4), "äö…ü");
  EXPECT_EQ(without_middle("ab", 1), "…");
}

TEST(Progress, NoWidthHidesWhatTellsTrialsApart) {
  const TrialLabel one{"an/experiment-of-a-long-name", "dataset-of-a-long-name", false, "bmp threads=16 ratio=1 k=100"};
  for (std::size_t columns = 36; columns < 140; ++columns) {
    const std::string line = fitted({"[10/99] ", one, "", {", 3 s elapsed", ", 3 s"}}, columns);
    EXPECT_NE(line.find(one.solver), std::string::npos) << columns << ": " << line;
    const auto inner =
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
    EXPECT_LE(line.size() - static_cast<std::size_t>(inner), columns) << line;
  }
}

TEST(Progress, LabelsHaveWhatDiffersBetweenTrials) {
  const Plan plan = load_plan(kSpecHome / "configs" / "demo" / "table-1.yaml", {"/nonexistent", {}, kSpecHome});
  const TrialLabels labels(plan);
  EXPECT_EQ(labels.of(plan.trials.front()).text(), "demo/table-1: tiny plain k=5");
  const auto tuned = std::ranges::find(plan.trials, "tuned", &Trial::solver);
  EXPECT_EQ(labels.of(*tuned).text(), "demo/table-1: tiny tuned depth=4 ef=32 graph=nsw ratio=1 k=5");
  EXPECT_EQ(labels.of(*tuned).only_dataset, plan.datasets.size() == 1);
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
  EXPECT_EQ(portable_command(std::vector<std::string>{"/opt/old version/wb", "run", "quick"}), "warpbench run quick");
  EXPECT_EQ(portable_command({}), "");
}

}  // namespace
}  // namespace warpbench::harness
