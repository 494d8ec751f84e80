// Runner: runs a plan. The parent process never touches a GPU: a child process runs each group of trials and sends
// finished trials back over a pipe. Only the parent writes results.
#pragma once

#include <cstdint>
#include <map>

#include "harness/plan/plan.hpp"
#include "harness/record/status.hpp"
#include "harness/run/probe.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {

struct RunSummary {
  std::map<Status, std::int64_t> by_status;
  std::int64_t resumed = 0;         ///< trials found finished in the run directory
  std::int64_t failed_further = 0;  ///< further executions (RunOptions::calibrations) that are not ok, earlier ones too
  /// Ended by Ctrl-C or SIGTERM. Finished trials are kept. The running trial is recorded as interrupted and runs again
  /// when the run is resumed.
  bool interrupted = false;
};

/// Runs the trials of `plan` that are not finished in options.out. Throws if the run directory cannot be used (another
/// plan's, locked by another process, not writable). A failed trial is a status, never an exception.
RunSummary run(const Plan& plan, const RunOptions& options);

/// The same as one of several runs in a row, with what `probe` finds; options.measure_ceilings is the probe's. The
/// trials of all of the plans are those of `progress`.
RunSummary run(const Plan& plan, const RunOptions& options, SharedProbe& probe, Progress& progress);

}  // namespace warpbench::harness
