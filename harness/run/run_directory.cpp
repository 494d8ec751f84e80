#include "harness/run/run_directory.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/spec/yaml_tree.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

namespace warpbench::harness {
namespace {

constexpr const char* kElsewhere = "choose another --out";

const std::filesystem::path& created(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path, "mkdir", error.value());
  return path;
}

/// Throws FileError unless the directory's spec is of the plan's experiment and problem.
void check_extends(const std::filesystem::path& spec, const Plan& plan) {
  const Yaml tree = parse_yaml(read_yaml_text(spec), spec.string());
  for (const auto& [key, wanted] :
       {std::pair{"experiment", plan.experiment}, std::pair{"problem", plan.trials.at(0).problem}}) {
    const YamlEntry* entry = tree->find(key);
    const std::string found = entry == nullptr ? "" : entry->value->text;
    if (found != wanted) {
      throw FileError(fmt::format("{}: holds results of the {} '{}', but {} has '{}'; {}", spec.parent_path().string(),
                                  key, found, plan.spec_file, wanted, kElsewhere));
    }
  }
}

/// Throws FileError unless the directory holds nothing, or a run that the plan may extend.
void check_begun(const std::filesystem::path& path, const Plan& plan) {
  const std::filesystem::path spec = path / "spec.yaml";
  if (!std::filesystem::exists(spec)) {
    if (std::filesystem::exists(path / kResultsFile)) {
      throw FileError(fmt::format("{}: holds results without their spec.yaml; {}", path.string(), kElsewhere));
    }
  } else if (read_file(spec) != plan.spec_text) {
    check_extends(spec, plan);
  }
}

/// That of the first start of a run; nothing if it has none yet.
std::optional<Environment> environment_in(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "environment.json")) return std::nullopt;
  return read_environment(path / "environment.json");
}

/// Begins a run, or checks that the plan may extend it, and returns the environment of its first start.
std::optional<Environment> begin_or_resume(const std::filesystem::path& path, const Plan& plan) {
  check_begun(path, plan);
  if (const std::filesystem::path spec = path / "spec.yaml"; !std::filesystem::exists(spec))
    replace_file(spec, plan.spec_text);
  return environment_in(path);
}

std::vector<std::string> outside_of(const Plan& plan, const std::vector<Record>& records) {
  std::set<std::string> known;
  for (const Trial& trial : plan.trials) known.insert(trial.id);
  std::vector<std::string> outside;
  for (const Record& record : records) {
    if (known.insert(record.trial).second) outside.push_back(record.trial);
  }
  return outside;
}

}  // namespace

FoundRun look_into(const std::filesystem::path& path, const Plan& plan) {
  // The error that created() would throw.
  if (!in_the_way_of(path).empty()) throw FileError(path, "mkdir", ENOTDIR);
  check_begun(path, plan);
  FoundRun found;
  found.environment = environment_in(path);
  found.results = read_results(path / kResultsFile);
  return found;
}

void check_begun_on(const Environment& now, const Environment& first, const std::filesystem::path& path) {
  if (now.machine == first.machine && now.cpu.model == first.cpu.model && now.backend == first.backend) return;
  throw FileError(fmt::format("{}: was begun on {} ({}, {}); this is {} ({}, {}); choose another --out", path.string(),
                              first.machine, first.cpu.model, first.backend, now.machine, now.cpu.model, now.backend));
}

RunDirectory::RunDirectory(const std::filesystem::path& path, const Plan& plan)
    : path_(created(path)),
      lock_(path_),
      environment_(begin_or_resume(path_, plan)),
      results_(path_ / kResultsFile),
      outside_(outside_of(plan, results_.found().records)) {}

void RunDirectory::adopt(const Plan& plan) {
  // The environment first: whoever is killed between the two finds another spec again, and goes on from here.
  const auto trials = static_cast<std::int64_t>(plan.trials.size());
  const std::string crc = crc32_of(plan.spec_text);
  const bool same_spec = read_file(path_ / "spec.yaml") == plan.spec_text;
  // Older runs do not say which spec or how many trials they had; they stay as they are while their spec does.
  const bool other_spec =
      environment_ && environment_->spec_crc32 != crc && !(environment_->spec_crc32.empty() && same_spec);
  const bool other_trials = environment_ && environment_->trials != trials && (environment_->trials > 0 || !same_spec);
  if (environment_ && (environment_->outside != outside_ || other_trials || other_spec)) {
    Environment changed = *environment_;
    changed.trials = trials;
    changed.outside = outside_;
    changed.spec_crc32 = crc;
    write_environment(changed);
  }
  if (!same_spec) replace_file(path_ / "spec.yaml", plan.spec_text);
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
