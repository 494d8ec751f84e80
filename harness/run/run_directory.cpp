#include "harness/run/run_directory.hpp"
#include "harness/record/environment_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace warpbench::harness {
namespace {

constexpr const char* kElsewhere = "choose another --out";

const std::filesystem::path& created(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path, "mkdir", error.value());
  return path;
}

/// Begins a run, or checks that the existing one has this plan's spec and returns the environment of its first start.
std::optional<Environment> begin_or_resume(const std::filesystem::path& path, const Plan& plan) {
  const std::filesystem::path spec = path / "spec.yaml";
  if (!std::filesystem::exists(spec)) {
    if (std::filesystem::exists(path / "results.jsonl")) {
      throw FileError(fmt::format("{}: holds results without their spec.yaml; {}", path.string(), kElsewhere));
    }
    replace_file(spec, plan.spec_text);
  } else if (read_file(spec) != plan.spec_text) {
    throw FileError(fmt::format("{}: holds results of another spec than {} (see its spec.yaml); {}", path.string(),
                                plan.spec_file, kElsewhere));
  }
  if (!std::filesystem::exists(path / "environment.json")) return std::nullopt;
  return environment_from(read_file(path / "environment.json"));
}

}  // namespace

RunDirectory::RunDirectory(const std::filesystem::path& path, const Plan& plan)
    : path_(created(path)), lock_(path_), environment_(begin_or_resume(path_, plan)), results_(path_ / kResultsFile) {
  for (const Record& record : results_.found().records) {
    if (std::ranges::find(plan.trials, record.trial, &Trial::id) == plan.trials.end()) {
      throw FileError(fmt::format("{}: trial {} is not of this plan (other overrides, or another dataset); {}",
                                  (path_ / "results.jsonl").string(), record.trial, kElsewhere));
    }
  }
}

void RunDirectory::write_environment(const Environment& environment) {
  environment_ = environment;
  replace_file(path_ / "environment.json", to_json(environment));
}

ResultsFile& RunDirectory::calibration() {
  if (!calibration_) calibration_.emplace(path_ / kCalibrationFile);
  return *calibration_;
}

std::filesystem::path RunDirectory::log(std::size_t group) const {
  return path_ / "logs" / fmt::format("group-{:04}.log", group);
}

}  // namespace warpbench::harness
