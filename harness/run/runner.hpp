// Runner: carries out a plan. The parent process never touches a GPU: each group of trials is a child process that
// streams finished trials back over a pipe; the parent is the only writer of the results.
#pragma once

#include <cstdint>
#include <map>

#include "harness/plan/plan.hpp"
#include "harness/record/status.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {

struct RunSummary {
  std::map<Status, std::int64_t> by_status;
  std::int64_t resumed = 0;  ///< trials found finished in the run directory
  /// Ended by Ctrl-C or SIGTERM. What was finished is kept; the running trial is recorded as interrupted, and runs
  /// again, unasked, when the run is resumed.
  bool interrupted = false;
};

/// Runs what of `plan` is not finished in options.out. Throws where the run directory cannot be used (another
/// plan's, locked by another process, not writable); a trial's failure is a status, never an exception.
RunSummary run(const Plan& plan, const RunOptions& options);

}  // namespace warpbench::harness
