// `warpbench merge`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "harness/cli/commands.hpp"
#include "harness/machine/environment.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/record/runs/merge.hpp"
#include "harness/record/runs/merge_folders.hpp"
#include "harness/record/runs/run_folders.hpp"

namespace warpbench::harness {

namespace {

namespace fs = std::filesystem;

void tell(const MergeCommand& command, const fs::path& out, std::size_t directories, const MergeReport& report) {
  std::cout << fmt::format("{}: {} trials of {} directories\n", out.string(), report.trials, directories);
  if (report.conflicts > 0)
    std::cout << fmt::format("  note: {} trials were in several directories; the {} counts\n", report.conflicts,
                             command.on_conflict);
  if (report.outside > 0)
    std::cout << fmt::format("  note: {} records were left behind, because the spec lacks their trials\n",
                             report.outside);
  if (report.revisions.size() > 1)
    std::cout << fmt::format("  note: the records are of {} revisions: {}\n", report.revisions.size(),
                             fmt::join(report.revisions, ", "));
}

}  // namespace

int merge(const MergeCommand& command) {
  MergeOptions options;
  if (command.on_conflict == "newest") options.on_conflict = OnConflict::newest;
  if (command.on_conflict == "first") options.on_conflict = OnConflict::first;
  const auto new_run = [] { return host_environment().run; };
  const auto is_folder = [](const fs::path& path) { return fs::is_directory(path) && !is_run_directory(path); };
  const auto folder = std::ranges::find_if(command.runs, is_folder);
  if (folder != command.runs.end()) {
    if (!command.spec.empty()) {
      throw std::invalid_argument(
          fmt::format("--spec is of one experiment, but {} is a folder of runs; merge the run "
                      "directories of that experiment by themselves",
                      folder->string()));
    }
    merge_folders(command.runs, command.out, options, new_run,
                  [&](const fs::path& out, std::size_t directories, const MergeReport& report) {
                    tell(command, out, directories, report);
                  });
    return kAllWell;
  }
  options.run = new_run();
  if (!command.spec.empty()) {
    const Plan plan = load_plan(command.spec, {command.data, {}});
    options.spec = {plan.spec_text, plan.experiment, {}};
    for (const Trial& trial : plan.trials) options.spec->trials.insert(trial.id);
  }
  tell(command, command.out, command.runs.size(), merge_runs(command.runs, command.out, options));
  return kAllWell;
}

}  // namespace warpbench::harness
