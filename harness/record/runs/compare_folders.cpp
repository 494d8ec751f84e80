#include "harness/record/runs/compare_folders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/runs/run_folders.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_folder_of_runs(const fs::path& path) {
  return fs::is_directory(path) && !is_run_directory(path);
}

std::string experiment_of(const fs::path& run) {
  const std::vector<Record> records = read_run(run);
  if (records.empty()) throw CompareError(fmt::format("{}: holds no trial", run.string()));
  return records.front().experiment;
}

/// The runs of a path by experiment. Throws CompareError if there are two of one.
std::map<std::string, fs::path> runs_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {{experiment_of(path), path}};
  std::map<std::string, fs::path> runs;
  for (const fs::path& run : run_directories(path)) {
    const auto [known, added] = runs.emplace(experiment_of(run), run);
    if (!added) {
      throw CompareError(fmt::format("{} and {} are both runs of {}; give one of them, or folders with one run of each",
                                     known->second.string(), run.string(), known->first));
    }
  }
  return runs;
}

/// Compares the experiments of two folders and gathers what is to be said.
class Comparison {
 public:
  Comparison(const CompareOptions& options, std::ostream& out, std::ostream& err)
      : options_(options), out_(out), err_(err) {}

  void both(const std::string& experiment, const fs::path& old_run, const fs::path& new_run) {
    try {
      const std::vector<Cell> cells = compare_runs(old_run, new_run, options_);
      say(experiment, text_of(cells, options_));
      worse_ = worse_ || is_worse(cells);
    } catch (const std::runtime_error& error) {  // CompareError, RecordError, FileError
      err_ << "warpbench compare: " << experiment << ": " << error.what() << '\n';
      refused_ = true;
    }
  }
  void only_old(const std::string& experiment) {
    say(experiment, options_.json ? R"({"change": "only_old"})" : "only in the old folder\n");
    worse_ = true;
  }
  void only_new(const std::string& experiment) {
    say(experiment, options_.json ? R"({"change": "only_new"})" : "only in the new folder\n");
  }
  /// Returns the exit code.
  int end() {
    if (options_.json) out_ << Json{{"schema", kSchemaVersion}, {"experiments", experiments_}}.dump(2) << '\n';
    return refused_ ? 2 : worse_ ? 1 : 0;
  }

 private:
  void say(const std::string& experiment, const std::string& text) {
    if (options_.json) {
      experiments_[experiment] = Json::parse(text);
    } else {
      out_ << experiment << ":\n" << text << '\n';
    }
  }

  const CompareOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  Json experiments_ = Json::object();
  bool worse_ = false;
  bool refused_ = false;
};

}  // namespace

int compare_folders(const fs::path& old_path, const fs::path& new_path, const CompareOptions& options,
                    std::ostream& out, std::ostream& err) {
  const bool old_is_folder = is_folder_of_runs(old_path);
  const bool new_is_folder = is_folder_of_runs(new_path);
  if (!old_is_folder && !new_is_folder) return compare(old_path, new_path, options, out, err);
  try {
    const std::map<std::string, fs::path> old_runs = runs_of(old_path);
    const std::map<std::string, fs::path> new_runs = runs_of(new_path);
    Comparison comparison(options, out, err);
    const bool in_common = std::ranges::any_of(old_runs, [&](const auto& run) { return new_runs.contains(run.first); });
    if (!in_common) throw CompareError("the folders have no experiment in common");
    for (const auto& [experiment, run] : old_runs) {
      if (const auto found = new_runs.find(experiment); found != new_runs.end()) {
        comparison.both(experiment, run, found->second);
      } else if (new_is_folder) {
        comparison.only_old(experiment);
      }
    }
    for (const auto& [experiment, run] : new_runs) {
      if (old_is_folder && !old_runs.contains(experiment)) comparison.only_new(experiment);
    }
    return comparison.end();
  } catch (const std::runtime_error& error) {  // CompareError, RecordError, FileError
    err << "warpbench compare: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace warpbench::harness
