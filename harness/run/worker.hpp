// Worker: what a child process does with a group of trials: load the dataset, make the solver, prepare it once, then
// configure, measure and judge trial by trial, telling the parent of every step.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/process/messages.hpp"
#include "harness/run/run_options.hpp"

namespace warpbench::harness {

/// Runs `trials` (indices into plan.trials; of one group, not empty). Failures are messages; throws FileError only
/// where the parent cannot be told. Returns early, after `done`, where a failed trial may have left the process in a
/// bad state: the parent goes on with the rest in a new worker.
void work(const Plan& plan, const std::vector<std::size_t>& trials, const RunOptions& options,
          const MessageWriter& parent);

}  // namespace warpbench::harness
