// What no reference verified: how the record of a trial says so, and solvers that contradict each other.
#include "harness/record/unverified.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/record/results_file.hpp"
#include "harness/spec/yaml_tree.hpp"
#include "problems/problem.hpp"
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
  other.task["semantics"] = "homomorphism";
  EXPECT_TRUE(numbers.contradictions(other).empty()) << "another task";
  other.dataset.name = "yeast";
  EXPECT_TRUE(numbers.contradictions(other).empty()) << "another dataset";
}

/// Whether the numbers of the two tasks are compared.
bool are_compared(const std::map<std::string, Value>& one, const std::map<std::string, Value>& other) {
  UnverifiedNumbers numbers;
  Record first = answered("cfl", {{"unverified_count_of_query_7", 12}});
  Record second = answered("gsi", {{"unverified_count_of_query_7", 13}});
  first.task = one;
  second.task = other;
  EXPECT_TRUE(numbers.contradictions(first).empty());
  return !numbers.contradictions(second).empty();
}

TEST(Unverified, NumbersOfTasksThatAskForTheSameAreCompared) {
  using Task = std::map<std::string, Value>;
  const Task count{{"output", "count"}, {"first", 1000}, {"query_timeout", 3.0}, {"semantics", "isomorphism"}};
  const auto with = [&count](const char* name, const Value& value) {
    Task task = count;
    task[name] = value;
    return task;
  };
  for (const Task& same :
       {count, with("output", "digest"), with("output", "matches"), with("query_timeout", 100.0), with("first", 5)}) {
    EXPECT_TRUE(are_compared(count, same));
  }
  EXPECT_FALSE(are_compared(count, with("semantics", "homomorphism")));
  const Task first = with("output", "first");
  EXPECT_FALSE(are_compared(count, first)) << "of which it gives fewer";
  Task fewer = first;
  fewer["first"] = 5;
  EXPECT_FALSE(are_compared(first, fewer));
  Task longer = first;
  longer["query_timeout"] = 100.0;
  EXPECT_TRUE(are_compared(first, longer));
}

/// As quantities.yaml of a problem declares them, a line each: `output unless output=first`.
std::set<std::string> declared_beside(const std::string& problem) {
  const std::filesystem::path file =
      std::filesystem::path(WARPBENCH_SOURCE_DIR) / "problems" / problem / "quantities.yaml";
  if (!std::filesystem::exists(file)) return {};
  const Yaml tree = parse_yaml(read_yaml_text(file), file.string());
  const YamlEntry* const declared = tree->find("indifferent");
  std::set<std::string> lines;
  for (const YamlEntry& parameter : declared == nullptr ? std::vector<YamlEntry>() : declared->value->entries) {
    std::string line = parameter.key;
    if (const YamlEntry* const unless = parameter.value->find("unless")) {
      for (const YamlEntry& condition : unless->value->entries) {
        line += " unless " + condition.key + "=" + condition.value->text;
      }
    }
    lines.insert(line);
  }
  return lines;
}

TEST(Unverified, FiguresKnowTheSameIndifferentParameters) {
  for (const ProblemEntry& problem : problems()) {
    std::set<std::string> lines;
    for (const IndifferentParameter& parameter : problem.info.indifferent) {
      std::string line = parameter.name;
      for (const auto& [name, value] : parameter.unless) line += " unless " + name + "=" + warpbench::to_string(value);
      lines.insert(line);
      EXPECT_TRUE(std::ranges::any_of(problem.info.task, [&](const auto& one) { return one.name == parameter.name; }));
    }
    EXPECT_EQ(lines, declared_beside(problem.info.id)) << problem.info.id;
  }
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
