// Fault containment: a suite of solvers that misbehave in every way the harness knows. Each gets its own status, all
// others complete, and no process survives.
#include "harness/run/runner.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "harness/plan/plan.hpp"
#include "harness/process/messages.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/solved.hpp"
#include "harness/record/status.hpp"
#include "harness/run/finished.hpp"
#include "harness/run/run_options.hpp"
#include "problems/parameters.hpp"
#include "problems/problem.hpp"
#include "solvers/registry.hpp"
#include "support/fake_problem.hpp"
#include "support/temporary_directory.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() {
    options_.out = directory_.path() / "run";
    options_.data = directory_.path();
    options_.cache = directory_.path() / "cache";
    options_.measure_ceilings = false;
  }

  /// The records by solver; of several trials of one solver, the last.
  std::map<std::string, Record> records() const {
    std::map<std::string, Record> by_solver;
    for (const Record& record : latest_records(read_results(options_.out / "results.jsonl").records)) {
      by_solver[record.solver.name] = record;
    }
    return by_solver;
  }

  /// The number of distinct processes in a $FAKE_TRIAL_LOG.
  static std::size_t processes_in(const fs::path& log) {
    std::set<std::string> processes;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) processes.insert(line.substr(0, line.find(' ')));
    return processes.size();
  }

  TemporaryDirectory directory_;
  RunOptions options_;
};

TEST_F(RunnerTest, ARightSolverIsMeasuredAndEverySampleVerified) {
  Plan plan = fake_plan({"right", "gpu_right"});
  const RunSummary summary = run(plan, options_);
  EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::ok, 2}}));
  EXPECT_FALSE(summary.interrupted);
  const Record right = records().at("right");
  EXPECT_EQ(right.outcome.judgement->verdict, Verdict::exact);
  EXPECT_EQ(right.outcome.judgement->verified, right.outcome.judgement->taken);
  EXPECT_EQ(right.outcome.time->samples.size(), static_cast<std::size_t>(right.outcome.judgement->taken));
  EXPECT_EQ(right.outcome.time->covers, std::vector<std::string>{"solve"});
  EXPECT_GT(right.outcome.work.at("slots"), 100.0);
  EXPECT_EQ(right.outcome.counters.at("bytes_moved"), 4.0 * right.outcome.work.at("slots"));
  EXPECT_TRUE(right.outcome.phases.contains("think"));
  EXPECT_TRUE(right.outcome.prepare->phases.contains("index"));
  EXPECT_GT(right.outcome.memory.host_peak.value_or(0), 1 << 20);
  EXPECT_GT(right.outcome.prepare->memory.host_peak.value_or(0), 1 << 20);
  EXPECT_EQ(right.outcome.prepare->memory.device_peak, std::nullopt);
  EXPECT_TRUE(records().at("gpu_right").outcome.prepare->memory.device_peak.has_value());
  EXPECT_TRUE(right.dataset.digest.has_value());
  EXPECT_TRUE(right.dataset.stand_in);
  EXPECT_EQ(std::get<std::string>(right.dataset.parameters.at("generator")), "uniform");
  EXPECT_TRUE(right.timed());
  EXPECT_EQ(records().at("gpu_right").timed(), records().at("gpu_right").backend == "cuda") << "simt gives no times";
  const RunReport report = verify_run(options_.out);
  EXPECT_TRUE(report.ok()) << report.problems.front();
  EXPECT_EQ(report.verified_samples, report.samples);
}

TEST_F(RunnerTest, TimesSayInWhichPrecisionTheyWereTaken) {
  for (const auto& [more, expected] :
       std::vector<std::pair<ParameterSpec, std::string>>{{parameter("half_precision", true), "fp16"},
                                                          {parameter("half_precision", false), "fp32"},
                                                          {parameter("precision", "int8"), "int8"}}) {
    Plan plan = fake_plan({"right"});
    std::vector<ParameterSpec> specs = find_solver(*find_problem("fake"), "right")->parameters;
    specs.push_back(more);
    plan.trials[0].parameters = Parameters(specs, {});
    options_.out = directory_.path() / expected;
    run(plan, options_);
    EXPECT_EQ(records().at("right").outcome.time->precision, expected);
  }
}

TEST_F(RunnerTest, CalibrationExecutesTimedTrialsAgainInOtherProcesses) {
  const fs::path log = directory_.path() / "trials";
  ASSERT_EQ(::setenv("FAKE_TRIAL_LOG", log.c_str(), 1), 0);
  const Plan plan = fake_plan({"right:1", "wrong", "right:2"});
  options_.calibrations = 2;
  const RunSummary summary = run(plan, options_);
  EXPECT_EQ(processes_in(log), 7U) << "three groups, and two of them twice more";
  const auto calibrated = [&] {
    std::string delays;
    for (const Record& record : read_results(options_.out / kCalibrationFile).records) {
      EXPECT_STREQ(to_string(record.outcome.status), "ok");
      delays += warpbench::to_string(record.solver.parameters.at("delay_us")) + " ";
    }
    return delays;
  };
  EXPECT_EQ(calibrated(), "1 2 1 2 ") << "interleaved";
  EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::ok, 2}, {Status::wrong, 1}}));
  EXPECT_EQ(read_results(options_.out / kResultsFile).records.size(), 3U);

  EXPECT_EQ(run(plan, options_).resumed, 3);
  EXPECT_EQ(processes_in(log), 7U) << "a finished calibration was executed again";
  ASSERT_EQ(::unsetenv("FAKE_TRIAL_LOG"), 0);
  EXPECT_EQ(verify_run(options_.out).problems.size(), 1U) << "the wrong answer alone";
}

TEST_F(RunnerTest, FurtherExecutionsThatFailAreCountedApartAlsoWhenResumed) {
  ASSERT_EQ(::setenv("FAKE_FIRST_PROCESS", (directory_.path() / "first").c_str(), 1), 0);
  const Plan plan = fake_plan({"right_at_first"});
  options_.calibrations = 1;
  for (const char* when : {"at once", "resumed"}) {
    const RunSummary summary = run(plan, options_);
    EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::ok, 1}})) << when;
    EXPECT_EQ(summary.failed_further, 1) << when;
  }
  ASSERT_EQ(::unsetenv("FAKE_FIRST_PROCESS"), 0);
  const RunReport report = verify_run(options_.out);
  EXPECT_EQ(report.failed_further, 1);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems.front().find("its answer was wrong"), std::string::npos) << report.problems.front();
}

TEST_F(RunnerTest, ATrialToDebugSaysHow) {
  const Plan plan = fake_plan({"right", "wrong", "segfault"});
  ::testing::internal::CaptureStderr();
  static_cast<void>(run(plan, options_));
  const std::string said = ::testing::internal::GetCapturedStderr();
  for (const Trial& trial : plan.trials) {
    const std::string command = fmt::format("test_harness solve {}/spec.yaml {}\n", options_.out.string(), trial.id);
    EXPECT_EQ(said.find(command) != std::string::npos, trial.solver != "right") << trial.solver << '\n' << said;
  }
}

TEST_F(RunnerTest, AnAnswerWithoutAnyOfItsPartsIsNotOk) {
  Plan plan = fake_plan({"gives_up", "gives_up_memory", "gives_up_host_memory"});
  EXPECT_EQ(run(plan, options_).by_status.count(Status::ok), 0U);
  const Outcome late = records().at("gives_up").outcome;
  EXPECT_STREQ(to_string(late.status), "timeout");
  EXPECT_EQ(late.reason, "0 of 20 solved: the time of 20 was up");
  EXPECT_FALSE(late.time.has_value());
  ASSERT_TRUE(late.judgement.has_value());
  EXPECT_EQ(late.judgement->verified, 0);
  EXPECT_EQ(late.judgement->metrics.at("solved"), 0);
  EXPECT_TRUE(late.counters.contains("bytes_moved")) << "what the solver counted explains why";
  const Outcome large = records().at("gives_up_memory").outcome;
  EXPECT_STREQ(to_string(large.status), "oom_device");
  EXPECT_EQ(large.reason, "0 of 20 solved: the time of 1 was up, 19 did not fit into device memory");
  const Outcome host = records().at("gives_up_host_memory").outcome;
  EXPECT_STREQ(to_string(host.status), "oom_host");
  EXPECT_EQ(host.reason, "0 of 20 solved: the time of 1 was up, 19 did not fit into host memory");
  const RunReport report = verify_run(options_.out);
  EXPECT_TRUE(report.ok()) << report.problems.front();
}

TEST_F(RunnerTest, SaysHowManyPartsOfAnAnswerAreThere) {
  Plan plan = fake_plan({"gives_up_some", "right"});
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run(plan, options_).by_status.at(Status::ok), 2);
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(lines.find(", 14 of 20 solved)"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("20 of 20"), std::string::npos) << lines;
  EXPECT_EQ(to_string(*solved_of(records().at("gives_up_some").outcome)), "14 of 20 solved");
  EXPECT_TRUE(solved_of(records().at("right").outcome)->all());
}

TEST_F(RunnerTest, CoversTransfersIfTheProtocolSaysSo) {
  Plan plan = fake_plan({"right"});
  plan.protocol.include_transfers = true;
  EXPECT_EQ(run(plan, options_).by_status.at(Status::ok), 1);
  EXPECT_EQ(records().at("right").outcome.time->covers, (std::vector<std::string>{"upload", "solve", "download"}));
}

TEST_F(RunnerTest, FindsASolverThatWritesNothingTheSecondTime) {
  for (const bool include_transfers : {false, true}) {
    options_.out = directory_.path() / (include_transfers ? "with" : "without");
    Plan plan = fake_plan({"lazy"});
    plan.protocol.include_transfers = include_transfers;
    plan.protocol.repetitions = plan.protocol.minimum_repetitions = 1;  // the warm-up is the first time
    EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::wrong, 1}}));
  }
}

TEST_F(RunnerTest, TakesUntimedWorkOffTheTimeAndNamesIt) {
  Plan plan = fake_plan({"digesting"});
  plan.protocol.repetitions = 2;
  EXPECT_EQ(run(plan, options_).by_status.at(Status::ok), 1);
  const Outcome outcome = records().at("digesting").outcome;
  EXPECT_GE(outcome.extra.at("untimed_digest_s"), 0.2);
  EXPECT_GE(outcome.time->median, 0.0);
  EXPECT_LT(outcome.time->median, 0.2);
  EXPECT_FALSE(outcome.phases.contains("digest"));
}

TEST_F(RunnerTest, EveryFaultGetsItsStatusAndHarmsNoOtherTrial) {
  const std::map<std::string, Status> expected{
      {"right", Status::ok},
      {"wrong", Status::wrong},
      {"wrong_later", Status::wrong},
      {"segfault", Status::crash},
      {"abort", Status::crash},
      {"exit3", Status::crash},
      {"loop", Status::timeout},
      {"eat_memory", Status::oom_host},
      {"print_a_lot", Status::ok},
      {"close_stdout", Status::ok},
      {"fork_children", Status::ok},
      {"write_nonsense", Status::crash},
      {"throw_device", Status::gpu_error},
      {"throw_device_memory", Status::oom_device},
      {"throw_host_memory", Status::oom_host},
      {"throw_input", Status::bad_input},
      {"throw_unsupported", Status::unsupported},
      {"throw_error", Status::crash},
      {"throw_int", Status::crash},
      {"prepare_crash", Status::crash},
      {"missing", Status::unsupported},
  };
  std::vector<std::string> solvers;
  std::map<Status, std::int64_t> counts;
  for (const auto& [solver, status] : expected) {
    solvers.push_back(solver);
    ++counts[status];
  }
  Plan plan = fake_plan(solvers);
  plan.protocol.timeout_seconds = 3.0;
  plan.protocol.target_half_width = 0;  // no early end
  plan.protocol.host_memory_bytes = 500e6;
  const fs::path pids = directory_.path() / "pids";
  ASSERT_EQ(::setenv("FAKE_PID_LOG", pids.c_str(), 1), 0);
  const RunSummary summary = run(plan, options_);
  ASSERT_EQ(::unsetenv("FAKE_PID_LOG"), 0);

  const std::map<std::string, Record> found = records();
  for (const auto& [solver, status] : expected) {
    ASSERT_TRUE(found.contains(solver)) << solver;
    const Outcome& outcome = found.at(solver).outcome;
    EXPECT_STREQ(to_string(outcome.status), to_string(status)) << solver << ": " << outcome.reason;
    EXPECT_EQ(outcome.reason.empty(), status == Status::ok) << solver;
    EXPECT_EQ(outcome.time.has_value(), status == Status::ok) << solver;
  }
  EXPECT_EQ(summary.by_status, counts);
  const auto reason = [&](const char* solver) { return found.at(solver).outcome.reason; };
  EXPECT_NE(reason("abort").find("SIGABRT"), std::string::npos) << reason("abort");
  EXPECT_NE(reason("abort").find("misbehave() at tests/harness/support/fake_problem.cpp:"), std::string::npos)
      << "the stack: " << reason("abort");
  EXPECT_NE(reason("exit3").find("exit code 3"), std::string::npos) << reason("exit3");
  EXPECT_NE(reason("throw_error").find("the queue is empty"), std::string::npos);
  EXPECT_NE(reason("throw_device").find("illegal memory access"), std::string::npos);
  EXPECT_NE(reason("throw_input").find("graph.txt:7"), std::string::npos);
  EXPECT_NE(reason("missing").find("libfake-dev"), std::string::npos);
  EXPECT_NE(reason("wrong").find("expected"), std::string::npos);
  EXPECT_NE(reason("wrong_later").find("sample 3"), std::string::npos) << reason("wrong_later");
  EXPECT_NE(reason("prepare_crash").find("preparing"), std::string::npos) << reason("prepare_crash");
  const RunReport report = verify_run(options_.out);
  ASSERT_EQ(report.problems.size(), 2U) << "wrong and wrong_later";
  for (const std::string& problem : report.problems) {
    EXPECT_NE(problem.find("its answer was wrong"), std::string::npos) << problem;
  }

  // No process survives: neither our children nor those that solvers forked.
  EXPECT_TRUE(children_of(::getpid()).empty());
  std::ifstream pid_file(pids);
  int forked = 0;
  for (pid_t pid = 0; pid_file >> pid; ++forked) {
    EXPECT_TRUE(::kill(pid, 0) != 0 && errno == ESRCH) << pid << " survived";
  }
  EXPECT_GE(forked, 6);
  testing::print_figure(
      fmt::format("{} kinds of solver, {} statuses, {} forked processes gone", expected.size(), counts.size(), forked));
  // Logs are bounded.
  for (const auto& entry : fs::directory_iterator(options_.out / "logs")) {
    EXPECT_LT(fs::file_size(entry.path()), 1'100'000U) << entry.path();
  }
}

TEST_F(RunnerTest, ABrokenTrialOfAGroupHarmsNoOtherTrial) {
  // The same solver in one group; delays tell the trials apart. 60 s exceeds the timeout.
  Plan plan = fake_plan({"right:0", "right:60000000", "right:100", "right:200"});
  ASSERT_EQ(plan.groups.size(), 1U);
  plan.protocol.timeout_seconds = 1.0;
  const RunSummary summary = run(plan, options_);
  EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::ok, 3}, {Status::timeout, 1}}));
}

TEST_F(RunnerTest, ATrialThatThePreparationRefusesHarmsNoOtherTrial) {
  Plan plan = fake_plan({"prepare_picky:0", "prepare_picky:1", "prepare_picky:10", "prepare_picky:2", "right"});
  ASSERT_EQ(plan.groups.size(), 2U);
  plan.protocol.preparations = 2;
  EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::ok, 3}, {Status::unsupported, 2}}));
  for (const Record& record : latest_records(read_results(options_.out / "results.jsonl").records)) {
    if (record.outcome.status == Status::ok) {
      EXPECT_EQ(record.outcome.prepare->samples.size(), 2U);
    } else {
      EXPECT_EQ(record.outcome.reason, "a delay below 10 us (preparing the solver)");
    }
  }
}

TEST_F(RunnerTest, AllTrialsMayBeRefusedByThePreparation) {
  EXPECT_EQ(run(fake_plan({"prepare_picky:0", "prepare_picky:1"}), options_).by_status,
            (std::map<Status, std::int64_t>{{Status::unsupported, 2}}));
}

TEST_F(RunnerTest, ACrashAfterARefusedPreparationIsOneOfPreparation) {
  const fs::path log = directory_.path() / "trials";
  ASSERT_EQ(::setenv("FAKE_TRIAL_LOG", log.c_str(), 1), 0);
  const RunSummary summary = run(fake_plan({"prepare_picky:0", "prepare_picky:13", "prepare_picky:10"}), options_);
  ASSERT_EQ(::unsetenv("FAKE_TRIAL_LOG"), 0);
  EXPECT_EQ(summary.by_status, (std::map<Status, std::int64_t>{{Status::unsupported, 1}, {Status::crash, 2}}));
  EXPECT_EQ(processes_in(log), 1U) << "a crash between trials would have been tried again";
}

TEST_F(RunnerTest, ASolverIsPreparedAsOftenAsTheProtocolAsks) {
  Plan plan = fake_plan({"right:0", "right:1", "gpu_right"});
  plan.protocol.preparations = 6;
  EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::ok, 3}}));
  for (const auto& [id, record] : records()) {
    const PrepareFacts& facts = *record.outcome.prepare;
    EXPECT_EQ(facts.samples.size(), 6U) << id;
    EXPECT_TRUE(facts.low <= facts.median && facts.median <= facts.high) << id;
    EXPECT_GT(facts.low, 0) << id;
    EXPECT_TRUE(facts.phases.contains("index")) << id;
  }
  EXPECT_EQ(run(plan, options_).resumed, 3);
  plan.protocol.preparations = 7;
  EXPECT_EQ(run(plan, options_).resumed, 0) << "more preparations are asked for";
  plan.protocol.preparations = 1;
  EXPECT_EQ(run(plan, options_).resumed, 3) << "there are more than asked for";
}

TEST_F(RunnerTest, ASolverIsNotPreparedAgainWhereTimeMayEnd) {
  Plan plan = fake_plan({"prepare_slow"});
  plan.protocol.preparations = 100;
  plan.protocol.prepare_timeout_seconds = 3.0;
  EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::ok, 1}}));
  const std::size_t made = records().at("prepare_slow").outcome.prepare->samples.size();
  EXPECT_GE(made, 1U);
  EXPECT_LE(made, 6U) << "0.5 s each";
}

TEST_F(RunnerTest, NothingRunsInAProcessWhoseSolverThrew) {
  const fs::path log = directory_.path() / "trials";
  ASSERT_EQ(::setenv("FAKE_TRIAL_LOG", log.c_str(), 1), 0);
  EXPECT_EQ(run(fake_plan({"throw_device:0", "throw_device:1", "throw_device:2"}), options_).by_status,
            (std::map<Status, std::int64_t>{{Status::gpu_error, 3}}));
  EXPECT_EQ(processes_in(log), 3U);
  options_.out = directory_.path() / "right";
  fs::remove(log);
  run(fake_plan({"right:0", "right:1", "right:2"}), options_);
  ASSERT_EQ(::unsetenv("FAKE_TRIAL_LOG"), 0);
  EXPECT_EQ(processes_in(log), 1U) << "one prepared index serves the group";
}

TEST_F(RunnerTest, ATimeoutInPreparationIsGivenToAllTrials) {
  Plan plan = fake_plan({"prepare_loop:0", "prepare_loop:1", "right"});
  plan.protocol.prepare_timeout_seconds = 0.5;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::ok, 1}, {Status::timeout, 2}}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(RunnerTest, AMissingFileIsBadInput) {
  Plan plan = fake_plan({"right"});
  plan.datasets[0].source.from = datasets::FileSource{"absent.txt", "snap", "", "", "", {}};
  EXPECT_EQ(run(plan, options_).by_status.at(Status::bad_input), 1);
  const Record record = records().at("right");
  EXPECT_FALSE(record.dataset.digest.has_value());
  EXPECT_NE(record.outcome.reason.find("absent.txt"), std::string::npos) << record.outcome.reason;
}

TEST_F(RunnerTest, ASampleThatExceedsTheBudgetEndsTheTrialAsOk) {
  Plan plan = fake_plan({"right:200000"});
  plan.protocol.warmup = 0;
  plan.protocol.repetitions = 100;
  plan.protocol.target_half_width = 0;
  plan.protocol.timeout_seconds = 1.0;
  EXPECT_EQ(run(plan, options_).by_status.at(Status::ok), 1);
  EXPECT_EQ(records().at("right").outcome.time->stopped_by, "timeout");
}

TEST_F(RunnerTest, ResumesWithoutRepeatingAndRetriesOnlyOnRequest) {
  const Plan plan = fake_plan({"right", "throw_error", "wrong"});
  EXPECT_EQ(run(plan, options_).resumed, 0);
  const std::string before = read_file(options_.out / "results.jsonl");
  const RunSummary again = run(plan, options_);
  EXPECT_EQ(again.resumed, 3);
  EXPECT_EQ(again.by_status.at(Status::crash), 1) << "earlier results count";
  EXPECT_EQ(read_file(options_.out / "results.jsonl"), before);
  options_.retry = {Status::crash};
  const RunSummary retried = run(plan, options_);
  EXPECT_EQ(retried.resumed, 2);
  EXPECT_EQ(read_results(options_.out / "results.jsonl").records.size(), 4U);
  const RunReport report = verify_run(options_.out);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems[0].find("its answer was wrong"), std::string::npos) << report.problems[0];
}

TEST_F(RunnerTest, RefusesTheDirectoryOfAnotherExperimentOrProblem) {
  run(fake_plan({"right"}), options_);
  const std::string spec = read_file(options_.out / "spec.yaml");
  for (const std::string what : {"experiment", "problem"}) {
    Plan plan = fake_plan({"right"});
    plan.spec_text += "# changed\n";
    (what == "experiment" ? plan.experiment : plan.trials[0].problem) = "other";
    try {
      run(plan, options_);
      FAIL() << "another " << what << " was accepted";
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("holds results of the " + what), std::string::npos) << error.what();
    }
    EXPECT_EQ(read_file(options_.out / "spec.yaml"), spec) << "the refused spec was written";
  }
}

TEST_F(RunnerTest, AChangedSpecRunsOnlyWhatIsNew) {
  run(fake_plan({"right:1", "right:2"}), options_);
  Plan more = fake_plan({"right:1", "right:2", "right:3", "gpu_right"});
  more.spec_text += "title: more\n";
  const RunSummary summary = run(more, options_);
  EXPECT_EQ(summary.resumed, 2);
  EXPECT_EQ(summary.by_status.at(Status::ok), 4);
  EXPECT_EQ(read_results(options_.out / kResultsFile).records.size(), 4U);
  EXPECT_EQ(read_file(options_.out / "spec.yaml"), more.spec_text);
  const RunReport report = verify_run(options_.out);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.planned, 4U);
  EXPECT_TRUE(report.notes.empty()) << report.notes.front();
}

TEST_F(RunnerTest, TrialsThatTheSpecHasNoMoreStayButDoNotCount) {
  run(fake_plan({"right:1", "wrong"}), options_);
  EXPECT_FALSE(verify_run(options_.out).ok());
  Plan less = fake_plan({"right:1"});
  less.spec_text += "title: less\n";
  EXPECT_EQ(run(less, options_).resumed, 1);
  EXPECT_EQ(read_results(options_.out / kResultsFile).records.size(), 2U);
  EXPECT_EQ(read_run(options_.out).size(), 1U);
  const RunReport report = verify_run(options_.out);
  EXPECT_TRUE(report.ok()) << report.problems.front();
  EXPECT_EQ(report.trials, 1U);
  EXPECT_EQ(report.outside, 1U);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("1 further trials have records"), std::string::npos) << report.notes[0];
  EXPECT_EQ(run(fake_plan({"right:1", "wrong"}), options_).resumed, 2) << "they count again where the spec has them";
  EXPECT_EQ(verify_run(options_.out).outside, 0U);
}

TEST_F(RunnerTest, TrialsWithFewerSamplesThanAskedForRunAgain) {
  Plan plan = fake_plan({"right", "throw_error"});
  plan.protocol.target_half_width = 0;
  run(plan, options_);
  plan.protocol.repetitions = 8;
  EXPECT_EQ(run(plan, options_).resumed, 1) << "the failed one";
  EXPECT_EQ(records().at("right").outcome.time->samples.size(), 8U);
  EXPECT_EQ(read_results(options_.out / kResultsFile).records.size(), 3U);
  EXPECT_TRUE(verify_run(options_.out).ok());
  plan.protocol.repetitions = 6;
  EXPECT_EQ(run(plan, options_).resumed, 2) << "it has more samples than asked for";
}

TEST(MoreSamples, AreWantedIfTheProtocolAsksForThemAndItsRulesDoNotEndTheTrialBefore) {
  Record record;
  record.outcome.time.emplace();
  TimeFacts& time = *record.outcome.time;
  time.samples.assign(6, 1.0);
  time.stopped_by = "half_width";
  Protocol wanted = record.protocol;
  EXPECT_FALSE(wants_more_samples(wanted, record)) << "the same protocol";
  wanted.timeout_seconds *= 2;
  EXPECT_FALSE(wants_more_samples(wanted, record)) << "another timeout alone";
  wanted.repetitions = 50;
  EXPECT_FALSE(wants_more_samples(wanted, record)) << "the interval is narrow enough";
  wanted.minimum_repetitions = 20;
  EXPECT_TRUE(wants_more_samples(wanted, record));
  time.stopped_by = "timeout";
  EXPECT_TRUE(wants_more_samples(wanted, record));
  wanted.timeout_seconds = record.protocol.timeout_seconds;
  EXPECT_FALSE(wants_more_samples(wanted, record)) << "the timeout would end it again";
  record.outcome.time.reset();
  EXPECT_FALSE(wants_more_samples(wanted, record)) << "a trial that failed";
}

TEST(MorePreparations, AreWantedIfTheProtocolAsksForThemAndTimeDidNotEndThem) {
  Record record;
  record.outcome.time.emplace();
  record.outcome.prepare.emplace();
  Protocol wanted = record.protocol;
  EXPECT_FALSE(wants_more_preparations(wanted, record)) << "a record of before has one";
  wanted.preparations = 6;
  EXPECT_TRUE(wants_more_preparations(wanted, record));
  record.outcome.prepare->samples.assign(6, 1.0);
  EXPECT_FALSE(wants_more_preparations(wanted, record)) << "it has them";
  record.protocol.preparations = 10;
  wanted.preparations = 10;
  EXPECT_FALSE(wants_more_preparations(wanted, record)) << "time would end them again";
  wanted.preparations = 20;
  EXPECT_FALSE(wants_more_preparations(wanted, record)) << "time would end them again";
  wanted.prepare_timeout_seconds *= 2;
  EXPECT_TRUE(wants_more_preparations(wanted, record));
  record.outcome.time.reset();
  EXPECT_FALSE(wants_more_preparations(wanted, record)) << "a trial that failed";
}

TEST_F(RunnerTest, RefusesTheDirectoryOfAnotherMachine) {
  run(fake_plan({"throw_error"}), options_);
  std::string environment = read_file(options_.out / "environment.json");
  const std::size_t at = environment.find("\"model\": \"") + 10;
  environment.insert(at, "Other ");
  replace_file(options_.out / "environment.json", environment);
  options_.retry = {Status::crash};
  EXPECT_THROW(run(fake_plan({"throw_error"}), options_), FileError);
  const std::string spec = read_file(options_.out / "spec.yaml");
  environment = read_file(options_.out / "environment.json");
  Plan other = fake_plan({"right"});
  other.spec_text += "# changed\n";
  EXPECT_THROW(run(other, options_), FileError);
  EXPECT_EQ(read_file(options_.out / "spec.yaml"), spec) << "the refused spec was written";
  EXPECT_EQ(read_file(options_.out / "environment.json"), environment);
}

TEST_F(RunnerTest, AReferenceThatFailsIsTriedOnceAndLeavesAnswersUnverified) {
  for (const std::string how : {"slow", "broken"}) {
    Plan plan = fake_plan({"right:0", "right:1", "gpu_right"});
    for (Trial& trial : plan.trials) trial.task = Parameters(find_problem("fake")->info.task, {{"reference", how}});
    plan.protocol.prepare_timeout_seconds = how == "slow" ? 0.5 : 20;
    options_.out = directory_.path() / how;
    const fs::path log = directory_.path() / (how + ".log");
    ASSERT_EQ(::setenv("FAKE_REFERENCE_LOG", log.c_str(), 1), 0);
    EXPECT_EQ(run(plan, options_).by_status, (std::map<Status, std::int64_t>{{Status::unverified, 3}})) << how;
    ASSERT_EQ(::unsetenv("FAKE_REFERENCE_LOG"), 0);
    EXPECT_EQ(read_file(log), how + "\n") << "by one solver for all";
    const std::map<std::string, Record> found = records();
    for (const auto& [solver, record] : found) {
      const Outcome& outcome = record.outcome;
      EXPECT_NE(outcome.reason.find(how == "slow" ? "more than 0.5 s" : "the fake reference is broken"),
                std::string::npos)
          << solver << ": " << outcome.reason;
      ASSERT_TRUE(outcome.judgement && outcome.time) << how << ", " << solver;
      EXPECT_EQ(outcome.judgement->verdict, Verdict::unverified);
      EXPECT_EQ(outcome.judgement->verified, 0);
      EXPECT_EQ(outcome.judgement->digest, found.at("right").outcome.judgement->digest) << "to compare solvers by";
    }
  }
}

TEST_F(RunnerTest, RefusesALockedDirectory) {
  const Plan plan = fake_plan({"right"});
  fs::create_directories(options_.out);
  const DirectoryLock lock(options_.out);
  EXPECT_THROW(run(plan, options_), FileError);
}

TEST_F(RunnerTest, ADamagedReferenceInTheCacheIsNoticed) {
  const Plan plan = fake_plan({"right"});
  run(plan, options_);
  EXPECT_EQ(records().at("right").outcome.extra.at("reference_cached"), 0.0);
  const auto second_run = [&](const char* name) {
    options_.out = directory_.path() / name;
    run(plan, options_);
    return records().at("right").outcome;
  };
  EXPECT_EQ(second_run("two").extra.at("reference_cached"), 1.0);
  for (const auto& entry : fs::directory_iterator(options_.cache / "references")) {
    std::string bytes = read_file(entry.path());
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    replace_file(entry.path(), bytes);
  }
  const Outcome third = second_run("three");
  EXPECT_EQ(third.status, Status::ok) << third.reason;
  EXPECT_EQ(third.extra.at("reference_cached"), 0.0);
}

/// Runs `plan` in a child process, to which signals can be sent.
pid_t run_in_child(const Plan& plan, const RunOptions& options) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 7;
  try {
    code = run(plan, options).interrupted ? 3 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  ::_exit(code);
}

class RunAgainForMore : public RunnerTest, public ::testing::WithParamInterface<std::int64_t Protocol::*> {};

TEST_P(RunAgainForMore, KeepsTheSamplesOfATrialAfterControlC) {
  Plan plan = fake_plan({"right"});
  run(plan, options_);
  plan.trials[0].parameters = fake_plan({"right:30000000"}).trials[0].parameters;
  plan.protocol.*GetParam() = 8;
  const fs::path log = directory_.path() / "trials";
  ASSERT_EQ(::setenv("FAKE_TRIAL_LOG", log.c_str(), 1), 0);
  const pid_t child = run_in_child(plan, options_);
  ASSERT_EQ(::unsetenv("FAKE_TRIAL_LOG"), 0);
  ASSERT_GT(child, 0);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!fs::exists(log) && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(records().at("right").outcome.time->samples.size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(Of, RunAgainForMore, ::testing::Values(&Protocol::repetitions, &Protocol::preparations),
                         [](const auto& one) { return one.index == 0 ? "samples" : "preparations"; });

TEST_F(RunnerTest, ControlCKeepsFinishedTrialsAndTheRunResumes) {
  const Plan plan = fake_plan({"right", "throw_error", "right:30000000", "wrong"});
  const pid_t child = run_in_child(plan, options_);
  ASSERT_GT(child, 0);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const fs::path results = options_.out / "results.jsonl";
  while ((!fs::exists(results) || read_results(results).records.size() < 2) &&
         std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(400));  // into the long trial
  ASSERT_EQ(::kill(child, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const ResultsContent content = read_results(results);
  ASSERT_EQ(content.records.size(), 3U);
  EXPECT_EQ(content.records.back().outcome.status, Status::interrupted);
  // The interrupted trial runs again without --retry. It would take long here, so its delay is changed.
  Plan resumed = plan;
  resumed.trials[2].parameters = resumed.trials[0].parameters;
  const RunSummary summary = run(resumed, options_);
  EXPECT_EQ(summary.resumed, 2);
  EXPECT_EQ(summary.by_status.at(Status::ok), 2);
  EXPECT_EQ(summary.by_status.at(Status::wrong), 1);
}

TEST(Messages, ArriveWholeAndInOrder) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const MessageWriter writer(to.get());
  writer.send(MessageType::started, 7);
  writer.send(MessageType::finished, 7, "{\"x\": 1}");
  to.reset();
  std::string bytes(4096, '\0');
  const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
  ASSERT_GT(got, 0);
  bytes.resize(static_cast<std::size_t>(got));

  MessageReader reader;
  std::vector<Message> messages;
  for (const char byte : bytes) {  // feeds one byte at a time
    reader.add(std::string_view(&byte, 1));
    if (const auto message = reader.next()) messages.push_back(*message);
  }
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].type, MessageType::started);
  EXPECT_EQ(messages[0].trial, 7U);
  EXPECT_EQ(messages[1].text, "{\"x\": 1}");

  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    MessageReader strict;
    strict.add(damaged);
    std::size_t whole = 0;
    bool refused = false;
    try {
      while (strict.next()) ++whole;
    } catch (const MessageError&) {
      refused = true;
    }
    EXPECT_TRUE(refused || whole < 2) << "byte " << at << " was changed without notice";
  }
}

}  // namespace
}  // namespace warpbench::harness
