// Runs the program in a child process and checks exit codes, stdout and stderr.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "harness/process/durable.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int code = -1;
  std::string out;
  std::string err;
};

/// Runs `warpbench ARGUMENTS` through the shell in a folder of its own.
class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("warpbench-cli-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] Ended warpbench(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + environment + " '" + WARPBENCH_BINARY_DIR +
                                "/warpbench' " + arguments + " >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): a test's own command
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_ / "out.txt"),
            read_file(folder_ / "err.txt")};
  }

  [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  /// A spec with the given solvers over a graph generated in place.
  [[nodiscard]] fs::path spec(const std::string& solvers) const {
    return write("spec.yaml",
                 "experiment: cli/test\nproblem: common_neighbors\n"
                 "datasets: [{generator: uniform, name: small, vertices: 64, edges: 256}]\nsolvers: " +
                     solvers + "\nprotocol: {warmup: 0, repetitions: 2, timeout: 60s}\n");
  }

  fs::path folder_;
};

constexpr const char* kWithSpecHome = "WARPBENCH_HOME='" WARPBENCH_SOURCE_DIR "/tests/data/spec_home'";

TEST_F(Cli, VersionAndHelp) {
  const Ended version = warpbench("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("warpbench 0.")) << version.out;
  for (const char* command : {"", "list", "run", "plan", "references", "solve", "verify", "compare", "merge",
                              "datasets", "report", "doctor"}) {
    const Ended help = warpbench(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0) << command;
    const auto example = help.out.rfind("Example:\n  warpbench ");
    ASSERT_NE(example, std::string::npos) << command << '\n' << help.out;
    EXPECT_EQ(help.out.find('\n', example + 12), help.out.find_last_not_of('\n') + 1) << "the example is the last line";
    EXPECT_EQ(help.err, "");
  }
}

TEST_F(Cli, HelpSpeaksOfItsOwnCommand) {
  const auto says = [&](const std::string& command, const std::string& words) {
    const std::string help = warpbench(command + " --help").out;
    std::string plain;
    std::istringstream split(help);
    for (std::string word; split >> word;) plain += word + ' ';  // it is wrapped
    return plain.find(words) != std::string::npos;
  };
  EXPECT_TRUE(says("run", "one that holds results is resumed or extended"));
  EXPECT_FALSE(says("plan", "resumed or extended")) << "it runs nothing";
  EXPECT_TRUE(says("plan", "or why `run` refuses it"));
  EXPECT_TRUE(says("merge", "as a single one for each experiment"));
  EXPECT_TRUE(says("merge", "or of folders the folder of the new ones"));
}

TEST_F(Cli, BadRequestsAreOneSentenceAndExitTwo) {
  const auto refused = [&](const std::string& arguments) {
    const Ended ended = warpbench(arguments, kWithSpecHome);
    EXPECT_EQ(ended.code, 2) << arguments << '\n' << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
    return ended.err;
  };
  EXPECT_EQ(
      refused("rnu quick"),
      "warpbench: unknown command 'rnu' (did you mean 'run'?); known: list, run, plan, references, solve, verify, "
      "compare, merge, export, datasets, report, doctor\n");
  EXPECT_EQ(refused("run quick --calibrate=101"),
            "warpbench: --calibrate: expected at most 100 further executions, found 101\n");
  EXPECT_EQ(refused("export --format csv run"),
            "warpbench: --format: csv not in {google-benchmark}; `warpbench --help` explains\n");
  EXPECT_EQ(refused("frobnicate"),
            "warpbench: unknown command 'frobnicate'; known: list, run, plan, references, solve, verify, compare, "
            "merge, export, datasets, report, doctor\n");
  EXPECT_EQ(
      refused("plan demo/tabel-1"),
      "warpbench: demo/tabel-1: expected a spec file, an experiment or a suite, found nothing of that name (did you "
      "mean 'demo/table-1'?)\n");
  EXPECT_EQ(refused("plan nowhere.yaml"),
            "warpbench: nowhere.yaml:1:1: expected a YAML file, found nothing of that name\n");
  EXPECT_EQ(refused("datasets info tinny"),
            "warpbench: unknown dataset 'tinny' (did you mean 'tiny'?); `warpbench datasets list` names them\n");
  EXPECT_EQ(refused("datasets info"), "warpbench: datasets info: expected the name of a dataset, found none\n");
  EXPECT_EQ(refused("verify nowhere"),
            "warpbench: nowhere: expected a run directory or a folder of them, found none\n");
  EXPECT_NE(refused("run").find("REQUEST"), std::string::npos);
  EXPECT_NE(refused("list everything").find("everything"), std::string::npos);
  EXPECT_NE(refused("list solvers --problem common_neighbours").find("common_neighbors"), std::string::npos);
  EXPECT_NE(refused("list solvers --frob").find("--frob"), std::string::npos);
  EXPECT_NE(refused("").find("subcommand"), std::string::npos);
  EXPECT_NE(refused("run x.yaml --retry sometimes").find("sometimes"), std::string::npos);
  EXPECT_NE(refused("report x").find("make setup"), std::string::npos);
}

TEST_F(Cli, ReportsAWrongHome) {
  const Ended ended = warpbench("list datasets", "WARPBENCH_HOME=/nonexistent");
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "warpbench: /nonexistent:1:1: WARPBENCH_HOME: expected a folder that holds datasets/registry, found none "
            "there\n");
}

TEST_F(Cli, ListsSolversAsTheCoverageCheckReadsThem) {
  const Ended ended = warpbench("list solvers --json");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json solvers = nlohmann::json::parse(ended.out);
  ASSERT_TRUE(solvers.is_array());
  ASSERT_FALSE(solvers.empty());
  for (const auto& solver : solvers) {
    for (const char* key : {"problem", "solver", "title", "role", "device", "source"})
      EXPECT_TRUE(solver.at(key).is_string()) << key;
    EXPECT_TRUE(solver.at("unavailable").is_null() || solver.at("unavailable").is_string());
    for (const auto& parameter : solver.at("parameters")) {
      for (const char* key :
           {"name", "type", "default", "minimum", "maximum", "choices", "aliases", "unit", "stage", "meaning"})
        EXPECT_TRUE(parameter.contains(key)) << key;
      EXPECT_TRUE(parameter.at("stage") == "solve" || parameter.at("stage") == "prepare");
    }
  }
}

TEST_F(Cli, ListsProblemsDatasetsSuitesAndExperiments) {
  EXPECT_NE(warpbench("list problems").out.find("common_neighbors"), std::string::npos);
  EXPECT_EQ(warpbench("list suites", kWithSpecHome).out, "suite\n-----\nboth\n");
  EXPECT_EQ(warpbench("list experiments --json", kWithSpecHome).out, "[\n  \"demo/table-1\",\n  \"demo/table-2\"\n]\n");
  EXPECT_EQ(warpbench("list datasets", kWithSpecHome).out,
            "dataset   kind            origin  title\n--------  --------------  ------  -------------------\n"
            "labelled  labelled_graph  file    a graph with labels\nsmall     graph           file    fifty edges\n"
            "tiny      graph           file    five edges\n");
}

TEST_F(Cli, DatasetsOfTheRegistry) {
  const std::string data = " --data '" + folder_.string() + "'";
  EXPECT_NE(warpbench("datasets list" + data, kWithSpecHome).out.find("tiny      graph           missing"),
            std::string::npos);
  const fs::path file = write("tiny.txt", "0 1\n1 2\n2 0\n");
  EXPECT_NE(warpbench("datasets info tiny" + data, kWithSpecHome).out.find("  where        there\n"),
            std::string::npos);
  const Ended verified = warpbench("datasets verify tiny" + data, kWithSpecHome);
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_TRUE(verified.out.starts_with("tiny: all well, digest ")) << verified.out;
  EXPECT_EQ(warpbench("datasets fetch tiny" + data, kWithSpecHome).out,
            "tiny: " + file.string() + " is already there\n");
  const Ended missing = warpbench("datasets fetch small" + data, kWithSpecHome);
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("put the file at"), std::string::npos);
  EXPECT_EQ(warpbench("datasets verify small" + data, kWithSpecHome).code, 1);
}

TEST_F(Cli, MeasuresADatasetBesideWhatIsPublished) {
  fs::create_directories(folder_ / "datasets" / "registry");
  std::ofstream(folder_ / "datasets" / "registry" / "graphs.yaml")
      << "square-like:\n  kind: graph\n  stand_in: true\n  title: a graph\n  generator: uniform\n"
         "  parameters: {vertices: 1000, edges: 4000}\n"
         "  published: {vertices: 1000, edges: 9000, average_degree: 8, skewed_share: 0.5, candidates: 7}\n"
         "file:\n  kind: graph\n  title: a file\n  file: file.txt\n  format: snap\n";
  const std::string at = "WARPBENCH_HOME='" + folder_.string() + "'";
  const std::string told = warpbench("datasets info square-like", at).out;
  EXPECT_NE(told.find("`warpbench datasets info square-like --measure`"), std::string::npos) << told;
  const Ended full = warpbench("datasets info square-like --measure", at);
  EXPECT_EQ(full.code, 0) << full.err;
  EXPECT_EQ(full.out.find("--measure"), std::string::npos) << "it was measured";
  EXPECT_NE(full.out.find("\nskewed_share    0.5        0         inf x\n"), std::string::npos) << full.out;
  EXPECT_NE(full.out.find("\ncandidates      7          -         not compared\n"), std::string::npos) << full.out;
  EXPECT_NE(full.out.find("\nOff by more than 1.5 x: edges, skewed_share\n"), std::string::npos) << full.out;
  const Ended small = warpbench("datasets info square-like --measure --scale 0.5", at);
  EXPECT_NE(small.out.find("\nOff by more than 1.5 x: skewed_share\n"), std::string::npos) << "sizes are not compared\n"
                                                                                           << small.out << small.err;
  const Ended file = warpbench("datasets info file --measure --scale 0.5", at);
  EXPECT_EQ(file.code, 1);
  EXPECT_EQ(file.err, "file: --scale: expected a generated dataset, found one that is read from a file\n");
  EXPECT_EQ(warpbench("datasets info square-like --scale 0.5", at).code, 2) << "--scale needs --measure";
}

TEST_F(Cli, PlansWithoutRunning) {
  const Ended ended = warpbench("plan '" + spec("[{merge: {threads: [1, 2]}}]").string() + "'");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("cli/test: cli/test\n2 trials in ")) << ended.out;
  EXPECT_NE(ended.out.find("solver  trials\n------  ------\nmerge   2\n"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("time: not known: none of these trials was measured on this machine before\n"),
            std::string::npos)
      << ended.out;
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  EXPECT_EQ(warpbench("run --dry-run '" + spec("[{merge: {threads: [1, 2]}}]").string() + "'").out, ended.out);
}

TEST_F(Cli, PlanNamesMissingFilesAndARunBeginsWithThem) {
  const std::string text =
      "problem: common_neighbors\ndatasets: [{file: absent.txt, format: edgelist}, {file: there.txt, format: "
      "edgelist}]\n"
      "solvers: [merge]\n";
  static_cast<void>(write("there.txt", "0 1\n1 2\n"));
  static_cast<void>(write("one.yaml", "experiment: cli/one\n" + text));
  static_cast<void>(write("two.yaml", "experiment: cli/two\n" + text));
  const std::string sentence = "missing: ./absent.txt: dataset 'absent.txt' has no such file";
  const Ended plan = warpbench("plan one.yaml two.yaml --data .");
  EXPECT_EQ(plan.code, 1) << plan.err;
  EXPECT_NE(plan.out.find('\n' + sentence), std::string::npos) << plan.out;
  EXPECT_EQ(plan.out.find("there.txt:"), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("\nall 2 experiments: 4 trials\n"), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("\nmissing files: 2\n"), std::string::npos) << plan.out;
  const Ended run = warpbench("run one.yaml --data . --no-ceilings --cache cache --out three");
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(run.err.starts_with("cli/one: " + sentence)) << run.err;
}

TEST_F(Cli, PlanNamesFiguresThatCannotBeDrawn) {
  if (!fs::exists(WARPBENCH_SOURCE_DIR "/.venv/bin/python")) GTEST_SKIP() << "the plots are not set up";
  const fs::path file = spec("[{merge: {threads: [1, 2]}}]");
  const auto planned = [&](const std::string& figure) {
    std::ofstream(file, std::ios::app) << figure;
    return warpbench("plan spec.yaml");
  };
  EXPECT_EQ(planned("figure: {kind: lines, x: threads, y: edges_per_second, facet: vertices}\n").code, 0);
  static_cast<void>(spec("[{merge: {threads: [1, 2]}}]"));
  const Ended ended = planned("figure: {kind: lines, x: foo, where: {solver.parameters.treads: 1}}\n");
  EXPECT_EQ(ended.code, 1) << ended.out;
  EXPECT_NE(
      ended.out.find("\ncli/test: figure: x: no trial is known to have 'foo'; if one is counted so, write where it "
                     "stands, as in counters.foo\n"),
      std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("where: no trial is known to have 'solver.parameters.treads'"), std::string::npos);
  static_cast<void>(spec("[{merge: {threads: [1, 2]}}]"));
  EXPECT_NE(planned("figure: {kind: lines, z: threads}\n").out.find("unknown key 'z' for kind lines"),
            std::string::npos);
}

TEST_F(Cli, RunsVerifiesResumesAndCompares) {
  const std::string run =
      "run '" + spec("[{merge: {threads: [1, 2]}}]").string() + "' --no-ceilings --cache cache --out ";
  const Ended first = warpbench(run + "one");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("cli/test    2 ok      0        one\n"), std::string::npos) << first.out;
  const Ended again = warpbench(run + "one");
  EXPECT_NE(again.out.find("cli/test    2 ok      2        one\n"), std::string::npos) << again.out;
  const Ended verified = warpbench("verify one");
  EXPECT_EQ(verified.code, 0) << verified.out;
  EXPECT_NE(verified.out.find("4 of 4 samples verified"), std::string::npos) << verified.out;
  ASSERT_EQ(warpbench(run + "two").code, 0);
  const Ended compared = warpbench("compare one two");
  EXPECT_TRUE(compared.code == 0 || compared.code == 1) << compared.err;
  std::fstream results(folder_ / "one" / "results.jsonl", std::ios::in | std::ios::out);
  results.seekp(30);
  results.put('#');
  results.close();
  EXPECT_EQ(warpbench("verify one").code, 1) << "a byte was changed";
}

TEST_F(Cli, PlansWhatIsLeftOfARun) {
  const auto planned = [&](const std::string& arguments) { return warpbench("plan spec.yaml" + arguments).out; };
  const auto expect = [](const std::string& said, const std::string& words) {
    EXPECT_NE(said.find(words), std::string::npos) << "expected: " << words << "\nfound: " << said;
  };
  static_cast<void>(spec("[{merge: {threads: [1, 2]}}]"));
  ASSERT_EQ(warpbench("run spec.yaml --no-ceilings --cache cache --out results/one").code, 0);
  expect(planned(""), "time: 2 of 2 trials took ");
  expect(planned(" --out results/one"), "\n2 of 2 trials are done in results/one\n");
  expect(planned(" --out results/one"), "time: nothing is left to run\n");
  static_cast<void>(spec("[{merge: {threads: [1, 2, 3]}}, bmp]"));
  expect(planned(""), "time: 2 of 4 trials took ");
  expect(planned(""), "; of the other 2 no time is known\n");
  expect(planned(" --out results/one"), "\n2 of 4 trials are done in results/one\n");
  expect(planned(" --out results/one"), "time: not known: none of the 2 trials that are left was measured");
  ASSERT_EQ(warpbench("run spec.yaml --no-ceilings --cache cache --out results/two").code, 0);
  expect(planned(" --out results/one"), "time: 2 of 2 trials that are left took ");
  expect(planned(" --out results/one --set protocol.repetitions=4"), "\n0 of 4 trials are done in results/one\n");
  static_cast<void>(write("other.yaml", read_file(folder_ / "spec.yaml").replace(12, 8, "cli/more")));
  expect(planned(" other.yaml --out results/both"), "all 2 experiments: 8 trials\ntime: ");
  ASSERT_EQ(warpbench("run spec.yaml other.yaml --no-ceilings --cache cache --out results/both").code, 0);
  expect(planned(" other.yaml --out results/both"), "all 2 experiments: 8 of 8 trials are done\ntime: nothing is left");
}

TEST_F(Cli, ComputesReferencesForALaterRun) {
  static_cast<void>(spec("[{merge: {threads: [1, 2]}}, mps-gpu]"));
  const Ended first = warpbench("references spec.yaml --cache cache");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(first.out.starts_with("cli/test: small: computed in ")) << first.out;
  EXPECT_EQ(std::ranges::count(first.out, '\n'), 1) << "one for all three trials: " << first.out;
  const Ended second = warpbench("references spec.yaml --cache cache");
  EXPECT_NE(second.out.find(": read from the cache in "), std::string::npos) << second.out;
  ASSERT_EQ(warpbench("run spec.yaml --no-ceilings --cache cache --out run").code, 0);
  const std::string records = read_file(folder_ / "run" / "results.jsonl");
  EXPECT_NE(records.find("\"reference_cached\":1.0"), std::string::npos) << records;
  EXPECT_EQ(records.find("\"reference_cached\":0.0"), std::string::npos) << records;
  static_cast<void>(write("absent.yaml",
                          "experiment: cli/absent\nproblem: common_neighbors\ndatasets: [{file: nowhere.txt, format: "
                          "edgelist, name: absent}]\nsolvers: [merge]\n"));
  const Ended absent = warpbench("references absent.yaml spec.yaml --cache cache");
  EXPECT_EQ(absent.code, 1) << absent.err;
  EXPECT_NE(absent.out.find(": no reference: "), std::string::npos) << absent.out;
  EXPECT_NE(absent.out.find("nowhere.txt"), std::string::npos) << absent.out;
  EXPECT_NE(absent.out.find("\ncli/test: small: "), std::string::npos) << "it goes on: " << absent.out;
}

TEST_F(Cli, PlansByTheTimesOfAFolder) {
  static_cast<void>(spec("[{merge: {threads: [1, 2]}}]"));
  ASSERT_EQ(warpbench("run spec.yaml --no-ceilings --cache cache --out elsewhere/one").code, 0);
  EXPECT_NE(warpbench("plan spec.yaml").out.find("time: not known: none of these trials was measured"),
            std::string::npos);
  const std::string said = warpbench("plan spec.yaml --times elsewhere").out;
  // Trials end at whole seconds, so a time with loading and judging is known only if these two ended at different ones.
  const std::regex expected(
      "\\ntime: 2 of 2 trials took .* on this machine before or in elsewhere, "
      "(without loading and judging|about .* with loading and judging \\(estimated from 1 of them\\))\\n");
  EXPECT_TRUE(std::regex_search(said, expected)) << said;
  fs::create_directories(folder_ / "empty");
  for (const char* folder : {"nowhere", "empty", "spec.yaml"}) {
    const Ended ended = warpbench(std::string("plan spec.yaml --times ") + folder);
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("--times: expected a folder of run directories"), std::string::npos) << ended.err;
  }
  std::fstream results(folder_ / "elsewhere" / "one" / "results.jsonl", std::ios::in | std::ios::out);
  results.seekp(0);
  results.put('#');
  results.close();
  const Ended damaged = warpbench("plan spec.yaml --times elsewhere");
  EXPECT_NE(damaged.code, 0);
  EXPECT_NE(damaged.err.find("elsewhere/one/results.jsonl:1"), std::string::npos) << damaged.err;
}

/// What hsgd-star measures of the machine, too.
TEST_F(Cli, KeepsEverythingInTheCacheThatIsAskedFor) {
  const fs::path small =
      write("ratings.yaml",
            "experiment: cli/cache\nproblem: matrix_factorization\n"
            "datasets: [{generator: planted_ratings, name: small, users: 200, items: 80, train_ratings: 2000, "
            "test_ratings: 200, task: {k: 8, iterations: 2}}]\n"
            "solvers: [{hsgd-star: {threads: 2}}]\n"
            "protocol: {warmup: 0, repetitions: 2, timeout: 60s}\n");
  for (const char* command : {"solve", "run --no-ceilings --out out"}) {
    const Ended ended = warpbench(std::string(command) + " '" + small.string() + "' --cache asked",
                                  "WARPBENCH_CACHE='" + (folder_ / "other").string() + "'");
    EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
    EXPECT_TRUE(fs::exists(folder_ / "asked" / "cost-models")) << command;
    EXPECT_FALSE(fs::exists(folder_ / "other")) << command;
    fs::remove_all(folder_ / "asked");
  }
}

TEST_F(Cli, AFailedTrialGivesExitCodeOne) {
  const fs::path missing = write("missing.yaml",
                                 "experiment: cli/missing\nproblem: common_neighbors\n"
                                 "datasets: [{file: nowhere.txt, format: snap}]\nsolvers: [merge]\n");
  const Ended ended = warpbench("run '" + missing.string() + "' --no-ceilings --cache cache --out out");
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.out.find("1 bad_input"), std::string::npos) << ended.out;
}

TEST_F(Cli, DoctorExitsWithZeroOrOne) {
  const Ended ended = warpbench("doctor");
  EXPECT_TRUE(ended.code == 0 || ended.code == 1);
  EXPECT_NE(ended.out, "");
}

}  // namespace
}  // namespace warpbench::harness
