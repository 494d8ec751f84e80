#include "harness/record/results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include "harness/record/statistics.hpp"
#include "harness/record/status.hpp"

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

void check_record(const Record& record, RunReport& report) {
  const auto complain = [&](const std::string& what) {
    report.problems.push_back(fmt::format("trial {} ({}): {}", record.trial, record.solver.name, what));
  };
  const Outcome& outcome = record.outcome;
  if (outcome.status != Status::ok) {
    if (outcome.reason.empty()) complain("status without a reason");
    if (outcome.time && outcome.status != Status::unverified) complain("a time without status ok");
    return;
  }
  if (!outcome.time || outcome.time->samples.empty()) return complain("ok without a time");
  if (!outcome.judgement) return complain("ok without a judgement");
  const auto taken = static_cast<std::int64_t>(outcome.time->samples.size());
  report.samples += taken;
  report.verified_samples += std::min(taken, outcome.judgement->verified);
  if (outcome.judgement->verdict == Verdict::wrong) complain("ok with a wrong answer");
  if (outcome.judgement->taken != taken || outcome.judgement->verified != taken) {
    complain(fmt::format("{} of {} samples were verified", outcome.judgement->verified, taken));
  }
  const double expected = median(outcome.time->samples);
  if (std::abs(expected - outcome.time->median) > 1e-9 * expected) {
    complain(fmt::format("the recorded median {} is not that of the samples, {}", outcome.time->median, expected));
  }
}

}  // namespace

RunReport verify_run(const std::filesystem::path& directory) {
  RunReport report;
  const std::filesystem::path file = directory / "results.jsonl";
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
    const std::vector<Record> latest = latest_records(content.records);
    report.trials = latest.size();
    report.superseded = report.lines - report.trials;
    for (const Record& record : latest) {
      ++report.by_status[record.outcome.status];
      if (record.machine != latest.front().machine || record.backend != latest.front().backend ||
          record.experiment != latest.front().experiment || record.run != latest.front().run) {
        report.problems.push_back(
            fmt::format("trial {}: another run, machine, backend or experiment than the first "
                        "record's",
                        record.trial));
      }
      check_record(record, report);
    }
  } catch (const std::exception& error) {
    report.problems.emplace_back(error.what());
  }
  for (const char* name : {"spec.yaml", "environment.json"}) {
    if (!std::filesystem::exists(directory / name)) {
      report.problems.push_back(fmt::format("{}: no such file", (directory / name).string()));
    }
  }
  return report;
}

}  // namespace warpbench::harness
