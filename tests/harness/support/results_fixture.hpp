// A record with every field, and a results file of three, for the tests of records.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "temporary_directory.hpp"

namespace warpbench::harness {

namespace fs = std::filesystem;

inline Record example(const std::string& trial, Status status = Status::ok) {
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
  record.made_at = "2026-01-31T23:59:59Z";
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
  outcome.prepare = PrepareFacts{{1.0, 1.5, 2.0}, 1.5, 1.0, 2.0, {{"index", 1.0}}, {8192, std::nullopt}};
  outcome.counters = {{"bytes_moved", 1e9}};
  outcome.facts = {{"program", "fake 1"}};
  outcome.profile_covers = "join";
  outcome.nvml = {{"power_w", 300.0}};
  record.ceiling = CeilingShare{"host_copy", 0.4};
  return record;
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

}  // namespace warpbench::harness
