// Records survive the way to disk and back, and a half-written results file is always noticed.
#include "harness/record/record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "support/results_fixture.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::harness {
namespace {

TEST(Crc32, EqualsThatOfZlib) {
  EXPECT_EQ(crc32_of("123456789"), "cbf43926");
  EXPECT_EQ(crc32_of(""), "00000000");
}

TEST(Record, SurvivesWritingAndReading) {
  for (const Status status : {Status::ok, Status::crash}) {
    const Record record = example("t1", status);
    const std::string line = to_line(record, "deadbeef");
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_NE(line.find(R"("crc32":"deadbeef","own_crc32":")"), std::string::npos) << line;
    EXPECT_TRUE(line.starts_with(R"({"schema":"1.2",)")) << line;
    EXPECT_EQ(to_line(record_from(line), "deadbeef"), line);
    EXPECT_EQ(crc_field(line), "deadbeef");
  }
  const Record back = record_from(to_line(example("t1"), kFirstCrc));
  EXPECT_EQ(back.outcome.judgement->digest, 0xfedcba9876543210ULL);
  EXPECT_EQ(std::get<std::string>(back.task.at("kind")), "a\"b\nc");
  EXPECT_EQ(back.solver.point, "best");
  EXPECT_TRUE(back.protocol.profile);
  EXPECT_EQ(back.outcome.facts.at("program"), "fake 1");
  EXPECT_EQ(back.outcome.profile_covers, "join");
  EXPECT_EQ(back.outcome.prepare->memory.device_peak, 8192);
  EXPECT_EQ(back.outcome.prepare->memory.host_peak, std::nullopt);
  EXPECT_TRUE(back.timed());
}

TEST(Record, KeepsTheNameOfACeilingThatIsExceeded) {
  Record record = example("t1");
  record.ceiling = CeilingShare{"device_gather", std::nullopt};
  const std::string line = to_line(record, kFirstCrc);
  EXPECT_NE(line.find(R"("ceiling":{"name":"device_gather","share":null})"), std::string::npos) << line;
  const Record back = record_from(line);
  ASSERT_TRUE(back.ceiling.has_value());
  EXPECT_EQ(back.ceiling->name, "device_gather");
  EXPECT_FALSE(back.ceiling->share.has_value());
}

TEST(Record, HasNoPointIfOlderThanPoints) {
  Record old = example("t1");
  old.solver.point.clear();
  const std::string line = to_line(old, kFirstCrc);
  EXPECT_EQ(line.find("point"), std::string::npos);
  EXPECT_EQ(record_from(line).solver.point, "");
}

TEST(Record, DoesNotSayWhatCountersCoverWhereThereAreNone) {
  Record old = example("t1");
  old.outcome.profile_covers.clear();
  const std::string line = to_line(old, kFirstCrc);
  EXPECT_EQ(line.find("covers\":\"join"), std::string::npos);
  EXPECT_EQ(record_from(line).outcome.profile_covers, "");
}

TEST(Record, HoldsOnlyNumbersOfJson) {
  Record record = example("t1");
  record.outcome.counters["nan"] = std::nan("");
  record.outcome.reason = "bytes \xff\xfe are not UTF-8";
  const std::string line = to_line(record, kFirstCrc);
  EXPECT_EQ(line.find("nan\":nan"), std::string::npos);
  EXPECT_TRUE(std::isnan(record_from(line).outcome.counters.at("nan")));
}

TEST(Record, RefusesLinesThatAreNotRecords) {
  const std::string line = to_line(example("t1"), kFirstCrc);
  EXPECT_THROW(record_from("{}"), RecordError);
  EXPECT_THROW(record_from("[1,2"), RecordError);
  EXPECT_THROW(record_from(line.substr(0, line.size() - 1)), RecordError);
  std::string status = line;
  status.replace(status.find("\"ok\""), 4, "\"fine\"");
  EXPECT_THROW(record_from(status), RecordError);
  std::string newer = line;
  newer.replace(newer.find(R"("1.)"), 3, R"("2.)");
  try {
    static_cast<void>(record_from(newer));
    FAIL() << "a newer major version was read";
  } catch (const RecordError& error) {
    EXPECT_NE(std::string(error.what()).find("newer"), std::string::npos) << error.what();
  }
}

TEST(Record, HasNoTimeForAGpuSolverOnSimt) {
  Record record = example("t1");
  record.solver.device = "gpu";
  EXPECT_FALSE(record.timed());
  record.backend = "cuda";
  EXPECT_TRUE(record.timed());
}

TEST_F(ResultsFileTest, ChainsLinesByChecksum) {
  const fs::path file = write_three();
  const ResultsContent content = read_results(file);
  EXPECT_EQ(content.records.size(), 3U);
  EXPECT_EQ(content.cut_bytes, 0U);
  const std::string text = read_file(file);
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_EQ(crc_field(first), kFirstCrc);
  const std::string second = text.substr(first.size() + 1, text.find('\n', first.size() + 1) - first.size() - 1);
  EXPECT_EQ(crc_field(second), crc32_of(first));
}

TEST_F(ResultsFileTest, TruncationAnywhereIsReportedAndKeepsEarlierRecords) {
  const std::string whole = read_file(write_three());
  const fs::path file = directory_.path() / "cut.jsonl";
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  const std::size_t step = testing::usual_or_thorough(4, 1);
  std::size_t cuts = 0;
  for (std::size_t bytes = 0; bytes <= whole.size(); bytes += bytes + 64 < last_line ? step : 1, ++cuts) {
    { std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, bytes); }
    const std::string kept = whole.substr(0, bytes);
    const auto lines = static_cast<std::size_t>(std::ranges::count(kept, '\n'));
    const std::size_t cut = bytes - (kept.rfind('\n') == std::string::npos ? 0 : kept.rfind('\n') + 1);
    const ResultsContent content = read_results(file);
    ASSERT_EQ(content.records.size(), lines) << "cut at " << bytes;
    ASSERT_EQ(content.cut_bytes, cut) << "cut at " << bytes;
    // Resume now and then: the incomplete line goes, the chain goes on.
    if (bytes % 97 != 0) continue;
    ResultsFile resumed(file);
    resumed.append(example("after"));
    ASSERT_EQ(read_results(file).records.size(), lines + 1) << "cut at " << bytes;
    ASSERT_EQ(read_results(file).cut_bytes, 0U);
  }
  testing::print_figure(fmt::format("{} cuts of {} bytes: all earlier records read", cuts, whole.size()));
}

TEST_F(ResultsFileTest, NamesTheLineOfAnyFlippedByte) {
  const fs::path file = write_three();
  const std::string whole = read_file(file);
  int flips = 0;
  for (std::size_t at = 0; at + 1 < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = damaged[at] == '0' ? '1' : '0';
    if (damaged == whole) continue;
    { std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged; }
    ++flips;
    try {
      static_cast<void>(read_results(file));
      ADD_FAILURE() << "byte " << at << " was changed without notice";
    } catch (const RecordError& error) {
      EXPECT_NE(std::string(error.what()).find("results.jsonl:"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(flips, 400);
  testing::print_figure(fmt::format("{} changed bytes, each noticed with its line", flips));
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, whole.size() - 1) << '0'; }
  EXPECT_GT(read_results(file).cut_bytes, 0U) << "without its line feed the last line is a cut one";
}

TEST(Record, NoticesEveryFlippedBitByItsOwnChecksum) {
  const std::string line = to_line(example("t1"), kFirstCrc);
  check_own_crc(line);
  for (std::size_t bit = 0; bit < 8 * line.size(); ++bit) {
    std::string damaged = line;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW(check_own_crc(damaged), RecordError) << "bit " << bit;
  }
}

TEST_F(ResultsFileTest, NoticesADividedTimeOfTheLastTrial) {
  const fs::path file = write_three();
  std::string text = read_file(file);
  const std::string before = R"("samples_s":[0.1,0.2,0.3])";
  text.replace(text.rfind(before), before.size(), R"("samples_s":[0.01,0.02,0.03])");
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << text; }
  try {
    static_cast<void>(read_results(file));
    ADD_FAILURE() << "the last trial's times were divided without notice";
  } catch (const RecordError& error) {
    EXPECT_NE(std::string(error.what()).find("results.jsonl:3: own_crc32"), std::string::npos) << error.what();
  }
}

/// The line as version 1.0 of the schema wrote it: with no checksum of its own.
std::string line_of_version_1_0(const Record& record, const std::string& previous_crc) {
  std::string line = to_line(record, previous_crc);
  line.replace(line.find(R"("1.2")"), 5, R"("1.0")");
  return line.substr(0, line.rfind(R"(,"own_crc32")")) + '}';
}

TEST_F(ResultsFileTest, ReadsAndContinuesAFileOfVersion10) {
  const fs::path file = directory_.path() / "results.jsonl";
  const std::string first = line_of_version_1_0(example("a"), kFirstCrc);
  const std::string second = line_of_version_1_0(example("b"), crc32_of(first));
  { std::ofstream(file, std::ios::binary) << first << '\n' << second << '\n'; }
  { ResultsFile(file).append(example("c")); }
  EXPECT_EQ(read_results(file).records.size(), 3U);
  std::string text = read_file(file);
  text.replace(text.find("\"trial\":\"b\""), 11, "\"trial\":\"x\"");
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << text; }
  EXPECT_THROW(static_cast<void>(read_results(file)), RecordError);
}

TEST_F(ResultsFileTest, RefusesANewLineWithoutItsOwnChecksum) {
  const fs::path file = write_three();
  const std::string text = read_file(file);
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << text.substr(0, text.rfind(R"(,"own_crc32")")) << "}\n"; }
  EXPECT_THROW(static_cast<void>(read_results(file)), RecordError);
}

TEST_F(ResultsFileTest, RefusesARemovedLine) {
  const fs::path file = write_three();
  const std::string whole = read_file(file);
  const std::size_t first_end = whole.find('\n') + 1;
  const std::size_t second_end = whole.find('\n', first_end) + 1;
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, first_end) + whole.substr(second_end); }
  EXPECT_THROW(static_cast<void>(read_results(file)), RecordError);
}

TEST_F(ResultsFileTest, LaterRecordsOfATrialSupersede) {
  const fs::path file = write_three();
  { ResultsFile(file).append(example("b", Status::crash)); }
  const auto latest = latest_records(read_results(file).records);
  ASSERT_EQ(latest.size(), 3U);
  EXPECT_EQ(latest[1].trial, "b");
  EXPECT_EQ(latest[1].outcome.status, Status::crash);
}

TEST_F(ResultsFileTest, AFullDiskIsAnErrorAndLeavesOlderRecordsIntact) {
  const fs::path file = write_three();
  const std::string before = read_file(file);
  const pid_t child = ::fork();  // in a child, because the limit cannot be lifted again
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit{before.size() + 100, before.size() + 100};
    if (::signal(SIGXFSZ, SIG_IGN) == SIG_ERR || ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(9);
    try {
      ResultsFile results(file);
      results.append(example("d"));
      ::_exit(1);
    } catch (const FileError& error) {
      const std::string text = error.what();
      const bool clear = text.find("results.jsonl") != std::string::npos && text.find("intact") != std::string::npos;
      ::_exit(clear ? 0 : 2);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_file(file), before);
}

TEST_F(ResultsFileTest, ReplacingAFileIsAtomic) {
  const fs::path file = directory_.path() / "environment.json";
  replace_file(file, "old");
  replace_file(file, "new");
  EXPECT_EQ(read_file(file), "new");
  EXPECT_THROW(replace_file(directory_.path() / "nowhere" / "x", "text"), FileError);
  std::size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(directory_.path())) entries += entry.exists() ? 1 : 0;
  EXPECT_EQ(entries, 1U) << "temporary files stay behind";
}

TEST_F(ResultsFileTest, ATemporaryFileNeverFollowsALink) {
  const fs::path victim = directory_.path() / "victim";
  const fs::path file = directory_.path() / "file";
  { std::ofstream(victim) << "precious"; }
  fs::create_symlink(victim, file.string() + fmt::format(".tmp.{}", ::getpid()));
  replace_file(file, "new");
  EXPECT_EQ(read_file(victim), "precious");
  EXPECT_EQ(read_file(file), "new");
}

TEST_F(ResultsFileTest, RefusesWhatIsNoRegularFile) {
  const fs::path pipe = directory_.path() / "results.jsonl";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(static_cast<void>(read_file(pipe)), FileError);
  EXPECT_FALSE(verify_run(directory_.path()).ok());
}

TEST_F(ResultsFileTest, ADirectoryCanOnlyBeLockedOnce) {
  const DirectoryLock first(directory_.path());
  try {
    const DirectoryLock second(directory_.path());
    FAIL() << "locked twice";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("another warpbench"), std::string::npos) << error.what();
  }
}

TEST(Status, EachHasAWord) {
  EXPECT_EQ(status_from("gpu_error"), Status::gpu_error);
  EXPECT_STREQ(to_string(Status::oom_device), "oom_device");
  EXPECT_THROW(status_from("fine"), std::invalid_argument);
}

}  // namespace
}  // namespace warpbench::harness
