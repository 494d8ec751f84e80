// ResultsFile: results.jsonl of a run directory. Whole lines are appended and fsynced, each line carries the CRC-32 of
// the line before it, and the parent process is the only writer. A killed writer leaves at most one cut last line,
// which is reported and cut off on resume; anything else that does not fit the chain is an error with file and line.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/process/durable.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

inline constexpr const char* kFirstCrc = "00000000";

/// The content of a results file.
struct ResultsContent {
  std::vector<Record> records;       ///< in file order, superseded ones included
  std::string last_crc = kFirstCrc;  ///< of the last whole line
  std::size_t whole_bytes = 0;       ///< up to and with the last line feed
  std::size_t cut_bytes = 0;         ///< after it: the line of a killed writer
};

/// Reads and checks everything. An absent file has no records. Throws RecordError `FILE:LINE: …`, FileError.
ResultsContent read_results(const std::filesystem::path& file);

/// The last record of each trial, in the order in which the trials first appear.
std::vector<Record> latest_records(const std::vector<Record>& records);

class ResultsFile {
 public:
  /// Opens or creates; cuts a killed writer's partial line off. The directory must be locked by the caller.
  explicit ResultsFile(const std::filesystem::path& file);

  [[nodiscard]] const ResultsContent& found() const { return found_; }
  /// Appends one record and returns when it is on the disk. Throws FileError; then the file is as before.
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
  std::size_t superseded = 0;
  std::map<Status, std::int64_t> by_status;  ///< of the last record of each trial
  std::int64_t samples = 0;
  std::int64_t verified_samples = 0;
  std::vector<std::string> problems;  ///< each one sentence with its place; empty: all is well
  std::vector<std::string> notes;     ///< a cut last line
  [[nodiscard]] bool ok() const { return problems.empty(); }
};

/// Checks the chain, the records, that machine and experiment are one, that every time has its judgement, that
/// medians follow from the samples. Never throws for what it finds.
RunReport verify_run(const std::filesystem::path& directory);

}  // namespace warpbench::harness
