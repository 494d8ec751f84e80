// `warpbench verify`: which run directories are sound, and what is said of the others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <functional>

#include "harness/machine/environment.hpp"
#include "harness/record/environment_json.hpp"
#include "support/results_fixture.hpp"

namespace warpbench::harness {
namespace {

/// A run directory with a spec and an environment, as verify_run() wants them.
class VerifyRunTest : public ResultsFileTest {
 protected:
  VerifyRunTest() {
    write_spec("tests/record");
    write_environment("xeon-2c");
  }
  void write_spec(const std::string& experiment) {
    replace_file(directory_.path() / "spec.yaml", "experiment: " + experiment + "\nproblem: fake\n");
  }
  void write_environment(const std::string& machine, std::int64_t trials = 3, const std::string& spec_crc32 = {}) {
    Environment environment;
    environment.machine = machine;
    environment.backend = "simt";
    environment.trials = trials;
    environment.spec_crc32 = spec_crc32;
    replace_file(directory_.path() / "environment.json", to_json(environment));
  }
  /// The only problem after `record` was appended to a file of three good ones; "" if there is none.
  std::string problem_of(const Record& record) {
    fs::remove(directory_.path() / "results.jsonl");
    ResultsFile(write_three()).append(record);
    const RunReport report = verify_run(directory_.path());
    EXPECT_LE(report.problems.size(), 1U) << fmt::format("{}", fmt::join(report.problems, "\n"));
    return report.problems.empty() ? "" : report.problems.front();
  }
  std::string problem_after(const std::function<void(Record&)>& change) {
    Record record = example("d");
    change(record);
    return problem_of(record);
  }
};

TEST_F(VerifyRunTest, CountsSoundTrials) {
  const fs::path file = write_three();
  const RunReport good = verify_run(directory_.path());
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(good.samples, 9);
  EXPECT_EQ(good.verified_samples, 9);
  { std::ofstream(file, std::ios::app) << "{\"half\":"; }
  EXPECT_EQ(verify_run(directory_.path()).notes.size(), 1U);
}

TEST_F(VerifyRunTest, NamesEveryKindOfProblem) {
  const auto expect = [&](const std::string& words, const std::function<void(Record&)>& change) {
    const std::string problem = problem_after(change);
    EXPECT_NE(problem.find(words), std::string::npos) << "expected: " << words << "\nfound: " << problem;
  };
  EXPECT_EQ(problem_after([](Record&) {}), "");
  expect("2 of 3 samples were verified", [](Record& r) { r.outcome.judgement->verified = 2; });
  expect("0 of 3 samples were verified", [](Record& r) { r.outcome.judgement->verified = 0; });
  expect("the recorded median", [](Record& r) { r.outcome.time->median = 0.1; });
  expect("the interval of the median", [](Record& r) { r.outcome.time->high = 0.15; });
  expect("the recorded preparations' median", [](Record& r) { r.outcome.prepare->median = 1.6; });
  expect("the interval of the preparations' median", [](Record& r) { r.outcome.prepare->high = 1.2; });
  expect("another machine", [](Record& r) { r.machine = "h200"; });
  expect("another experiment", [](Record& r) { r.experiment = "tests/other"; });
  expect("another backend", [](Record& r) { r.backend = "cuda"; });
  expect("another run", [](Record& r) { r.run = "run-2"; });
  expect("ok without a judgement", [](Record& r) { r.outcome.judgement.reset(); });
  expect("ok without a time", [](Record& r) { r.outcome.time.reset(); });
  expect("crash without a reason", [](Record& r) {
    r = example("d", Status::crash);
    r.outcome.reason.clear();
  });
  expect("crash with a time", [](Record& r) {
    r.outcome.status = Status::crash;
    r.outcome.reason = "SIGSEGV";
  });
}

TEST_F(VerifyRunTest, AWrongAnswerIsAProblem) {
  Record wrong = example("d", Status::wrong);
  wrong.outcome.reason = "vertex 3 has 2 neighbours, not 1";
  EXPECT_EQ(problem_of(wrong), "trial d (right): its answer was wrong: vertex 3 has 2 neighbours, not 1");
  EXPECT_EQ(problem_of(example("d", Status::crash)), "") << "a failure that the record admits is no damage";
}

TEST_F(VerifyRunTest, ARunWithoutTrialsIsAProblem) {
  const fs::path file = write_three();
  { std::ofstream(file, std::ios::binary | std::ios::trunc) << ""; }
  const RunReport report = verify_run(directory_.path());
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems[0].find("results.jsonl: holds no trial"), std::string::npos) << report.problems[0];
}

TEST_F(VerifyRunTest, NotesPlannedTrialsWithoutARecord) {
  static_cast<void>(write_three());
  EXPECT_TRUE(verify_run(directory_.path()).notes.empty());
  write_environment("xeon-2c", 5);
  const RunReport report = verify_run(directory_.path());
  EXPECT_TRUE(report.ok()) << "a run that was ended early is sound";
  EXPECT_EQ(report.planned, 5U);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("3 of 5 planned trials"), std::string::npos) << report.notes[0];
}

TEST_F(VerifyRunTest, TheSpecAndTheEnvironmentMustBeThoseOfTheRecords) {
  static_cast<void>(write_three());
  write_spec("tests/other");
  ASSERT_EQ(verify_run(directory_.path()).problems.size(), 1U);
  EXPECT_NE(verify_run(directory_.path()).problems[0].find("spec.yaml"), std::string::npos);
  write_environment("h200");
  EXPECT_EQ(verify_run(directory_.path()).problems.size(), 2U);
  replace_file(directory_.path() / "spec.yaml", "");
  replace_file(directory_.path() / "environment.json", "{");
  EXPECT_EQ(verify_run(directory_.path()).problems.size(), 2U);
  fs::remove(directory_.path() / "spec.yaml");
  fs::remove(directory_.path() / "environment.json");
  EXPECT_EQ(verify_run(directory_.path()).problems.size(), 2U);
  EXPECT_FALSE(verify_run(directory_.path() / "absent").ok());
}

TEST_F(VerifyRunTest, AnEditedSpecIsFollowedByWhatCanBeDoneAboutIt) {
  static_cast<void>(write_three());
  write_environment("xeon-2c", 3, "00000000");
  const auto note = [&]() -> std::string {
    const RunReport report = verify_run(directory_.path());
    return report.notes.size() == 1 ? report.notes.front() : fmt::format("{}", fmt::join(report.notes, "\n"));
  };
  EXPECT_NE(note().find("restore it, or, on xeon-2c (simt), make it the run's own with `warpbench run "),
            std::string::npos)
      << note();
  for (const char* const spec : {"experiment: [", "experiment: tests/other\nproblem: fake\n"}) {
    replace_file(directory_.path() / "spec.yaml", spec);
    EXPECT_NE(note().find("restore it: with this one no run can go on here"), std::string::npos) << note();
    EXPECT_EQ(note().find("warpbench run"), std::string::npos) << "which would be refused: " << note();
  }
}

}  // namespace
}  // namespace warpbench::harness
