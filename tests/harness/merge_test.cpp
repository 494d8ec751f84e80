// `warpbench merge`: what is put together, and what is refused.
#include "harness/record/runs/merge.hpp"

#include <functional>

#include "harness/machine/environment.hpp"
#include "harness/record/environment_json.hpp"
#include "support/results_fixture.hpp"

namespace warpbench::harness {
namespace {

class Merge : public ::testing::Test {
 protected:
  Merge() { options_.run = "merged"; }

  /// A run directory with these records.
  fs::path write(const std::string& name, const std::vector<Record>& records, const std::string& started_at = "2026") {
    const fs::path run = directory_.path() / name;
    fs::create_directories(run);
    replace_file(run / "spec.yaml", "experiment: tests/record\nproblem: fake\n");
    Environment environment;
    environment.run = name;
    environment.machine = "xeon-2c";
    environment.started_at = started_at;
    environment.trials = 3;
    replace_file(run / "environment.json", to_json(environment));
    ResultsFile file(run / kResultsFile);
    for (const Record& record : records) file.append(record);
    return run;
  }
  void change_environment(const fs::path& run, const std::function<void(Environment&)>& change) {
    Environment environment = environment_from(read_file(run / "environment.json"));
    change(environment);
    replace_file(run / "environment.json", to_json(environment));
  }
  static Record of(const std::string& trial, const std::string& revision) {
    Record record = example(trial);
    record.revision = revision;
    record.made_at.clear();
    return record;
  }
  fs::path out() const { return directory_.path() / "out"; }
  /// The message with which the merge is refused; nothing may be left of it.
  std::string refusal(const std::vector<fs::path>& runs) {
    try {
      merge_runs(runs, out(), options_);
    } catch (const std::runtime_error& error) {
      EXPECT_FALSE(fs::exists(out()));
      return error.what();
    }
    fs::remove_all(out());
    return "merged";
  }
  TemporaryDirectory directory_;
  MergeOptions options_;
};

TEST_F(Merge, SealsTheRecordsOfAllAnewAsOneRun) {
  const fs::path one = write("one", {example("a", Status::crash), example("a"), example("b", Status::interrupted)});
  const fs::path two = write("two", {of("b", "def"), example("c")});
  ResultsFile(two / kCalibrationFile).append(of("b", "def"));
  const MergeReport report = merge_runs({one, two}, out() / "", options_);
  EXPECT_EQ(report.trials, 3U);
  EXPECT_EQ(report.revisions, (std::set<std::string>{"abc", "def"}));
  const RunReport verified = verify_run(out());
  EXPECT_TRUE(verified.ok()) << verified.problems.front();
  EXPECT_EQ(verified.lines, 3U);
  EXPECT_TRUE(verified.notes.empty());
  EXPECT_EQ(read_run(out()).front().run, "merged");
  EXPECT_EQ(read_results(out() / kCalibrationFile).records.size(), 1U);
  EXPECT_EQ(environment_from(read_file(out() / "environment.json")).merged, (std::vector<std::string>{"one", "two"}));
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory_.path())) ++entries;
  EXPECT_EQ(entries, 3U) << "a temporary folder is left";
  EXPECT_THROW(merge_runs({one, two}, out(), options_), FileError) << "it exists";
}

TEST_F(Merge, ATrialInTwoDirectoriesIsAConflict) {
  const fs::path newer = write("newer", {of("a", "new")}, "2026-02");
  const fs::path older = write("older", {of("a", "old")}, "2026-01");
  ResultsFile(older / kCalibrationFile).append(of("a", "old"));
  const std::string said = refusal({older, newer});
  for (const std::string& word : {std::string("trial a"), newer.string(), older.string(), std::string("--on-conflict")})
    EXPECT_NE(said.find(word), std::string::npos) << said;
  const auto revision = [&](OnConflict how, const std::vector<fs::path>& runs) {
    options_.on_conflict = how;
    EXPECT_EQ(merge_runs(runs, out(), options_).conflicts, 1U);
    std::string found = read_run(out()).at(0).revision;
    EXPECT_EQ(fs::exists(out() / kCalibrationFile), found == "old") << "further executions of another record";
    fs::remove_all(out());
    return found;
  };
  EXPECT_EQ(revision(OnConflict::newest, {older, newer}), "new");
  EXPECT_EQ(revision(OnConflict::newest, {newer, older}), "new");
  EXPECT_EQ(revision(OnConflict::first, {older, newer}), "old");
  EXPECT_EQ(revision(OnConflict::first, {newer, older}), "new");
}

TEST_F(Merge, TheNewestRecordIsTheOneMadeLast) {
  const auto made = [](const std::string& revision, const std::string& at) {
    Record record = of("a", revision);
    record.made_at = at;
    return record;
  };
  options_.on_conflict = OnConflict::newest;
  const auto revision = [&](const fs::path& one, const fs::path& two) {
    merge_runs({one, two}, out(), options_);
    std::string found = read_run(out()).at(0).revision;
    fs::remove_all(out());
    return found;
  };
  const fs::path begun_first = write("begun-first", {made("extended", "2026-03-01T00:00:00Z")}, "2026-01-01T00:00:00Z");
  const fs::path begun_last = write("begun-last", {made("once", "2026-02-01T00:05:00Z")}, "2026-02-01T00:00:00Z");
  const fs::path older = write("older", {of("a", "older")}, "2026-02-15T00:00:00Z");
  EXPECT_EQ(revision(begun_first, begun_last), "extended");
  EXPECT_EQ(revision(begun_last, begun_first), "extended");
  EXPECT_EQ(revision(begun_last, older), "older") << "a record that does not say when counts as made at the start";
  EXPECT_EQ(revision(older, begun_first), "extended");
}

TEST_F(Merge, RefusesWhatIsNoPartOfOneRun) {
  const fs::path one = write("one", {example("a")});
  const auto expect = [&](const std::string& words, const fs::path& two) {
    const std::string said = refusal({one, two});
    EXPECT_NE(said.find(words), std::string::npos) << "expected: " << words << "\nfound: " << said;
  };
  EXPECT_EQ(refusal({one, write("good", {example("b")})}), "merged");
  expect("is given twice", one);
  expect("absent: expected a run directory", directory_.path() / "absent");
  const fs::path cpu = write("cpu", {example("b")});
  change_environment(cpu, [](Environment& environment) { environment.cpu.model = "another"; });
  expect("differ in CPU ('' and 'another')", cpu);
  const fs::path gpu = write("gpu", {example("b")});
  change_environment(gpu, [](Environment& environment) { environment.gpus.push_back({"H200", "1", 1, "9.0", 1}); });
  expect("differ in GPU driver", gpu);
  Record elsewhere = example("b");
  elsewhere.machine = "h200";
  const fs::path machine = write("machine", {elsewhere});
  expect("trial b is of tests/record on h200", machine);
  change_environment(machine, [](Environment& environment) { environment.machine = "h200"; });
  expect("differ in machine", machine);
  Record other = example("b");
  other.experiment = "tests/other";
  expect("differ in experiment", write("experiment", {other}));
  const fs::path spec = write("spec", {example("b")});
  replace_file(spec / "spec.yaml", "experiment: tests/record\nproblem: fake\ntitle: another\n");
  expect("--spec", spec);
  const fs::path damaged = write("damaged", {example("b")});
  std::string text = read_file(damaged / kResultsFile);
  text[30] ^= 1;
  replace_file(damaged / kResultsFile, text);
  expect("results.jsonl:1: ", damaged);
  const fs::path busy = write("busy", {example("b")});
  const DirectoryLock lock(busy);
  expect("another warpbench is writing", busy);
}

TEST_F(Merge, RefusesASpecThatIsNotOfTheRecords) {
  const fs::path one = write("one", {example("a")});
  for (const auto& [text, words] :
       {std::pair{"", "found an empty file"}, std::pair{"experiment: other\n", "is of the experiment 'other'"}}) {
    replace_file(one / "spec.yaml", text);
    EXPECT_NE(refusal({one}).find(words), std::string::npos) << refusal({one});
  }
  options_.spec = MergedSpec{"experiment: tests/record\n", "tests/record", {"a"}};
  EXPECT_EQ(refusal({one}), "merged");
}

TEST_F(Merge, NamesTheDamagedEnvironment) {
  const fs::path one = write("one", {example("a")});
  replace_file(one / "environment.json", "");
  EXPECT_NE(refusal({one}).find((one / "environment.json").string() + ": "), std::string::npos) << refusal({one});
}

TEST_F(Merge, NeedsANewName) {
  const fs::path one = write("one", {example("a")});
  const auto said = [&](const fs::path& out) -> std::string {
    try {
      merge_runs({one}, out, options_);
    } catch (const FileError& error) {
      return error.what();
    }
    return "merged";
  };
  EXPECT_EQ(said(""), "--out: expected the name of a new run directory, found nothing");
  EXPECT_EQ(said("/"), "/: exists already; choose another --out");
  const fs::path file = one / "spec.yaml";
  EXPECT_EQ(said(file / "x" / "y"), (file / "x" / "y").string() + ": expected a folder at " + file.string() +
                                        ", found a file; choose another --out");
  EXPECT_EQ(said(out() / ""), "merged");
  EXPECT_EQ(said(out() / ""), (out() / "").string() + ": exists already; choose another --out");
}

TEST_F(Merge, CountsATrialOfThreeDirectoriesOnce) {
  options_.on_conflict = OnConflict::first;
  const std::vector<fs::path> runs{write("one", {example("a")}), write("two", {example("a")}),
                                   write("three", {example("a")})};
  EXPECT_EQ(merge_runs(runs, out(), options_).conflicts, 1U);
}

TEST_F(Merge, LeavesTrialsOutsideTheSpecBehind) {
  const fs::path one = write("one", {example("a"), example("old")});
  change_environment(one, [](Environment& environment) { environment.outside = {"old"}; });
  const fs::path two = write("two", {example("b")});
  EXPECT_EQ(merge_runs({one, two}, out(), options_).outside, 1U);
  fs::remove_all(out());
  options_.spec = MergedSpec{"experiment: tests/record\n", "tests/record", {"a", "old"}};
  EXPECT_EQ(merge_runs({one, two}, out(), options_).trials, 2U);
  EXPECT_EQ(environment_from(read_file(out() / "environment.json")).trials, 2);
  fs::remove_all(out());
  options_.spec->experiment = "other";
  EXPECT_NE(refusal({one, two}).find("but --spec is 'other'"), std::string::npos);
}

TEST_F(Merge, PassesOverDirectoriesWithoutAFinishedTrial) {
  const fs::path one = write("one", {example("a")});
  const fs::path none = write("none", {});
  fs::remove(none / "environment.json");
  const fs::path interrupted = write("interrupted", {example("b", Status::interrupted)});
  const MergeReport report = merge_runs({none, one, interrupted}, out(), options_);
  EXPECT_EQ(report.passed_over, (std::vector<fs::path>{none, interrupted}));
  EXPECT_EQ(report.trials, 1U);
  EXPECT_EQ(environment_from(read_file(out() / "environment.json")).merged, (std::vector<std::string>{"one"}));
  fs::remove_all(out());
  EXPECT_NE(refusal({none, interrupted}).find("holds no finished trial, nor does another"), std::string::npos);
  fs::remove(none / kResultsFile);
  EXPECT_NE(refusal({one, none}).find("results.jsonl: no such file"), std::string::npos) << "it may be lost";
}

}  // namespace
}  // namespace warpbench::harness
