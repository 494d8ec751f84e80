// Merge: run directories of one experiment, made on one machine, put together as one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/process/durable.hpp"

namespace warpbench::harness {

/// Which record counts if two directories have the same trial.
enum class OnConflict {
  refuse,
  newest,  ///< the one made last, or where it does not say when, as if made at the start of its run
  first,   ///< that of the directory which was named first
};

/// The spec of the merged run, where it is not that of all directories.
struct MergedSpec {
  std::string text;
  std::string experiment;
  std::set<std::string> trials;  ///< ids
};

struct MergeOptions {
  OnConflict on_conflict = OnConflict::refuse;
  std::optional<MergedSpec> spec;
  std::string run;  ///< id of the merged run
};

/// The refusal of directories whose specs differ where no spec of the merged run is named.
class DifferentSpecs : public FileError {
 public:
  using FileError::FileError;
};

struct MergeReport {
  std::size_t trials = 0;
  std::vector<std::filesystem::path> passed_over = {};  ///< directories without a finished trial
  std::size_t conflicts = 0;                            ///< trials that several directories have
  std::size_t outside = 0;                              ///< records left behind, because the spec lacks their trials
  std::set<std::string> revisions = {};                 ///< of the records
};

/// Writes to `out` the last finished record of each trial, with the further executions of the same directory, sealed
/// anew and under one run id; environment.json is the first directory's and names the merged runs. Logs and superseded
/// or interrupted records are left behind, and so are directories without a finished trial. Either all of `out` is
/// written or nothing. Throws FileError if `out` exists or cannot be made, no directory has a finished trial, they
/// differ in experiment, spec (DifferentSpecs), machine, CPU, GPU driver or backend, one is being written to, or two
/// have the same trial; RecordError if a record is damaged.
MergeReport merge_runs(const std::vector<std::filesystem::path>& directories, const std::filesystem::path& out,
                       const MergeOptions& options);

/// Whether a run directory has a record that is not `interrupted`; a run that was stopped before the end of its first
/// trial has none. Throws FileError if there is no results file or it is being written to; RecordError.
[[nodiscard]] bool has_finished_trial(const std::filesystem::path& directory);

/// Throws FileError unless `out` can be made: it has a name, is new, and no file stands where one of its folders should
/// be.
void check_new(const std::filesystem::path& out);

}  // namespace warpbench::harness
