// Runner: carries out a plan. The parent process never touches a GPU: each group of trials is a child process that
// streams finished trials back over a pipe; the parent is the only writer of the results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/plan.hpp"

namespace warpbench::harness {

/// How a trial ended. Only `ok` has a time that may enter a comparison.
enum class Status {
  ok,
  wrong,
  unverified,
  oom_host,
  oom_device,
  timeout,
  crash,
  gpu_error,
  bad_input,
  unsupported,
  no_device,
  interrupted
};
const char* to_string(Status status);
/// Throws std::invalid_argument, naming the known ones, for any other text.
Status status_from(const std::string& text);

struct RunOptions {
  std::filesystem::path out;    ///< the run directory; resumed where it holds results of the same plan
  std::filesystem::path data;   ///< where dataset files are looked up
  std::filesystem::path cache;  ///< memory-mapped datasets and references
  std::set<Status> retry;       ///< earlier results with these statuses run again
  bool measure_ceilings = true;
  int threads = 0;            ///< for loading and references; 0 = all
  std::filesystem::path ncu;  ///< for trials with protocol.profile; "" = they are not profiled
};

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
