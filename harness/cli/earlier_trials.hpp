// How long trials took before, from the records of earlier runs.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

/// How long a trial took before, in seconds.
struct Earlier {
  double solving = 0.0;    ///< warm-up and samples, or up to the limit at which it ended
  double preparing = 0.0;  ///< once, in the mean; the same for all trials of a group
  double reference = 0.0;  ///< until the reference was there; it is computed for the first trial of a group
  /// From the end of the trial before it in whole seconds, with loading, judging and profiling; none: not known.
  std::optional<double> whole = {};
};
using EarlierTrials = std::map<std::string, Earlier>;  // by trial id

/// Adds the trials that the run directories in `folder` have of this backend, and of `machine` alone if one is named.
/// What cannot be read is left out: `verify` reports it.
void add_earlier_trials(const std::filesystem::path& folder, const std::optional<std::string>& machine,
                        EarlierTrials& earlier);
/// Those of all machines in the folder that --times names, none without one. Throws std::invalid_argument where there
/// is no such folder or no run in it, and what read_results() throws of a damaged file.
[[nodiscard]] EarlierTrials trials_of_times(const std::filesystem::path& folder);

/// The share of some trials that were measured before, and their time in seconds.
struct Estimate {
  std::size_t trials = 0;
  std::size_t known = 0;
  double seconds = 0.0;
  double reference_seconds = 0.0;  ///< not among `seconds`
  std::size_t known_whole = 0;     ///< trials whose whole time is known
  double whole_seconds = 0.0;      ///< of all known trials, with loading, judging and profiling as far as it is known
  /// Of all trials: one without a known time counts as the mean of those with one. 0 where none has.
  double all_seconds = 0.0;

  Estimate& operator+=(const Estimate& other);
};
/// Of the group's trials but for those `done`, by id. A group is prepared and has its reference once. What a trial
/// takes besides is that of those whose whole time is known, in the mean.
[[nodiscard]] Estimate estimate(const Plan& plan, const Group& group, const EarlierTrials& earlier,
                                const std::set<std::string>& done = {});

}  // namespace warpbench::harness
