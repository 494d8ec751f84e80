// What no reference verified: how the record of a trial says so, and solvers that contradict each other.
#include "harness/record/unverified.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/record/results_file.hpp"
#include "tests/harness/support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

Record answered(const std::string& solver, const Numbers& metrics) {
  Record record;
  record.run = "run-1";
  record.trial = "trial-" + solver;
  record.experiment = "tests/unverified";
  record.problem = "subgraph_matching";
  record.task = {{"output", "count"}};
  record.dataset = {"human", "00ff", false, {}, {}};
  record.solver = {solver, "proposed", "cpu", {}, "best"};
  record.backend = "simt";
  record.machine = "xeon-2c";
  record.outcome.status = Status::ok;
  record.outcome.judgement = JudgementFacts{Verdict::exact, metrics, 1, 1, 1, ""};
  record.outcome.time = TimeFacts{0.2, 0.2, 0.2, 0, {0.2}, {"solve"}, 2, "fp32", "repetitions", 0};
  return record;
}

TEST(Unverified, IsRemarkedBesideATime) {
  const auto remark = [](const Numbers& metrics) { return remark_on_unverified(answered("cfl", metrics).outcome); };
  EXPECT_EQ(remark({{"solved", 20}, {"verified", 18}}), ", 18 of 20 verified");
  EXPECT_EQ(remark({{"solved", 20}, {"verified", 20}}), "");
  EXPECT_EQ(remark({{"solved", 20}}), "") << "a record older than references that leave parts open";
  EXPECT_EQ(remark({}), "");
  EXPECT_EQ(remark_on_unverified({}), "");
}

TEST(Unverified, NumbersOfTwoSolversAreCompared) {
  UnverifiedNumbers numbers;
  const Numbers twelve{{"matches", 40}, {"unverified_count_of_query_7", 12}};
  EXPECT_TRUE(numbers.contradictions(answered("cfl", twelve)).empty());
  EXPECT_TRUE(numbers.contradictions(answered("vf3", twelve)).empty());
  EXPECT_TRUE(numbers.contradictions(answered("fsig", {{"matches", 3}})).empty()) << "which did not solve it";
  EXPECT_EQ(numbers.contradictions(answered("gsi", {{"unverified_count_of_query_7", 13}})),
            std::vector<std::string>{"human: unverified_count_of_query_7 is 12 by cfl (trial trial-cfl) and 13 by gsi "
                                     "(trial trial-gsi): one of them is wrong"});
  Record other = answered("gsi", {{"unverified_count_of_query_7", 13}});
  other.task["output"] = "digest";
  EXPECT_TRUE(numbers.contradictions(other).empty()) << "another task";
  other.dataset.name = "yeast";
  EXPECT_TRUE(numbers.contradictions(other).empty()) << "another dataset";
}

std::ptrdiff_t contradictions_in(const std::filesystem::path& run) {
  return std::ranges::count_if(verify_run(run).problems, [](const std::string& problem) {
    return problem.find("unverified_count_of_query_0 is 12 by cfl") != std::string::npos;
  });
}

TEST(Unverified, ContradictionsAreProblemsOfARun) {
  const TemporaryDirectory directory;
  ResultsFile results(directory.path() / "results.jsonl");
  results.append(answered("cfl", {{"unverified_count_of_query_0", 12}}));
  EXPECT_EQ(contradictions_in(directory.path()), 0);
  results.append(answered("gsi", {{"unverified_count_of_query_0", 13}}));
  EXPECT_EQ(contradictions_in(directory.path()), 1);
}

}  // namespace
}  // namespace warpbench::harness
