#include "harness/record/runs/merge_folders.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>
#include <utility>

#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/runs/run_folders.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

std::string experiment_in(const fs::path& run) {
  const std::vector<Record> records = read_run(run);
  if (records.empty()) throw FileError(fmt::format("{}: holds no trial", run.string()));
  return records.front().experiment;
}

/// The run directories of each experiment, in the order of the folders.
std::map<std::string, std::vector<fs::path>> runs_by_experiment(const std::vector<fs::path>& folders) {
  std::map<std::string, std::vector<fs::path>> runs;
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
      const std::string experiment = experiment_in(run);
      const auto [known, added] = own.emplace(experiment, run);
      if (!added) {
        throw FileError(fmt::format("{} and {} are both runs of {}; merge these by themselves", known->second.string(),
                                    run.string(), experiment));
      }
      runs[experiment].push_back(run);
    }
  }
  return runs;
}

}  // namespace

void merge_folders(const std::vector<fs::path>& folders, const fs::path& out, const MergeOptions& options,
                   const std::function<std::string()>& run, const Merged& merged) {
  if (fs::exists(out)) throw FileError(fmt::format("{}: exists already; choose another --out", out.string()));
  if (out.filename().empty()) return merge_folders(folders, out.parent_path(), options, run, merged);
  const auto runs = runs_by_experiment(folders);
  const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
  const fs::path hidden = parent / fmt::format(".{}.merging-{}", out.filename().string(), ::getpid());
  std::vector<MergeReport> reports;
  try {
    for (const auto& [experiment, directories] : runs) {
      MergeOptions own = options;
      own.run = run();
      reports.push_back(merge_runs(directories, hidden / experiment, own));
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
}

}  // namespace warpbench::harness
