// Worker: runs a group of trials in a child process. It loads the dataset, makes the solver and prepares it once, then
// configures, measures and judges trial by trial, and reports every step to the parent.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/process/messages.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {

/// Runs `trials` (indices into plan.trials, of one group, not empty). Failures are sent as messages; throws FileError
/// only if the parent cannot be reached. Returns early, after `done`, if a failed trial may have left the process in a
/// bad state; the parent then runs the rest in a new worker. `reference_failure` is as in ReferenceRules.
void work(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
          const std::string& reference_failure, const MessageWriter& parent);

}  // namespace warpbench::harness
