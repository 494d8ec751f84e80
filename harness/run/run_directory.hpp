// RunDirectory: one run on disk: spec.yaml, environment.json, results.jsonl, calibration.jsonl if it was calibrated,
// and logs/. Locked while it is written to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/environment.hpp"
#include "harness/plan/plan.hpp"
#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"

namespace warpbench::harness {

/// A run on disk, or what was written of it.
struct FoundRun {
  std::optional<Environment> environment;  ///< of the first start; nothing where there was none
  ResultsContent results;
};

/// What a RunDirectory of the plan would find. Writes nothing and takes no lock, so that another process may write
/// meanwhile. Throws what its constructor throws, but for that.
[[nodiscard]] FoundRun look_into(const std::filesystem::path& path, const Plan& plan);

/// Throws FileError unless a run in `path`, begun in the environment `first`, may go on in `now`.
void check_begun_on(const Environment& now, const Environment& first, const std::filesystem::path& path);

class RunDirectory {
 public:
  /// Creates or opens a run; records of trials that the plan lacks are outside(). A directory that was there stays as
  /// it was until adopt(). Throws FileError if another process writes to it or it holds the results of another
  /// experiment or problem; RecordError if its records are damaged.
  RunDirectory(const std::filesystem::path& path, const Plan& plan);

  /// Makes the plan's spec that of the directory, if it was another.
  void adopt(const Plan& plan);

  /// The environment of the first start; nothing in a new directory.
  [[nodiscard]] const std::optional<Environment>& environment() const { return environment_; }
  void write_environment(const Environment& environment);
  /// The recorded trials that the plan lacks, in the order of their first records.
  [[nodiscard]] const std::vector<std::string>& outside() const { return outside_; }
  [[nodiscard]] ResultsFile& results() { return results_; }
  /// The file of further executions; created at the first call.
  [[nodiscard]] ResultsFile& calibration();
  [[nodiscard]] std::filesystem::path log(std::size_t group) const;

 private:
  std::filesystem::path path_;
  DirectoryLock lock_;
  std::optional<Environment> environment_;
  ResultsFile results_;
  std::vector<std::string> outside_;
  std::optional<ResultsFile> calibration_;
};

}  // namespace warpbench::harness
