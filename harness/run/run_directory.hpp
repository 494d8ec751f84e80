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

class RunDirectory {
 public:
  /// Creates, resumes or extends a run. The plan's spec becomes that of the directory; records of trials that it lacks
  /// stay and are outside(). Throws FileError if another process writes to the directory or it holds the results of
  /// another experiment or problem; RecordError if its records are damaged. Then the directory is as it was.
  RunDirectory(const std::filesystem::path& path, const Plan& plan);

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
