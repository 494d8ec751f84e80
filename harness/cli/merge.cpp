// `warpbench merge`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "harness/cli/commands.hpp"
#include "harness/machine/environment.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/record/runs/merge.hpp"

namespace warpbench::harness {

int merge(const MergeCommand& command) {
  MergeOptions options;
  options.run = host_environment().run;
  if (command.on_conflict == "newest") options.on_conflict = OnConflict::newest;
  if (command.on_conflict == "first") options.on_conflict = OnConflict::first;
  if (!command.spec.empty()) {
    const Plan plan = load_plan(command.spec, {command.data, {}});
    options.spec = {plan.spec_text, plan.experiment, {}};
    for (const Trial& trial : plan.trials) options.spec->trials.insert(trial.id);
  }
  const MergeReport report = merge_runs(command.runs, command.out, options);
  std::cout << fmt::format("{}: {} trials of {} directories\n", command.out.string(), report.trials,
                           command.runs.size());
  if (report.conflicts > 0)
    std::cout << fmt::format("  note: {} trials were in several directories; the {} counts\n", report.conflicts,
                             command.on_conflict);
  if (report.outside > 0)
    std::cout << fmt::format("  note: {} records were left behind, because the spec lacks their trials\n",
                             report.outside);
  if (report.revisions.size() > 1)
    std::cout << fmt::format("  note: the records are of {} revisions: {}\n", report.revisions.size(),
                             fmt::join(report.revisions, ", "));
  return kAllWell;
}

}  // namespace warpbench::harness
