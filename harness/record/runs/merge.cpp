#include "harness/record/runs/merge.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "harness/process/durable.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/runs/run_folders.hpp"
#include "harness/spec/yaml_tree.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// One directory that is merged. Nobody writes to it meanwhile.
struct Part {
  explicit Part(const fs::path& directory)
      : path(directory),
        lock(directory),
        spec(read_file(directory / "spec.yaml")),
        environment(read_environment(directory / "environment.json")),
        records(latest_records(read_results(directory / kResultsFile).records)),
        executions(read_results(directory / kCalibrationFile).records) {
    for (const std::vector<Record>* list : {&records, &executions}) {
      for (const Record& record : *list) check(record);
    }
  }

  void check(const Record& record) const {
    if (record.machine == environment.machine && record.experiment == records.front().experiment) return;
    throw FileError(fmt::format("{}: trial {} is of {} on {}, the directory of {} on {}; `warpbench verify` says more",
                                path.string(), record.trial, record.experiment, record.machine,
                                records.front().experiment, environment.machine));
  }

  fs::path path;
  DirectoryLock lock;
  std::string spec;
  Environment environment;
  std::vector<Record> records;
  std::vector<Record> executions;
};

using Parts = std::vector<std::unique_ptr<Part>>;

std::string drivers_of(const Environment& environment) {
  std::string text;
  for (const GpuFacts& gpu : environment.gpus) text += fmt::format("{} {}; ", gpu.name, gpu.driver);
  return text;
}

/// Throws FileError unless results of both may stand side by side in one run.
void check_alike(const Part& first, const Part& other, const MergeOptions& options) {
  const auto same = [&](const char* what, const std::string& one, const std::string& two, const char* advice) {
    if (one == two) return;
    throw FileError(fmt::format("{} and {} differ in {} ('{}' and '{}'); {}", first.path.string(), other.path.string(),
                                what, one, two, advice));
  };
  const char* const apart = "they cannot be one run";
  same("experiment", first.records.front().experiment, other.records.front().experiment, apart);
  same("machine", first.environment.machine, other.environment.machine, apart);
  same("CPU", first.environment.cpu.model, other.environment.cpu.model, apart);
  same("GPU driver", drivers_of(first.environment), drivers_of(other.environment), apart);
  same("backend", first.environment.backend, other.environment.backend, apart);
  if (!options.spec && first.spec != other.spec) {
    throw DifferentSpecs(
        fmt::format("{} and {} have different spec.yaml; name one that has the trials of both with --spec",
                    first.path.string(), other.path.string()));
  }
}

/// Throws unless the directory's spec, which is to be that of the merged run, is of its records' experiment.
void check_spec(const Part& part) {
  const std::string file = (part.path / "spec.yaml").string();
  const Yaml tree = parse_yaml(part.spec, file);
  const YamlEntry* entry = tree->find("experiment");
  const std::string found = entry == nullptr ? "" : entry->value->text;
  const std::string& wanted = part.records.front().experiment;
  if (found != wanted) {
    throw FileError(fmt::format("{}: is of the experiment '{}', but the records are of '{}'; name theirs with --spec",
                                file, found, wanted));
  }
}

/// The trials that are taken, in the order in which they are found.
class Choice {
 public:
  Choice(const MergeOptions& options, MergeReport& report) : options_(options), report_(report) {}

  void add(const Part& part) {
    const std::vector<std::string>& outside = part.environment.outside;
    for (const Record& record : part.records) {
      if (record.outcome.status == Status::interrupted) continue;
      const bool wanted = options_.spec ? options_.spec->trials.contains(record.trial)
                                        : std::ranges::find(outside, record.trial) == outside.end();
      if (!wanted) {
        ++report_.outside;
        continue;
      }
      const auto [known, added] = place_.try_emplace(record.trial, taken_.size());
      if (added) {
        taken_.emplace_back(&part, &record);
      } else if (auto& before = taken_[known->second]; decide(before, part, record)) {
        before = {&part, &record};
      }
    }
  }
  [[nodiscard]] const std::vector<std::pair<const Part*, const Record*>>& taken() const { return taken_; }
  /// Whether the record of a trial is that of `part`.
  [[nodiscard]] bool takes(const Part& part, const std::string& trial) const {
    const auto known = place_.find(trial);
    return known != place_.end() && taken_[known->second].first == &part;
  }

 private:
  /// When the record was made. A directory may have been extended long after its start, which older records do not say.
  static const std::string& time_of(const Part& part, const Record& record) {
    return record.made_at.empty() ? part.environment.started_at : record.made_at;
  }

  /// Whether the later named part's record counts.
  bool decide(const std::pair<const Part*, const Record*>& before, const Part& part, const Record& record) {
    if (options_.on_conflict == OnConflict::refuse) {
      throw FileError(fmt::format("trial {} ({}) is in {} and in {}; --on-conflict newest or first decides",
                                  record.trial, record.solver.name, before.first->path.string(), part.path.string()));
    }
    conflicts_.insert(record.trial);
    report_.conflicts = conflicts_.size();
    return options_.on_conflict == OnConflict::newest && time_of(part, record) > time_of(*before.first, *before.second);
  }

  const MergeOptions& options_;
  MergeReport& report_;
  std::map<std::string, std::size_t> place_;  ///< in taken_, by trial
  std::set<std::string> conflicts_;
  std::vector<std::pair<const Part*, const Record*>> taken_;
};

/// The content of a results file, sealed anew.
class Sealed {
 public:
  void add(Record record, const std::string& run) {
    record.run = run;
    const std::string line = to_line(record, last_crc_);
    last_crc_ = crc32_of(line);
    text_ += line + "\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string last_crc_ = kFirstCrc;
  std::string text_;
};

Environment environment_of(const Parts& parts, const MergeOptions& options) {
  Environment environment = parts.front()->environment;
  environment.run = options.run;
  environment.outside.clear();
  environment.merged.clear();
  for (const auto& part : parts) {
    environment.merged.push_back(part->environment.run);
    environment.git.dirty = environment.git.dirty || part->environment.git.dirty;
    environment.trials = std::max(environment.trials, part->environment.trials);
  }
  if (options.spec) {
    environment.trials = static_cast<std::int64_t>(options.spec->trials.size());
    environment.spec_crc32 = crc32_of(options.spec->text);
  }
  return environment;
}

/// Writes the files into a folder beside `out`, which then gets its name.
void write_whole(const fs::path& out, const std::vector<std::pair<const char*, std::string>>& files) {
  const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
  const fs::path folder = parent / fmt::format(".{}.merging-{}", out.filename().string(), ::getpid());
  if (std::error_code error; fs::create_directories(folder, error), error) throw FileError(out, "mkdir", error.value());
  try {
    for (const auto& [name, text] : files) replace_file(folder / name, text);
    if (::rename(folder.c_str(), out.c_str()) != 0) throw FileError(out, "rename", errno);
  } catch (...) {
    std::error_code ignored_because_the_first_error_is_thrown;
    fs::remove_all(folder, ignored_because_the_first_error_is_thrown);
    throw;
  }
  sync_directory(parent);
}

}  // namespace

MergeReport merge_runs(const std::vector<fs::path>& directories, const fs::path& out, const MergeOptions& options) {
  check_new(out);
  // A path that ends in a slash has no name to rename to.
  if (out.filename().empty()) return merge_runs(directories, out.parent_path(), options);
  MergeReport report;
  Parts parts;
  Choice choice(options, report);
  for (const fs::path& directory : directories) {
    if (!is_run_directory(directory)) {
      throw FileError(fmt::format(
          "{}: expected a run directory (results.jsonl, environment.json, spec.yaml), found none", directory.string()));
    }
    for (const auto& part : parts) {
      if (fs::equivalent(part->path, directory))
        throw FileError(fmt::format("{}: is given twice; give each directory once", directory.string()));
    }
    if (!has_finished_trial(directory)) {
      report.passed_over.push_back(directory);
      continue;
    }
    parts.push_back(std::make_unique<Part>(directory));
    check_alike(*parts.front(), *parts.back(), options);
  }
  if (parts.empty()) {
    throw FileError(fmt::format("{}: holds no finished trial, nor does another directory; nothing was written",
                                directories.at(0).string()));
  }
  const std::string& experiment = parts.front()->records.front().experiment;
  if (options.spec && options.spec->experiment != experiment) {
    throw FileError(fmt::format("{}: holds results of the experiment '{}', but --spec is '{}'", parts[0]->path.string(),
                                experiment, options.spec->experiment));
  }
  if (!options.spec) check_spec(*parts.front());
  for (const auto& part : parts) choice.add(*part);
  Sealed results;
  Sealed calibration;
  for (const auto& [part, record] : choice.taken()) {
    results.add(*record, options.run);
    report.revisions.insert(record->revision);
  }
  for (const auto& part : parts) {
    for (const Record& one : part->executions) {
      if (choice.takes(*part, one.trial)) calibration.add(one, options.run);
    }
  }
  report.trials = choice.taken().size();
  if (report.trials == 0) throw FileError("the spec has none of the directories' trials; nothing was written");
  std::vector<std::pair<const char*, std::string>> files{
      {"spec.yaml", options.spec ? options.spec->text : parts[0]->spec},
      {"environment.json", to_json(environment_of(parts, options))},
      {kResultsFile, results.text()}};
  if (!calibration.text().empty()) files.emplace_back(kCalibrationFile, calibration.text());
  write_whole(out, files);
  return report;
}

bool has_finished_trial(const fs::path& directory) {
  const DirectoryLock lock(directory);
  const fs::path file = directory / kResultsFile;
  if (!fs::exists(file)) throw FileError(fmt::format("{}: no such file", file.string()));
  return std::ranges::any_of(read_results(file).records,
                             [](const Record& record) { return record.outcome.status != Status::interrupted; });
}

void check_new(const fs::path& out) {
  if (out.empty()) throw FileError("--out: expected the name of a new run directory, found nothing");
  if (fs::exists(out)) throw FileError(fmt::format("{}: exists already; choose another --out", out.string()));
  if (const fs::path file = in_the_way_of(out); !file.empty()) {
    throw FileError(
        fmt::format("{}: expected a folder at {}, found a file; choose another --out", out.string(), file.string()));
  }
}

}  // namespace warpbench::harness
