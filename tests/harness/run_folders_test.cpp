// Folders of runs, as a suite leaves them: which runs they hold, and how two of them compare.
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/record/runs/compare_folders.hpp"
#include "harness/record/runs/run_folders.hpp"
#include "support/results_fixture.hpp"

namespace warpbench::harness {
namespace {

class RunFolders : public ::testing::Test {
 protected:
  /// A run of one experiment with one trial; `status` of that.
  void write_run(const std::string& folder, const std::string& experiment, Status status = Status::ok) {
    const fs::path run = directory_.path() / folder;
    fs::create_directories(run);
    Record record = example("a", status);
    record.experiment = experiment;
    ResultsFile(run / kResultsFile).append(record);
  }
  int compared(const std::string& old_path, const std::string& new_path, bool json = false) {
    CompareOptions options;
    options.json = json;
    out_.str("");
    err_.str("");
    return compare_folders(directory_.path() / old_path, directory_.path() / new_path, options, out_, err_);
  }
  TemporaryDirectory directory_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(RunFolders, AreTheRunDirectoriesBelow) {
  write_run("suite/b", "b");
  write_run("suite/a/c", "a/c");
  fs::create_directories(directory_.path() / "suite/lost");
  replace_file(directory_.path() / "suite/lost/spec.yaml", "experiment: lost\n");
  write_run("suite/.b.merging-1", "b");
  const fs::path suite = directory_.path() / "suite";
  EXPECT_EQ(run_directories(suite), (std::vector<fs::path>{suite / "a/c", suite / "b", suite / "lost"}));
  EXPECT_EQ(run_directories(suite / "b"), std::vector<fs::path>{suite / "b"});
  fs::create_directories(directory_.path() / "empty");
  EXPECT_THROW(run_directories(directory_.path() / "empty"), FileError);
  EXPECT_THROW(run_directories(suite / "absent"), FileError);
}

TEST_F(RunFolders, AreComparedExperimentByExperiment) {
  write_run("old/a", "a");
  write_run("old/b", "b");
  write_run("new/a", "a");
  write_run("new/b", "b");
  write_run("new/c", "c");
  EXPECT_EQ(compared("old", "new"), 0) << err_.str();
  EXPECT_NE(out_.str().find("b:\nambiguous"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("c:\nonly in the new folder"), std::string::npos) << out_.str();
  EXPECT_EQ(compared("new", "old"), 1) << "an experiment is missing";
  EXPECT_EQ(compared("old/a", "new"), 0) << "a run is compared with its experiment alone";
  EXPECT_EQ(compared("new", "old", true), 1);
  const nlohmann::json json = nlohmann::json::parse(out_.str());
  EXPECT_EQ(json.at("experiments").at("a").at("counts").at("ambiguous"), 1);
  EXPECT_EQ(json.at("experiments").at("c").at("change"), "only_old");
  write_run("broken/b", "b", Status::crash);
  EXPECT_EQ(compared("old/b", "broken"), 1) << "a trial is broken";
}

TEST_F(RunFolders, ThatCannotBeComparedAreRefusedByName) {
  write_run("old/a", "a");
  write_run("new/b", "b");
  EXPECT_EQ(compared("old", "new"), 2);
  EXPECT_NE(err_.str().find("no experiment in common"), std::string::npos) << err_.str();
  write_run("twice/1", "a");
  write_run("twice/2", "a");
  EXPECT_EQ(compared("old", "twice"), 2);
  EXPECT_NE(err_.str().find("are both runs of a"), std::string::npos) << err_.str();
  write_run("old/b", "b");
  replace_file(directory_.path() / "new/b" / kResultsFile, "damaged\n");
  write_run("new/a", "a");
  EXPECT_EQ(compared("old", "new"), 2);
  EXPECT_NE(err_.str().find("results.jsonl:1: "), std::string::npos) << err_.str();
}

}  // namespace
}  // namespace warpbench::harness
