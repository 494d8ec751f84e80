// Compare: compares two runs of the same trials, cell by cell: first how they ended, then the quality of their answers,
// then their times. Times differ only by more than their samples and the spread between executions explain
// (verdict.hpp).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/record/record.hpp"
#include "harness/record/verdict.hpp"

namespace warpbench::harness {

struct CompareOptions {
  double minimum_effect = 0.02;              ///< relative; smaller changes are `same`
  double assumed_spread = Spread{}.assumed;  ///< for trials that neither run executed twice
  bool across_machines = false;
  bool json = false;
};

struct Cell {
  std::string trial;
  std::string label;  ///< problem, dataset, solver, parameters
  Change change = Change::same;
  std::optional<Ratio> ratio;  ///< nullopt if the times are not compared
  std::string note;
};

/// The runs cannot be compared: different machines or backends, or no common trial.
class CompareError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Several records of one trial in a run are its executions, its own record first. Throws CompareError.
std::vector<Cell> compare_records(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                                  const CompareOptions& options);

/// The cells of two run directories or results files. Throws CompareError, RecordError, FileError.
std::vector<Cell> compare_runs(const std::filesystem::path& old_run, const std::filesystem::path& new_run,
                               const CompareOptions& options);
/// The cells as text, or as one JSON object.
std::string text_of(const std::vector<Cell>& cells, const CompareOptions& options);
/// Whether something is slower, worse, broken or missing in the new run.
bool is_worse(const std::vector<Cell>& cells);

/// Compares run directories or results files; beside a results.jsonl, calibration.jsonl holds further executions.
/// Writes text or JSON to `out`, error messages to `err`. Returns the exit code: 0 if nothing is slower, worse, broken
/// or missing in the new run, 1 if something is, 2 for a bad request.
int compare(const std::filesystem::path& old_run, const std::filesystem::path& new_run, const CompareOptions& options,
            std::ostream& out, std::ostream& err);

}  // namespace warpbench::harness
