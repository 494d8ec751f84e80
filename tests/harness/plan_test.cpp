// Plans: identities of trials and their groups.
#include "harness/plan/plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/plan/identity.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/spec/spec.hpp"
#include "problems/problem.hpp"
#include "tests/harness/support/spec_home.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

Plan table_1(std::vector<std::string> overrides = {}) {
  return load_plan(kSpecHome / "configs" / "demo" / "table-1.yaml", {"/nonexistent", std::move(overrides), kSpecHome});
}

std::string id_with(const std::map<std::string, Value>& given, const std::vector<ParameterSpec>& declared) {
  Trial trial;
  trial.problem = "p";
  trial.solver = "s";
  trial.parameters = Parameters(declared, given);
  return trial_id(trial, "d", "q");
}

/// Maps of up to 6 parameters with few names and few, similar values: a careless key would confuse neighbours such as
/// {a: "1 b=2"} and {a: "1", b: "2"}.
std::map<std::string, Value> random_map(std::mt19937_64& random) {
  static const std::vector<std::string> names{"a", "b", "c", "ab", "a=1", "b;c", "ef", "threads", "", "t1:1;"};
  static const std::vector<std::string> words{"",    "1",   "1.0",   "true", "a", "1 b=2",
                                              "1;b", "i1;", "t1:1;", ";",    "=", "\n"};
  std::map<std::string, Value> map;
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t i = pick(7); i > 0; --i) {
    Value& value = map[names[pick(names.size())]];
    switch (pick(4)) {
      case 0:
        value = pick(2) == 0;
        break;
      case 1:
        value = static_cast<std::int64_t>(pick(1000)) - 500;
        break;
      case 2:
        value = static_cast<double>(pick(4000)) / 8 - 100;
        break;
      default:
        value = words[pick(words.size())];
        break;
    }
  }
  return map;
}

/// Declares the parameters of a map in random order, so that Parameters accepts the map.
std::vector<ParameterSpec> declaring(const std::map<std::string, Value>& map, std::mt19937_64& random) {
  std::vector<ParameterSpec> declared;
  for (const auto& [name, value] : map) {
    ParameterSpec spec;
    spec.name = name;
    spec.default_value = value;
    declared.push_back(std::move(spec));
  }
  std::ranges::shuffle(declared, random);
  return declared;
}

TEST(TrialId, OneMillionRandomMapsDoNotCollide) {
  constexpr std::size_t kMaps = 1'000'000;
  std::mt19937_64 random(2024);
  std::set<std::map<std::string, Value>> maps;
  std::vector<std::string> ids;
  ids.reserve(kMaps);
  while (maps.size() < kMaps) {
    const auto [map, fresh] = maps.insert(random_map(random));
    if (fresh) ids.push_back(id_with({}, declaring(*map, random)));
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  const auto repeated = std::ranges::unique(ids).size();
  testing::print_figure(std::to_string(kMaps) + " parameter maps, " + std::to_string(repeated) + " collisions");
}

TEST(TrialId, DoesNotDependOnTheOrderOfKeys) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const auto map = random_map(random);
    EXPECT_EQ(id_with({}, declaring(map, random)), id_with(map, declaring(map, random)));
  }
}

TEST(TrialId, TellsTheNumberOneFromTheTextOne) {
  const std::vector<ParameterSpec> whole{parameter("x", 0)};
  const std::vector<ParameterSpec> real{parameter("x", 0.0)};
  const std::vector<ParameterSpec> text{parameter("x", "")};
  const std::string of_whole = id_with({{"x", 1}}, whole);
  const std::string of_real = id_with({{"x", 1.0}}, real);
  const std::string of_text = id_with({{"x", "1"}}, text);
  EXPECT_EQ(of_real, id_with({{"x", 1}}, real)) << "1 given for a real parameter is 1.0";
  EXPECT_NE(of_whole, of_real);
  EXPECT_NE(of_whole, of_text);
  EXPECT_NE(of_real, of_text);
  EXPECT_EQ(id_with({{"x", -0.0}}, real), id_with({{"x", 0.0}}, real));
  EXPECT_THROW(id_with({{"x", 1.0}}, whole), ParameterError);
  EXPECT_THROW(id_with({{"x", "1"}}, whole), ParameterError);
  EXPECT_THROW(id_with({{"x", 1}}, text), ParameterError);
}

TEST(TrialId, IsSixteenHexDigitsAndStable) {
  const std::string id = id_with({{"x", 1}}, {parameter("x", 0)});
  EXPECT_EQ(id.size(), 16U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(id, "c7e774de381618d8") << "stored results are found by this id: a change orphans all of them";
}

/// The ids of a plan, as a set.
std::set<std::string> ids_of(const Plan& plan) {
  std::set<std::string> ids;
  for (const Trial& trial : plan.trials) ids.insert(trial.id);
  return ids;
}

TEST(TrialId, DiffersForAllTrialsOfAPlan) {
  const Plan plan = table_1();
  EXPECT_EQ(ids_of(plan).size(), plan.trials.size());
}

TEST(TrialId, ChangesWithTheMeaningOfTheTimeOnly) {
  const auto before = ids_of(table_1());
  for (const char* same : {"title=Another", "protocol.repetitions=9", "protocol.timeout=1s",
                           "protocol.host_memory=1GiB", "protocol.profile=true", "claims=[demo/slower]"})
    EXPECT_EQ(ids_of(table_1({same})), before) << same;
  for (const char* other : {"protocol.warmup=0", "protocol.include_transfers=false", "protocol.flush_l2=true",
                            "protocol.pin_threads=true", "protocol.device_memory=1GiB", "task.threshold=0.25"}) {
    for (const std::string& id : ids_of(table_1({other}))) EXPECT_FALSE(before.contains(id)) << other;
  }
}

TEST(TrialId, ChangesWithTheContentOfAUsersFile) {
  const fs::path folder = fs::temp_directory_path() / ("warpbench-plan-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "spec.yaml") << "experiment: demo/own\nproblem: spec_probe\n"
                                         "datasets: [{file: own.txt, format: snap}]\nsolvers: [plain]\n";
  const auto id = [&](const std::string& content) {
    std::ofstream(folder / "own.txt") << content;
    return load_plan(folder / "spec.yaml", {folder, {}, kSpecHome}).trials.at(0).id;
  };
  const std::string one = id("0 1\n");
  EXPECT_NE(id("0 2\n"), one);
  EXPECT_EQ(id("0 1\n"), one);
  fs::remove_all(folder);
}

TEST(DatasetText, ChangesWithEverythingThatDecidesTheData) {
  using datasets::FileSource;
  using datasets::GeneratorSource;
  using datasets::Source;
  Source base;
  base.name = "n";
  base.from = GeneratorSource{"rmat", {{"scale", 10}}, 1};
  const auto changed = [&](const std::function<void(Source&)>& change) {
    Source copy = base;
    change(copy);
    return canonical_text(copy);
  };
  std::set<std::string> texts{canonical_text(base)};
  texts.insert(changed([](Source& s) { s.name = "m"; }));
  texts.insert(changed([](Source& s) { std::get<GeneratorSource>(s.from).seed = 2; }));
  texts.insert(changed([](Source& s) { std::get<GeneratorSource>(s.from).generator = "uniform"; }));
  texts.insert(changed([](Source& s) { std::get<GeneratorSource>(s.from).parameters["scale"] = 10.0; }));
  texts.insert(changed([](Source& s) { std::get<GeneratorSource>(s.from).parameters["scale"] = "10"; }));
  texts.insert(changed([](Source& s) { s.transforms.push_back({"labels", {}}); }));
  texts.insert(changed([](Source& s) { s.transforms.push_back({"labels", {{"count", 3}}}); }));
  texts.insert(changed([](Source& s) { s.from = FileSource{"a", "snap", "", "", "", {}}; }));
  texts.insert(changed([](Source& s) { s.from = FileSource{"a", "graph", "", "", "", {}}; }));
  texts.insert(changed([](Source& s) { s.from = FileSource{"a", "snap", "", "ff", "", {}}; }));
  texts.insert(changed([](Source& s) { s.from = FileSource{"a", "snap", "", "", "m", {}}; }));
  texts.insert(changed([](Source& s) { s.from = FileSource{"a", "snap", "", "", "", {{"o", "1"}}}; }));
  EXPECT_EQ(texts.size(), 13U);
  for (const auto& same : {changed([](Source& s) { s.title = "t"; }), changed([](Source& s) { s.citation = "c"; }),
                           changed([](Source& s) { s.published["x"] = 1.0; })})
    EXPECT_EQ(same, canonical_text(base));
}

TEST(Groups, ShareDatasetSolverTaskAndPrepareParameters) {
  const Plan plan = table_1();
  std::vector<bool> seen(plan.trials.size(), false);
  for (const Group& group : plan.groups) {
    ASSERT_FALSE(group.trials.empty());
    const Trial& first = plan.trials[group.trials[0]];
    for (const std::size_t t : group.trials) {
      EXPECT_FALSE(seen[t]);
      seen[t] = true;
      const Trial& trial = plan.trials[t];
      EXPECT_EQ(trial.dataset, first.dataset);
      EXPECT_EQ(trial.solver, first.solver);
      EXPECT_EQ(trial.task.canonical(), first.task.canonical());
      if (trial.solver != "tuned") continue;
      EXPECT_EQ(trial.parameters.text("graph"), first.parameters.text("graph"));
      EXPECT_EQ(trial.parameters.integer("depth"), first.parameters.integer("depth"));
    }
  }
  EXPECT_TRUE(std::ranges::all_of(seen, std::identity{}));
  // for each dataset and task: plain, absent, tuned nsw/4 (3 ef), hnsw/4 (3 ef), nsw/2, nsw/3
  EXPECT_EQ(plan.groups.size(), 3U * 2U * 6U);
  EXPECT_TRUE(std::ranges::is_sorted(plan.trials, {}, &Trial::dataset));
}

}  // namespace
}  // namespace warpbench::harness
