// The export to Google Benchmark's JSON has what its compare.py and cuVS Bench read.
#include "harness/record/google_benchmark.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/record/status.hpp"

namespace warpbench::harness {
namespace {

Record search_record() {
  Record record;
  record.trial = "a";
  record.problem = "nearest_neighbors";
  record.task = {{"k", 10}};
  record.dataset.name = "files/points";
  record.solver = {"ganns", "proposed", "gpu", {{"candidates", 64}, {"precision", std::string("fp32")}}};
  record.backend = "cuda";
  record.outcome.status = Status::ok;
  record.outcome.judgement = JudgementFacts{Verdict::approximate, {{"recall", 0.9}}, 1, 3, 3, ""};
  TimeFacts time;
  time.samples = {0.5, 0.25, 1.0};
  time.median = 0.5;
  record.outcome.time = time;
  record.outcome.work = {{"queries", 100.0}};
  record.outcome.counters = {{"distances_per_query", 331.0}};
  return record;
}

TEST(GoogleBenchmarkJson, HasARepetitionForEachSampleAndTheMedian) {
  const auto json = nlohmann::json::parse(to_google_benchmark({search_record()}, std::nullopt));
  EXPECT_EQ(json.at("context").at("json_schema_version"), 1);
  const auto& entries = json.at("benchmarks");
  ASSERT_EQ(entries.size(), 4U);
  const std::string name = "ganns,candidates:64,precision:fp32/files_points/nearest_neighbors,k:10";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].at("run_name"), name);
    EXPECT_EQ(entries[i].at("repetitions"), 3);
    EXPECT_EQ(entries[i].at("time_unit"), "ns");
    EXPECT_EQ(entries[i].at("real_time"), entries[i].at("cpu_time"));
    EXPECT_EQ(entries[i].at("distances_per_query"), 331.0);
  }
  EXPECT_EQ(entries[1].at("name"), name);
  EXPECT_EQ(entries[1].at("run_type"), "iteration");
  EXPECT_EQ(entries[1].at("repetition_index"), 1);
  EXPECT_EQ(entries[1].at("real_time"), 250e6);
  EXPECT_EQ(entries[3].at("name"), name + "_median");
  EXPECT_EQ(entries[3].at("run_type"), "aggregate");
  EXPECT_EQ(entries[3].at("aggregate_name"), "median");
  EXPECT_EQ(entries[3].at("real_time"), 500e6);
}

TEST(GoogleBenchmarkJson, HasTheCountersOfCuvsBenchForSearches) {
  const auto json = nlohmann::json::parse(to_google_benchmark({search_record()}, std::nullopt));
  const auto& entry = json.at("benchmarks").at(1);
  EXPECT_EQ(entry.at("Recall"), 0.9);
  EXPECT_EQ(entry.at("Latency"), 0.25);
  EXPECT_EQ(entry.at("items_per_second"), 400.0);
}

TEST(GoogleBenchmarkJson, KeepsItsOwnKeysFromNumbersOfTheSameName) {
  Record record = search_record();
  record.outcome.counters = {{"iterations", 42.0}, {"repetition_index", 7.0}, {"label", 5.0}};
  record.outcome.work["name"] = 6.0;
  const auto json = nlohmann::json::parse(to_google_benchmark({record}, std::nullopt));
  for (const auto& entry : json.at("benchmarks")) {
    EXPECT_EQ(entry.at("iterations"), 1);
    EXPECT_TRUE(entry.at("name").is_string());
    EXPECT_FALSE(entry.contains("label"));
    EXPECT_EQ(entry.contains("repetition_index"), entry.at("run_type") == "iteration");
    EXPECT_EQ(entry.at("warpbench_iterations"), 42.0);
    EXPECT_EQ(entry.at("warpbench_name"), 6.0);
  }
}

TEST(GoogleBenchmarkJson, LeavesOutTimesThatDoNotCount) {
  Record on_simt = search_record();
  on_simt.backend = "simt";
  Record failed = search_record();
  failed.outcome.status = Status::timeout;
  const auto json = nlohmann::json::parse(to_google_benchmark({on_simt, failed}, std::nullopt));
  EXPECT_TRUE(json.at("benchmarks").empty());
}

TEST(GoogleBenchmarkJson, CountsUnsolvedQueriesWithTheirLimitAndSaysHowManyAreSolved) {
  Record record = search_record();
  record.problem = "subgraph_matching";
  record.outcome.judgement->metrics = {{"solved", 99.0}};
  record.outcome.counters = {{"query_mean_s", 0.04}};
  const auto json = nlohmann::json::parse(to_google_benchmark({record}, std::nullopt));
  const auto& entries = json.at("benchmarks");
  ASSERT_EQ(entries.size(), 4U);
  for (const auto& entry : entries) EXPECT_EQ(entry.at("label"), "99 of 100 solved");
  EXPECT_DOUBLE_EQ(entries[2].at("real_time"), 4e9) << "the last sample, of which the counter is";
  EXPECT_DOUBLE_EQ(entries[3].at("real_time"), 3.5e9);
}

TEST(GoogleBenchmarkJson, CallsTimesThatCannotBeComparedAnError) {
  Record record = search_record();
  record.problem = "subgraph_matching";
  record.outcome.judgement->metrics = {{"solved", 99.0}};
  const auto json = nlohmann::json::parse(to_google_benchmark({record}, std::nullopt));
  ASSERT_EQ(json.at("benchmarks").size(), 1U);
  const auto& entry = json.at("benchmarks").at(0);
  EXPECT_EQ(entry.at("error_occurred"), true);
  EXPECT_EQ(entry.at("error_message"), "99 of 100 solved");
  EXPECT_FALSE(entry.contains("real_time"));
}

TEST(GoogleBenchmarkJson, NamesTheMachine) {
  Environment environment;
  environment.machine = "h200";
  environment.cpu.threads = 16;
  const auto json = nlohmann::json::parse(to_google_benchmark({}, environment));
  EXPECT_EQ(json.at("context").at("host_name"), "h200");
  EXPECT_EQ(json.at("context").at("num_cpus"), 16);
}

}  // namespace
}  // namespace warpbench::harness
