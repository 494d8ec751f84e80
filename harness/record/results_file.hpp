// ResultsFile: results.jsonl of a run directory. Whole lines are appended and fsynced, each line carries its own CRC-32
// and that of the line before it, and the parent process is the only writer. A killed writer leaves at most one
// incomplete last line, which is reported and removed on resume. Any other break of the chain is an error with file and
// line.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/process/durable.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

// In a run directory: the records of its trials, and those of further executions of them (`run --calibrate`).
inline constexpr const char* kResultsFile = "results.jsonl";
inline constexpr const char* kCalibrationFile = "calibration.jsonl";

inline constexpr const char* kFirstCrc = "00000000";

/// The content of a results file.
struct ResultsContent {
  std::vector<Record> records;       ///< in file order, superseded ones included
  std::string last_crc = kFirstCrc;  ///< of the last whole line
  std::size_t whole_bytes = 0;       ///< up to and including the last line feed
  std::size_t cut_bytes = 0;         ///< length of a killed writer's incomplete last line
};

/// Reads and checks the whole file. A missing file has no records. Throws RecordError `FILE:LINE: …`, FileError.
ResultsContent read_results(const std::filesystem::path& file);

/// The last record of each trial, in the order in which the trials first appear.
std::vector<Record> latest_records(const std::vector<Record>& records);

/// The last record of each trial of a run directory or a results file, without trials that its spec has no more. Throws
/// RecordError, FileError, also if there is no such file.
std::vector<Record> read_run(const std::filesystem::path& run);

class ResultsFile {
 public:
  /// Opens or creates the file and removes a killed writer's incomplete line. The caller must hold the directory's
  /// lock.
  explicit ResultsFile(const std::filesystem::path& file);

  [[nodiscard]] const ResultsContent& found() const { return found_; }
  /// Appends one record and returns when it is on disk. Throws FileError and then leaves the file as it was.
  void append(const Record& record);

 private:
  std::filesystem::path path_;
  ResultsContent found_;
  Descriptor file_;
  std::string last_crc_;
  std::size_t size_ = 0;
};

/// The findings of `warpbench verify` on a run directory.
struct RunReport {
  std::size_t lines = 0;
  std::size_t trials = 0;
  std::size_t planned = 0;    ///< trials of the run's plan; 0 if environment.json does not say
  bool share = false;         ///< of a run with --shard, which has some of the planned trials
  bool changed_spec = false;  ///< somebody has edited spec.yaml since; false where environment.json does not say
  std::size_t superseded = 0;
  std::size_t outside = 0;                   ///< further trials, which the run's spec had once and has no more
  std::map<Status, std::int64_t> by_status;  ///< counts the last record of each trial
  std::int64_t failed_further = 0;           ///< further executions that are not ok
  std::int64_t samples = 0;                  ///< of trials and further executions
  std::int64_t verified_samples = 0;
  std::vector<std::string> problems;  ///< one sentence each, with its place; empty = sound
  std::vector<std::string>
      notes;  ///< an incomplete last line, planned trials without a record, trials outside the spec, another spec
  [[nodiscard]] bool ok() const { return problems.empty(); }
};

/// Checks that there is a record, that the checksums of it and of the calibration and the records are intact, that run,
/// machine, backend and experiment are the same throughout and those of spec.yaml and environment.json, that every time
/// has its judgement, that medians follow from the samples, and that no answer is wrong. Of trials that the spec has no
/// more only the checksums and the origin are checked. A spec.yaml that was edited since is no problem, as the records
/// stand for themselves, but a note. Reports problems without throwing. `validate` of plots/
/// (warpbench_plots/results/checks.py) checks the same.
RunReport verify_run(const std::filesystem::path& directory);

}  // namespace warpbench::harness
