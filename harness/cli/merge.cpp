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
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::cout << fmt::format("{}: {} of {}\n", out.string(), counted(report.trials, "trial", "trials"),
                           counted(directories, "directory", "directories"));
  if (report.conflicts > 0)
    std::cout << fmt::format("  note: {} in several directories; the {} counts\n",
                             counted(report.conflicts, "trial was", "trials were"), command.on_conflict);
  if (report.outside > 0)
    std::cout << fmt::format("  note: {} left behind, because the spec lacks their trials\n",
                             counted(report.outside, "record was", "records were"));
  if (report.revisions.size() > 1)
    std::cout << fmt::format("  note: the records are of {} revisions: {}\n", report.revisions.size(),
                             fmt::join(report.revisions, ", "));
}

void tell_passed_over(const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories)
    std::cout << fmt::format("note: {} holds no finished trial and was passed over\n", directory.string());
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
    tell_passed_over(merge_folders(command.runs, command.out, options, new_run,
                                   [&](const fs::path& out, std::size_t directories, const MergeReport& report) {
                                     tell(command, out, directories, report);
                                   }));
    return kAllWell;
  }
  options.run = new_run();
  if (!command.spec.empty()) {
    const Plan plan = load_plan(command.spec, {command.data, {}});
    options.spec = {plan.spec_text, plan.experiment, {}};
    for (const Trial& trial : plan.trials) options.spec->trials.insert(trial.id);
  }
  const MergeReport report = merge_runs(command.runs, command.out, options);
  tell(command, command.out, command.runs.size() - report.passed_over.size(), report);
  tell_passed_over(report.passed_over);
  return kAllWell;
}

}  // namespace warpbench::harness
