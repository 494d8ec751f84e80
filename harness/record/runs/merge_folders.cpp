#include "harness/record/runs/merge_folders.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>
#include <utility>

#include "harness/machine/shell_words.hpp"
#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/runs/run_folders.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// The run directories of each experiment, in the order of the folders.
using Runs = std::map<std::string, std::vector<fs::path>>;

/// Those with a finished trial; the others go to `passed_over`.
Runs runs_by_experiment(const std::vector<fs::path>& folders, std::vector<fs::path>& passed_over) {
  Runs runs;
  for (const fs::path& folder : folders) {
    if (is_run_directory(folder)) {
      const fs::path& other = folder == folders.front() ? folders.back() : folders.front();
      throw FileError(
          fmt::format("{} is a run directory, and {} a folder of several; give either run directories or "
                      "folders of them",
                      folder.string(), other.string()));
    }
    std::map<std::string, fs::path> own;
    for (const fs::path& run : run_directories(folder)) {
      if (!has_finished_trial(run)) {
        passed_over.push_back(run);
        continue;
      }
      const std::string experiment = read_results(run / kResultsFile).records.front().experiment;
      const auto [known, added] = own.emplace(experiment, run);
      if (!added) {
        throw FileError(fmt::format("{} and {} are both runs of {}; merge these by themselves", known->second.string(),
                                    run.string(), experiment));
      }
      runs[experiment].push_back(run);
    }
  }
  if (runs.empty()) {
    throw FileError(fmt::format("{}: holds no finished trial, nor does another run directory; nothing was written",
                                passed_over.at(0).string()));
  }
  return runs;
}

/// The command that merges some run directories.
std::string command_for(const std::vector<fs::path>& directories, const char* options, const fs::path& out) {
  std::string command = "warpbench merge";
  for (const fs::path& directory : directories) command += " " + quoted(directory.string());
  return fmt::format("{}{} --out {}", command, options, quoted(out.string()));
}

/// Throws FileError if the run directory of one experiment would lie in that of another, which would hide it.
void check_apart(const Runs& runs, const fs::path& out) {
  for (const auto& [experiment, directories] : runs) {
    for (fs::path above = fs::path(experiment).parent_path(); above.has_relative_path(); above = above.parent_path()) {
      const auto hiding = runs.find(above.string());
      if (hiding == runs.end()) continue;
      throw FileError(fmt::format(
          "{}: the results of {} would hide those of {} below them; merge the run directories of each experiment by "
          "themselves: {}",
          (out / above).string(), hiding->first, experiment, command_for(hiding->second, "", out.string() + "-apart")));
    }
  }
}

MergeReport merge_experiment(const std::string& experiment, const std::vector<fs::path>& directories,
                             const fs::path& hidden, const fs::path& out, const MergeOptions& options) {
  try {
    return merge_runs(directories, hidden / experiment, options);
  } catch (const DifferentSpecs&) {
    throw FileError(fmt::format(
        "the run directories of {} have different spec.yaml; merge these by themselves, with a spec that has the "
        "trials of all: {}",
        experiment, command_for(directories, " --spec SPEC.yaml", out / experiment)));
  }
}

}  // namespace

std::vector<fs::path> merge_folders(const std::vector<fs::path>& folders, const fs::path& out,
                                    const MergeOptions& options, const std::function<std::string()>& run,
                                    const Merged& merged) {
  check_new(out);
  if (out.filename().empty()) return merge_folders(folders, out.parent_path(), options, run, merged);
  std::vector<fs::path> passed_over;
  const Runs runs = runs_by_experiment(folders, passed_over);
  check_apart(runs, out);
  const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
  const fs::path hidden = parent / fmt::format(".{}.merging-{}", out.filename().string(), ::getpid());
  if (std::error_code error; fs::create_directories(hidden, error), error) throw FileError(out, "mkdir", error.value());
  std::vector<MergeReport> reports;
  try {
    for (const auto& [experiment, directories] : runs) {
      MergeOptions own = options;
      own.run = run();
      reports.push_back(merge_experiment(experiment, directories, hidden, out, own));
    }
    if (::rename(hidden.c_str(), out.c_str()) != 0) throw FileError(out, "rename", errno);
  } catch (...) {
    std::error_code ignored_because_the_first_error_is_thrown;
    fs::remove_all(hidden, ignored_because_the_first_error_is_thrown);
    throw;
  }
  sync_directory(parent);
  std::size_t number = 0;
  for (const auto& [experiment, directories] : runs) merged(out / experiment, directories.size(), reports[number++]);
  return passed_over;
}

}  // namespace warpbench::harness
