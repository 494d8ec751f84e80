// Records survive the way to disk and back, and a half-written results file is always noticed.
#include "harness/record/record.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

Record example(const std::string& trial, Status status = Status::ok) {
  Record record;
  record.run = "run-1";
  record.trial = trial;
  record.experiment = "tests/record";
  record.problem = "fake";
  record.task = {{"k", 10}, {"exact", true}, {"threshold", 0.5}, {"kind", "a\"b\nc"}};
  record.dataset = {"tiny", "00ff", true, {{"vertices", 5}, {"density", 0.25}}, {{"seed", 1}}};
  record.solver = {"right", "proposed", "cpu", {{"threads", 2}}, "best"};
  record.backend = "simt";
  record.machine = "xeon-2c";
  record.revision = "abc";
  record.protocol.profile = true;
  Outcome& outcome = record.outcome;
  outcome.status = status;
  outcome.work = {{"edges", 12.0}};
  outcome.extra = {{"drift", 0.1}};
  outcome.memory = {std::nullopt, 4096};
  if (status != Status::ok) {
    outcome.reason = "SIGSEGV";
    return record;
  }
  outcome.judgement = JudgementFacts{Verdict::approximate, {{"recall", 0.97}}, 0xfedcba9876543210ULL, 3, 3, ""};
  outcome.time = TimeFacts{0.2, 0.1, 0.3, 0.75, {0.1, 0.2, 0.3}, {"solve"}, 2, "fp32", "repetitions", 1};
  outcome.phases = {{"filter", 0.05}};
  outcome.prepare = PrepareFacts{1.5, {{"index", 1.0}}};
  outcome.counters = {{"bytes_moved", 1e9}};
  outcome.nvml = {{"power_w", 300.0}};
  record.ceiling = CeilingShare{"host_copy", 0.4};
  return record;
}

TEST(Crc32, EqualsThatOfZlib) {
  EXPECT_EQ(crc32_of("123456789"), "cbf43926");
  EXPECT_EQ(crc32_of(""), "00000000");
}

TEST(Record, SurvivesWritingAndReading) {
  for (const Status status : {Status::ok, Status::crash}) {
    const Record record = example("t1", status);
    const std::string line = to_line(record, "deadbeef");
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(line.ends_with(R"("crc32":"deadbeef"})")) << line;
    EXPECT_TRUE(line.starts_with(R"({"schema":"1.0",)")) << line;
    EXPECT_EQ(to_line(record_from(line), "deadbeef"), line);
    EXPECT_EQ(crc_field(line), "deadbeef");
  }
  const Record back = record_from(to_line(example("t1"), kFirstCrc));
  EXPECT_EQ(back.outcome.judgement->digest, 0xfedcba9876543210ULL);
  EXPECT_EQ(std::get<std::string>(back.task.at("kind")), "a\"b\nc");
  EXPECT_EQ(back.solver.point, "best");
  EXPECT_TRUE(back.protocol.profile);
  EXPECT_TRUE(back.timed());
}

TEST(Record, HasNoPointIfOlderThanPoints) {
  Record old = example("t1");
  old.solver.point.clear();
  const std::string line = to_line(old, kFirstCrc);
  EXPECT_EQ(line.find("point"), std::string::npos);
  EXPECT_EQ(record_from(line).solver.point, "");
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
  newer.replace(newer.find("\"1.0\""), 5, "\"2.0\"");
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

class ResultsFileTest : public ::testing::Test {
 protected:
  fs::path write_three() {
    fs::path file = directory_.path() / "results.jsonl";
    ResultsFile results(file);
    for (const char* trial : {"a", "b", "c"}) results.append(example(trial));
    return file;
  }
  TemporaryDirectory directory_;
};

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
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
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
}

TEST_F(ResultsFileTest, NamesTheLineOfAnyFlippedByte) {
  const fs::path file = write_three();
  const std::string whole = read_file(file);
  const std::size_t second_end = whole.find('\n', whole.find('\n') + 1);
  int refused = 0;
  int flips = 0;
  for (std::size_t at = 0; at < second_end; at += 7) {
    std::string damaged = whole;
    damaged[at] = damaged[at] == '0' ? '1' : '0';
    if (damaged == whole) continue;
    { std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged; }
    ++flips;
    try {
      static_cast<void>(read_results(file));
      ADD_FAILURE() << "byte " << at << " was changed without notice";
    } catch (const RecordError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("results.jsonl:"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(refused, flips);
  EXPECT_GT(flips, 100);
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

TEST_F(ResultsFileTest, ADirectoryCanOnlyBeLockedOnce) {
  const DirectoryLock first(directory_.path());
  try {
    const DirectoryLock second(directory_.path());
    FAIL() << "locked twice";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("another warpbench"), std::string::npos) << error.what();
  }
}

TEST_F(ResultsFileTest, VerifyRunFindsEveryProblem) {
  const fs::path file = write_three();
  EXPECT_EQ(verify_run(directory_.path()).problems.size(), 2U) << "spec.yaml and environment.json are missing";
  replace_file(directory_.path() / "spec.yaml", "");
  replace_file(directory_.path() / "environment.json", "");
  const RunReport good = verify_run(directory_.path());
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(good.samples, 9);
  EXPECT_EQ(good.verified_samples, 9);
  ResultsFile results(file);
  Record unverified = example("d");
  unverified.outcome.judgement->verified = 2;
  results.append(unverified);
  Record other_median = example("e");
  other_median.outcome.time->median = 0.1;
  results.append(other_median);
  Record other_machine = example("f");
  other_machine.machine = "h200";
  results.append(other_machine);
  Record unjudged = example("g");
  unjudged.outcome.judgement.reset();
  results.append(unjudged);
  EXPECT_EQ(verify_run(directory_.path()).problems.size(), 4U);
  { std::ofstream(file, std::ios::app) << "{\"half\":"; }
  EXPECT_EQ(verify_run(directory_.path()).notes.size(), 1U);
  EXPECT_FALSE(verify_run(directory_.path() / "absent").ok());
}

TEST(Status, EachHasAWord) {
  EXPECT_EQ(status_from("gpu_error"), Status::gpu_error);
  EXPECT_STREQ(to_string(Status::oom_device), "oom_device");
  EXPECT_THROW(status_from("fine"), std::invalid_argument);
}

}  // namespace
}  // namespace warpbench::harness
