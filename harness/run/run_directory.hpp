// RunDirectory: one run on disk: spec.yaml, environment.json, results.jsonl, calibration.jsonl if it was calibrated,
// and logs/. Locked while it is written to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/machine/environment.hpp"
#include "harness/plan/plan.hpp"
#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"

namespace warpbench::harness {

class RunDirectory {
 public:
  /// Creates or resumes a run. Throws FileError if another process writes to it or it holds the results of another spec
  /// or of other trials; RecordError if its records are damaged.
  RunDirectory(const std::filesystem::path& path, const Plan& plan);

  /// The environment of the first start; nothing in a new directory.
  [[nodiscard]] const std::optional<Environment>& environment() const { return environment_; }
  void write_environment(const Environment& environment);
  [[nodiscard]] ResultsFile& results() { return results_; }
  /// The file of further executions; created at the first call.
  [[nodiscard]] ResultsFile& calibration();
  [[nodiscard]] std::filesystem::path log(std::size_t group) const;

 private:
  std::filesystem::path path_;
  DirectoryLock lock_;
  std::optional<Environment> environment_;
  ResultsFile results_;
  std::optional<ResultsFile> calibration_;
};

}  // namespace warpbench::harness
