#include "harness/record/results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "harness/machine/shell_words.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/statistics.hpp"
#include "harness/record/status.hpp"
#include "harness/record/unverified.hpp"
#include "harness/spec/yaml_tree.hpp"

namespace warpbench::harness {

ResultsContent read_results(const std::filesystem::path& file) {
  ResultsContent content;
  if (!std::filesystem::exists(file)) return content;
  const std::string bytes = read_file(file);
  std::size_t number = 0;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = bytes.find('\n', start);
    if (end == std::string::npos) {
      content.cut_bytes = bytes.size() - start;
      break;
    }
    ++number;
    const std::string_view line = std::string_view(bytes).substr(start, end - start);
    try {
      check_own_crc(line);
      content.records.push_back(record_from(line));
      if (const std::string crc = crc_field(line); crc != content.last_crc) {
        throw RecordError(fmt::format("crc32 is {}, but the line before has {}: line {} was altered or removed", crc,
                                      content.last_crc, number - 1));
      }
    } catch (const RecordError& error) {
      throw RecordError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
    content.last_crc = crc32_of(line);
    start = end + 1;
    content.whole_bytes = start;
  }
  return content;
}

std::vector<Record> latest_records(const std::vector<Record>& records) {
  std::map<std::string, std::size_t> place;
  std::vector<Record> latest;
  for (const Record& record : records) {
    const auto [known, added] = place.try_emplace(record.trial, latest.size());
    if (added) {
      latest.push_back(record);
    } else {
      latest[known->second] = record;
    }
  }
  return latest;
}

namespace {

/// The recorded trials that the spec of a run directory has no more; none without environment.json.
std::set<std::string> outside_spec(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "environment.json";
  if (!std::filesystem::exists(file)) return {};
  const std::vector<std::string> outside = read_environment(file).outside;
  return {outside.begin(), outside.end()};
}

}  // namespace

std::vector<Record> read_run(const std::filesystem::path& run) {
  const std::filesystem::path file = std::filesystem::is_directory(run) ? run / kResultsFile : run;
  if (!std::filesystem::exists(file)) throw FileError(fmt::format("{}: no such file", file.string()));
  std::vector<Record> latest = latest_records(read_results(file).records);
  if (file.filename() == kResultsFile) {
    const std::set<std::string> outside = outside_spec(file.parent_path());
    std::erase_if(latest, [&](const Record& record) { return outside.contains(record.trial); });
  }
  return latest;
}

ResultsFile::ResultsFile(const std::filesystem::path& file) : path_(file), found_(read_results(file)) {
  const bool created = !std::filesystem::exists(file);
  file_ = Descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file_.open()) throw FileError(file, "open", errno);
  if (created) sync_directory(file.parent_path());
  if (found_.cut_bytes > 0) {
    if (::ftruncate(file_.get(), static_cast<off_t>(found_.whole_bytes)) != 0) throw FileError(file, "truncate", errno);
    if (::fsync(file_.get()) != 0) throw FileError(file, "fsync", errno);
  }
  last_crc_ = found_.last_crc;
  size_ = found_.whole_bytes;
}

void ResultsFile::append(const Record& record) {
  const std::string line = to_line(record, last_crc_);
  try {
    write_all(file_.get(), line + "\n", path_);
    if (::fsync(file_.get()) != 0) throw FileError(path_, "fsync", errno);
  } catch (const FileError& error) {
    // Shrinking needs no space. If it fails nevertheless, the next reader finds and reports a cut last line.
    const bool undone = ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0;
    throw FileError(fmt::format("{}; trial {} was not recorded, the {} records before it are {}", error.what(),
                                record.trial, path_.filename().string(), undone ? "intact" : "followed by a cut line"));
  }
  last_crc_ = crc32_of(line);
  size_ += line.size() + 1;
}

namespace {

/// Complains if the numbers of a time do not follow from its samples. `whose`: "" or "preparations' ".
template <typename Facts>
void check_median(const Facts& facts, const std::string& whose,
                  const std::function<void(const std::string&)>& complain) {
  const double expected = median(facts.samples);
  if (std::abs(expected - facts.median) > 1e-9 * expected) {
    return complain(
        fmt::format("the recorded {}median {} is not that of the samples, {}", whose, facts.median, expected));
  }
  if (!(facts.low <= facts.median && facts.median <= facts.high)) {
    complain(fmt::format("the interval of the {}median, {} to {}, does not hold it, {}", whose, facts.low, facts.high,
                         expected));
  }
}

void check_record(const Record& record, RunReport& report) {
  const std::function<void(const std::string&)> complain = [&](const std::string& what) {
    report.problems.push_back(fmt::format("trial {} ({}): {}", record.trial, record.solver.name, what));
  };
  const Outcome& outcome = record.outcome;
  const bool has_time = outcome.time && !outcome.time->samples.empty();
  if (has_time) check_median(*outcome.time, "", complain);
  if (outcome.prepare && !outcome.prepare->samples.empty()) {
    check_median(*outcome.prepare, "preparations' ", complain);
  }
  if (outcome.status != Status::ok) {
    if (outcome.reason.empty()) complain(fmt::format("{} without a reason", to_string(outcome.status)));
    if (outcome.time && outcome.status != Status::unverified) {
      complain(fmt::format("{} with a time", to_string(outcome.status)));
    }
    if (outcome.status == Status::wrong) complain("its answer was wrong: " + outcome.reason);
    return;
  }
  if (!has_time) return complain("ok without a time");
  if (!outcome.judgement) return complain("ok without a judgement");
  const auto taken = static_cast<std::int64_t>(outcome.time->samples.size());
  report.samples += taken;
  report.verified_samples += std::min(taken, outcome.judgement->verified);
  if (outcome.judgement->verdict == Verdict::wrong) complain("ok with a wrong answer");
  if (outcome.judgement->taken != taken || outcome.judgement->verified != taken) {
    complain(fmt::format("{} of {} samples were verified", outcome.judgement->verified, taken));
  }
}

/// Complains if `record` is of another run, machine, backend or experiment than `first`.
void check_source(const Record& record, const Record& first, RunReport& report) {
  for (const auto& [what, field] :
       {std::pair{"run", &Record::run}, std::pair{"machine", &Record::machine}, std::pair{"backend", &Record::backend},
        std::pair{"experiment", &Record::experiment}}) {
    if (record.*field != first.*field) {
      report.problems.push_back(fmt::format("trial {}: another {} than the first record's: {}, not {}", record.trial,
                                            what, record.*field, first.*field));
    }
  }
}

/// What is to be done about a spec.yaml that was edited. `run` refuses one that is not of the run's experiment, and on
/// another machine than the run's.
std::string note_on_changed_spec(const std::filesystem::path& directory, bool fits, const Environment& environment) {
  const std::string file = (directory / "spec.yaml").string();
  return fmt::format(
      "{}: is no longer the one that the records were made from; restore it{}", file,
      fits ? fmt::format(", or, on {} ({}), make it the run's own with `warpbench run {} --out {}`, which runs what it "
                         "adds",
                         environment.machine, environment.backend, quoted(file), quoted(directory.string()))
           : ": with this one no run can go on here");
}

/// Complains unless spec.yaml and environment.json are there and are those of the records; `first` is one, if any is.
void check_companions(const std::filesystem::path& directory, const Record* first, RunReport& report) {
  const auto check = [&](const char* name, const char* what, std::string Record::*field, const auto& value_in) {
    const std::filesystem::path file = directory / name;
    const std::size_t before = report.problems.size();
    try {
      const std::string value = value_in(file);
      if (first != nullptr && value != first->*field) {
        report.problems.push_back(
            fmt::format("{}: is of {} {}, but the records are of {}", file.string(), what, value, first->*field));
      }
    } catch (const std::exception& error) {
      const std::string text = error.what();
      report.problems.push_back(text.starts_with(directory.string()) ? text : file.string() + ": " + text);
    }
    return report.problems.size() == before;
  };
  const bool spec_fits = check("spec.yaml", "experiment", &Record::experiment, [](const std::filesystem::path& file) {
    const Yaml tree = parse_yaml(read_yaml_text(file), file.string());
    const YamlEntry* experiment = tree->find("experiment");
    if (experiment == nullptr) refuse(tree->place, "expected the key 'experiment', found none");
    return experiment->value->text;
  });
  check("environment.json", "machine", &Record::machine, [&, spec_fits](const std::filesystem::path& file) {
    const Environment environment = read_environment(file);
    report.changed_spec = !environment.spec_crc32.empty() && std::filesystem::exists(directory / "spec.yaml") &&
                          crc32_of(read_file(directory / "spec.yaml")) != environment.spec_crc32;
    if (report.changed_spec) report.notes.push_back(note_on_changed_spec(directory, spec_fits, environment));
    report.planned = static_cast<std::size_t>(environment.trials);
    // A merged run has the command of its first part.
    report.share = environment.merged.empty() && environment.command.find(" --shard") != std::string::npos;
    return environment.machine;
  });
}

}  // namespace

RunReport verify_run(const std::filesystem::path& directory) {
  RunReport report;
  const std::filesystem::path file = directory / "results.jsonl";
  std::vector<Record> latest;
  std::set<std::string> outside;
  try {
    outside = outside_spec(directory);
  } catch (const std::exception&) {
    // check_companions() reports it.
  }
  try {
    if (!std::filesystem::exists(file)) throw FileError(fmt::format("{}: no such file", file.string()));
    const ResultsContent content = read_results(file);
    report.lines = content.records.size();
    if (content.cut_bytes > 0) {
      report.notes.push_back(
          fmt::format("{}:{}: the last line is cut after {} bytes, as a killed run leaves it; it is "
                      "ignored, and cut off when the run is resumed",
                      file.string(), report.lines + 1, content.cut_bytes));
    }
    latest = latest_records(content.records);
    report.superseded = report.lines - latest.size();
    report.outside = std::erase_if(latest, [&](const Record& record) { return outside.contains(record.trial); });
    report.trials = latest.size();
    if (content.records.empty()) report.problems.push_back(fmt::format("{}: holds no trial", file.string()));
    for (const Record& record : content.records) check_source(record, content.records.front(), report);
    UnverifiedNumbers unverified;
    for (const Record& record : latest) {
      ++report.by_status[record.outcome.status];
      check_record(record, report);
      for (std::string& contradiction : unverified.contradictions(record)) {
        report.problems.push_back(std::move(contradiction));
      }
    }
  } catch (const std::exception& error) {
    report.problems.emplace_back(error.what());
  }
  try {
    for (const Record& record : read_results(directory / kCalibrationFile).records) {
      if (!latest.empty()) check_source(record, latest.front(), report);
      if (outside.contains(record.trial)) continue;
      check_record(record, report);
      if (record.outcome.status != Status::ok) ++report.failed_further;
    }
  } catch (const std::exception& error) {
    report.problems.emplace_back(error.what());
  }
  check_companions(directory, latest.empty() ? nullptr : &latest.front(), report);
  if (report.outside > 0) {
    report.notes.push_back(fmt::format(
        "{} further trials have records, but spec.yaml has them no more: they do not count", report.outside));
  }
  if (report.trials < report.planned) {
    report.notes.push_back(
        fmt::format("{} of {} planned trials have a record: {}", report.trials, report.planned,
                    report.share ? "the run is a share of them (--shard), which `warpbench merge` puts together with "
                                   "the others, or it was ended early"
                                 : "the run was ended early, or lines were removed from the end"));
  }
  return report;
}

}  // namespace warpbench::harness
