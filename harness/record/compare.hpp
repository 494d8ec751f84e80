// Compare: two runs of the same trials, cell by cell, by the confidence intervals of their medians and a minimum
// effect size. A difference counts only where the intervals are disjoint; where they neither separate the two nor
// exclude a difference that matters, the verdict is `ambiguous`.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/record/record.hpp"

namespace warpbench::harness {

enum class Change {
  same,  ///< no difference of the minimum effect
  faster,
  slower,
  ambiguous,  ///< the intervals allow both
  broken,     ///< was ok, is not
  mended,     ///< was not ok, is
  untimed,    ///< neither has a time: failed in both, or a GPU solver on simt
  only_old,
  only_new,
};
const char* to_string(Change change);

struct CompareOptions {
  double minimum_effect = 0.02;  ///< relative; smaller changes are `same`
  bool across_machines = false;
  bool json = false;
};

/// faster / slower where the intervals are disjoint and the medians differ by the minimum effect; same where they
/// are disjoint but closer, or where the ratio's interval lies within it; ambiguous otherwise.
Change change_of(const TimeFacts& old_time, const TimeFacts& new_time, double minimum_effect);

struct Cell {
  std::string trial;
  std::string label;  ///< problem, dataset, solver, parameters
  Change change = Change::same;
  std::optional<double> ratio;      ///< new median over old median
  std::optional<double> ratio_low;  ///< from the intervals
  std::optional<double> ratio_high;
  std::string note;
};

/// The request makes no sense: machines differ, backends differ, nothing in common.
class CompareError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws CompareError.
std::vector<Cell> compare_records(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                                  const CompareOptions& options);

/// Run directories or results files. Writes text or JSON to `out`, complaints to `err`. Returns the exit code: 0 where
/// nothing is slower, broken or missing in the new one, 1 where something is, 2 for a bad request.
int compare(const std::filesystem::path& old_run, const std::filesystem::path& new_run, const CompareOptions& options,
            std::ostream& out, std::ostream& err);

}  // namespace warpbench::harness
