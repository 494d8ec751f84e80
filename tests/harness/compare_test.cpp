// Cells, refusals and exit codes of `compare`. The error rates of its verdicts are in verdict_test.cpp.
#include "harness/record/compare.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/record/results_file.hpp"
#include "harness/record/statistics.hpp"
#include "harness/record/status.hpp"
#include "harness/spec/yaml_tree.hpp"
#include "problems/problem.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

Record timed(const std::string& trial, double seconds, int samples = 10) {
  Record record;
  record.run = "run";
  record.trial = trial;
  record.experiment = "tests/compare";
  record.problem = "fake";
  record.dataset = {"tiny", "00ff", false, {}, {}};
  record.solver = {"right", "proposed", "cpu", {{"threads", 2}}};
  record.backend = "cuda";
  record.machine = "h200";
  record.revision = "abc";
  record.outcome.status = Status::ok;
  TimeFacts time;
  for (int i = 0; i < samples; ++i) time.samples.push_back(seconds * (1.0 + 0.001 * i));
  const MedianInterval interval = median_interval(time.samples);
  time.median = interval.median;
  time.low = interval.low;
  time.high = interval.high;
  time.confidence = interval.confidence;
  time.covers = {"solve"};
  time.stopped_by = "repetitions";
  record.outcome.time = time;
  record.outcome.judgement = JudgementFacts{Verdict::exact, {}, 1, samples, samples, ""};
  return record;
}

Record failed(const std::string& trial) {
  Record record = timed(trial, 1.0);
  record.outcome.status = Status::crash;
  record.outcome.reason = "SIGSEGV";
  record.outcome.time.reset();
  record.outcome.judgement.reset();
  return record;
}

CompareOptions assuming(double spread) {
  CompareOptions options;
  options.assumed_spread = spread;
  return options;
}

TEST(CompareRecords, GivesEachCellItsChange) {
  Record simt = timed("other_threads", 1.0);
  simt.outcome.time->threads = 4;
  const std::vector<Record> before{
      timed("same", 1.0),  timed("slower", 1.0), timed("faster", 1.0), timed("broken", 1.0),
      failed("mended"),    failed("both"),       timed("gone", 1.0),   simt,
      timed("same", 1.001)};
  const std::vector<Record> after{timed("same", 1.005), timed("slower", 1.5),        timed("faster", 0.6),
                                  failed("broken"),     timed("mended", 1.0),        failed("both"),
                                  timed("added", 1.0),  timed("other_threads", 1.0), timed("same", 1.004)};
  std::map<std::string, Change> found;
  for (const Cell& cell : compare_records(before, after, assuming(0.0))) found[cell.trial] = cell.change;
  EXPECT_EQ(found, (std::map<std::string, Change>{{"same", Change::same},
                                                  {"slower", Change::slower},
                                                  {"faster", Change::faster},
                                                  {"broken", Change::broken},
                                                  {"mended", Change::mended},
                                                  {"both", Change::untimed},
                                                  {"gone", Change::only_old},
                                                  {"added", Change::only_new},
                                                  {"other_threads", Change::untimed}}));
}

TEST(CompareRecords, RefusesIncomparableRuns) {
  Record elsewhere = timed("a", 1.0);
  elsewhere.machine = "xeon-2c";
  EXPECT_THROW(compare_records({timed("a", 1.0)}, {elsewhere}, {}), CompareError);
  EXPECT_THROW(compare_records({timed("a", 1.0), elsewhere}, {timed("a", 1.0)}, {}), CompareError) << "mixed";
  CompareOptions across;
  across.across_machines = true;
  EXPECT_EQ(compare_records({timed("a", 1.0)}, {elsewhere}, across).size(), 1U);
  Record simt = timed("a", 1.0);
  simt.backend = "simt";
  EXPECT_THROW(compare_records({timed("a", 1.0)}, {simt}, across), CompareError);
  EXPECT_THROW(compare_records({}, {timed("a", 1.0)}, {}), CompareError);
  EXPECT_THROW(compare_records({timed("a", 1.0)}, {timed("b", 1.0)}, {}), CompareError) << "nothing in common";
}

TEST(CompareRecords, NeverTimesGpuSolversOnSimt) {
  Record before = timed("a", 1.0);
  before.backend = "simt";
  before.solver.device = "gpu";
  Record after = before;
  after.outcome.time->median *= 10;
  EXPECT_EQ(compare_records({before}, {after}, {}).front().change, Change::untimed);
}

std::string change_between(const Record& before, const Record& after) {
  return to_string(compare_records({before}, {after}, assuming(0.0)).front().change);
}

TEST(CompareRecords, GivesNoVerdictOnTimesBelowNinetyFivePercent) {
  EXPECT_EQ(change_between(timed("a", 1.0, 1), timed("a", 2.4, 1)), "ambiguous");
  EXPECT_EQ(change_between(timed("a", 1.0, 5), timed("a", 2.4, 10)), "ambiguous");
  EXPECT_EQ(change_between(timed("a", 1.0, 6), timed("a", 2.4, 6)), "slower");
  EXPECT_EQ(compare_records({timed("a", 1.0, 1)}, {timed("a", 2.4, 1)}, {}).front().note,
            "1 s -> 2.4 s; 1 and 1 samples, 6 are needed for a confidence of 95 %");
}

/// With metrics of its judgement.
Record judged(const char* problem, const Numbers& metrics, double seconds) {
  Record record = timed("a", seconds);
  record.problem = problem;
  record.outcome.judgement->verdict = Verdict::approximate;
  record.outcome.judgement->metrics = metrics;
  return record;
}
Record recalled(double recall, double seconds) {
  return judged("nearest_neighbors", {{"recall", recall}}, seconds);
}
Record solved(double queries, double seconds) {
  return judged("subgraph_matching", {{"solved", queries}}, seconds);
}
Record trained(double rmse, double reached_target, double seconds) {
  return judged("matrix_factorization", {{"rmse", rmse}, {"reached_target", reached_target}}, seconds);
}

TEST(CompareRecords, SeesFurtherExecutionsThatFail) {
  EXPECT_EQ(compare_records({timed("a", 1.0)}, {timed("a", 1.0), failed("a")}, {}).front().change, Change::broken);
  EXPECT_NE(compare_records({timed("a", 1.0), failed("a")}, {timed("a", 1.0)}, {}).front().change, Change::broken);
  const std::vector<Record> flaky{timed("a", 1.0), failed("a")};
  EXPECT_EQ(compare_records(flaky, flaky, {}).front().change, Change::ambiguous);
}

TEST(CompareRecords, DoesNotCallALowerRecallFaster) {
  EXPECT_EQ(change_between(recalled(1.0, 1.0), recalled(0.0, 0.5)), "worse");
  EXPECT_EQ(change_between(recalled(0.90, 1.0), recalled(0.92, 2.0)), "better");
  EXPECT_EQ(change_between(recalled(0.903, 1.0), recalled(0.901, 0.5)), "faster");
  EXPECT_EQ(compare_records({recalled(1.0, 1.0)}, {recalled(0.0, 0.5)}, {}).front().note,
            "recall: 1 -> 0; times are not compared");
}

TEST(CompareRecords, DoesNotCompareTimesIfFewerQueriesWereSolved) {
  EXPECT_EQ(change_between(solved(20, 1.0), solved(19, 0.5)), "worse");
  EXPECT_EQ(change_between(solved(19, 1.0), solved(20, 2.0)), "better");
  EXPECT_EQ(change_between(solved(19, 1.0), solved(19, 0.5)), "faster");
}

/// Nine of ten queries solved in 0.9 s; the lost one was tried for `lost` of its 3 s.
Record nine_of_ten(double lost) {
  Record record = judged("subgraph_matching", {{"solved", 9}}, 0.9 + lost);
  record.outcome.work = {{"queries", 10}};
  record.outcome.counters = {{"query_mean_s", (record.outcome.time->samples.back() - lost + 3.0) / 10}};
  return record;
}

TEST(CompareRecords, CountsAnUnsolvedQueryWithItsLimitHoweverItEnded) {
  const Record slow = nine_of_ten(3.0);
  const Record out_of_memory = nine_of_ten(0.001);
  EXPECT_EQ(change_between(slow, out_of_memory), "same");
  EXPECT_EQ(change_between(out_of_memory, slow), "same");
  const Cell cell = compare_records({slow}, {out_of_memory}, assuming(0.0)).front();
  EXPECT_EQ(cell.note, "3.92 s -> 3.9 s, 9 of 10 solved, the others count with their limit; not calibrated");
  Record faster = nine_of_ten(0.001);
  faster.outcome.counters["query_mean_s"] -= 0.05;
  faster.outcome.time->samples.back() -= 0.001;
  EXPECT_EQ(change_between(out_of_memory, faster), "faster");
}

TEST(CompareRecords, TakesTheTimeThatFiguresTakeOfTrialsThatLeftQueriesUnsolved) {
  for (const ProblemEntry& problem : problems()) {
    if (problem.info.mean_with_limits.empty()) continue;
    const std::string file = WARPBENCH_SOURCE_DIR "/problems/" + problem.info.id + "/quantities.yaml";
    const Yaml declared = parse_yaml(read_yaml_text(file), file);
    const YamlEntry* const unsolved = declared->find("unsolved");
    ASSERT_NE(unsolved, nullptr) << file;
    EXPECT_EQ(unsolved->value->find("time")->value->text,
              "counters." + problem.info.mean_with_limits + " * work.queries");
  }
}

TEST(CompareRecords, ComparesNoTimesOfTrialsThatCannotTellWhatIsUnsolved) {
  const auto note = [](const Record& record) {
    return compare_records({record}, {record}, assuming(0.0)).front().note;
  };
  Record silent = nine_of_ten(0.001);
  silent.outcome.counters.clear();
  EXPECT_EQ(change_between(nine_of_ten(3.0), silent), "untimed");
  EXPECT_EQ(note(silent), "9 of 10 solved; times are not compared");
  Record elsewhere = nine_of_ten(0.001);
  elsewhere.problem = "elsewhere";
  EXPECT_EQ(note(elsewhere), "9 of 10 solved; times are not compared");
  Record wavering = nine_of_ten(0.001);
  wavering.outcome.judgement->metrics["solved"] = 9.5;
  EXPECT_EQ(note(wavering), "9 of 10 solved; times are not compared") << "the counter is of the last sample";
}

TEST(CompareRecords, DoesNotCallAWorseModelFaster) {
  const std::vector<Record> before(3, trained(0.717, 1, 1.0));
  const std::vector<Record> after(3, trained(0.9, 0, 0.5));
  EXPECT_EQ(compare_records(before, after, {}).front().change, Change::worse);
  EXPECT_TRUE(is_worse(compare_records(before, after, {})));
  EXPECT_EQ(compare_records(after, before, {}).front().change, Change::better);
  EXPECT_EQ(change_between(trained(0.717, 1, 1.0), trained(0.9, 1, 0.5)), "worse");
  EXPECT_EQ(change_between(trained(0.717, 1, 1.0), trained(0.717, 0, 0.5)), "worse");
  EXPECT_EQ(change_between(trained(0.9, 1, 1.0), trained(0.717, 1, 2.0)), "better");
  EXPECT_EQ(change_between(trained(0.717, 1, 1.0), trained(0.722, 1, 0.5)), "faster");
  EXPECT_EQ(change_between(trained(23.0, 1, 1.0), trained(23.1, 1, 0.5)), "faster") << "ratings up to 100";
  EXPECT_EQ(change_between(trained(0.717, 0, 1.0), trained(0.9, 1, 2.0)), "worse") << "better by one, worse by another";
  EXPECT_EQ(change_between(trained(0.717, 0.8, 1.0), trained(0.9, 0.5, 1.0)), "worse") << "one of them is not clear";
  EXPECT_EQ(compare_records({trained(0.717, 1, 1.0)}, {trained(0.9, 1, 0.5)}, {}).front().note,
            "RMSE: 0.717 -> 0.9; times are not compared");
}

TEST(CompareRecords, KnowsTheQualityOfEachProblem) {
  std::vector<std::string> with_quality;
  for (const ProblemEntry& problem : problems()) {
    if (!problem.info.quality.empty()) with_quality.push_back(problem.info.id);
    for (const QualityMetric& metric : problem.info.quality) {
      const char* const id = problem.info.id.c_str();
      const Record high = judged(id, {{metric.name, 20}}, 1.0);
      const Record low = judged(id, {{metric.name, 10}}, 1.0);
      EXPECT_EQ(change_between(high, low), metric.higher_is_better ? "worse" : "better") << id << ' ' << metric.name;
      EXPECT_EQ(change_between(low, high), metric.higher_is_better ? "better" : "worse") << id << ' ' << metric.name;
    }
  }
  EXPECT_EQ(with_quality, (std::vector<std::string>{"matrix_factorization", "nearest_neighbors", "subgraph_matching"}));
}

TEST(CompareRecords, LooksAtRecallAndSolvedQueriesOfUnknownProblems) {
  for (const char* metric : {"recall", "solved"}) {
    EXPECT_EQ(change_between(judged("elsewhere", {{metric, 1.0}}, 1.0), judged("elsewhere", {{metric, 0.0}}, 0.5)),
              "worse");
  }
  EXPECT_EQ(change_between(judged("elsewhere", {{"rmse", 0.7}}, 1.0), judged("elsewhere", {{"rmse", 0.9}}, 0.5)),
            "faster");
}

TEST(CompareRecords, CallsNoQualityChangedThatDiffersBetweenSamplesOrExecutions) {
  EXPECT_EQ(change_between(solved(18.9, 1.0), solved(18.8, 1.0)), "ambiguous");
  EXPECT_EQ(change_between(solved(19, 1.0), solved(18.9, 1.0)), "ambiguous");
  EXPECT_EQ(change_between(solved(18.9, 1.0), solved(16.8, 1.0)), "worse");
  EXPECT_EQ(change_between(solved(18.833333333333336, 1.0), solved(18.833333333333332, 0.5)), "faster");
  EXPECT_EQ(change_between(solved(18.9, 1.0), solved(18.9, 0.5)), "faster");
  const auto change = [](std::vector<double> before, std::vector<double> after) {
    const auto executions = [](const std::vector<double>& recalls) {
      std::vector<Record> records;
      for (const double recall : recalls) records.push_back(recalled(recall, 1.0));
      return records;
    };
    return compare_records(executions(before), executions(after), {}).front().change;
  };
  EXPECT_EQ(change({0.95, 0.90}, {0.92, 0.91}), Change::ambiguous);
  EXPECT_EQ(change({0.95, 0.94}, {0.92, 0.91}), Change::worse);
  EXPECT_EQ(change({0.90, 0.91}, {0.95, 0.94}), Change::better);
}

class CompareCommand : public ::testing::Test {
 protected:
  int compare_files(const std::vector<Record>& before, const std::vector<Record>& after, bool json = false) {
    const auto write = [&](const char* name, const std::vector<Record>& records) {
      ResultsFile file(directory_.path() / (std::to_string(++count_) + name));
      for (const Record& record : records) file.append(record);
      return directory_.path() / (std::to_string(count_) + name);
    };
    const auto old_file = write("old.jsonl", before);
    const auto new_file = write("new.jsonl", after);
    CompareOptions options = assuming(0.0);
    options.json = json;
    out_.str("");
    return compare(old_file, new_file, options, out_, err_);
  }
  TemporaryDirectory directory_;
  int count_ = 0;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(CompareCommand, ReturnsZeroOneOrTwo) {
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("a", 1.0)}), 0);
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("a", 0.5)}), 0);
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("a", 1.5)}), 1);
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {failed("a")}), 1);
  EXPECT_EQ(compare_files({timed("a", 1.0), timed("b", 1.0)}, {timed("a", 1.0)}), 1) << "a cell is missing";
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("b", 1.0)}), 2);
  EXPECT_EQ(compare(directory_.path() / "absent.jsonl", directory_.path(), {}, out_, err_), 2);
  EXPECT_NE(err_.str().find("absent.jsonl: no such file"), std::string::npos) << err_.str();
}

TEST_F(CompareCommand, PrintsTextAndJson) {
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("a", 1.5)}), 1);
  EXPECT_NE(out_.str().find("slower"), std::string::npos);
  EXPECT_NE(out_.str().find("x1.500"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("1 cells: 1 slower"), std::string::npos) << out_.str();
  EXPECT_EQ(compare_files({timed("a", 1.0)}, {timed("a", 1.5)}, true), 1);
  EXPECT_NE(out_.str().find("\"change\": \"slower\""), std::string::npos) << out_.str();
}

TEST_F(CompareCommand, ReadsTheCalibrationOfARunDirectory) {
  const auto write_run = [&](const std::string& name, double first, double second, const std::string& revision) {
    const std::filesystem::path run = directory_.path() / name;
    std::filesystem::create_directory(run);
    ResultsFile(run / kResultsFile).append(timed("a", first));
    Record again = timed("a", second);
    again.revision = revision;
    ResultsFile(run / kCalibrationFile).append(again);
    return run;
  };
  const auto before = write_run("before", 1.0, 1.005, "abc");
  const auto after = write_run("after", 1.1, 1.105, "abc");
  EXPECT_EQ(compare(before, after, {}, out_, err_), 1);
  EXPECT_NE(out_.str().find("1 slower"), std::string::npos) << out_.str();
  const auto other_program = write_run("resumed", 1.1, 1.105, "def");
  out_.str("");
  EXPECT_EQ(compare(write_run("old", 1.0, 1.005, "def"), other_program, {}, out_, err_), 0);
  EXPECT_NE(out_.str().find("1 cells are not calibrated"), std::string::npos) << out_.str();
}

}  // namespace
}  // namespace warpbench::harness
