// Compare: compares two runs of the same trials, cell by cell, by the confidence intervals of their medians and a
// minimum effect size. A difference counts only if the intervals are disjoint. If they neither separate the two nor
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
  same,  ///< no difference of at least the minimum effect
  faster,
  slower,
  ambiguous,  ///< the intervals allow both a change and none
  broken,     ///< was ok, is not any more
  mended,     ///< was not ok, is now
  untimed,    ///< neither has a time: both failed, or a GPU solver on simt
  only_old,
  only_new,
};
const char* to_string(Change change);

struct CompareOptions {
  double minimum_effect = 0.02;  ///< relative; smaller changes are `same`
  bool across_machines = false;
  bool json = false;
};

/// faster or slower: the intervals are disjoint and the medians differ by at least the minimum effect. same: the
/// intervals are disjoint but the medians closer, or the ratio's interval lies within the minimum effect. Otherwise
/// ambiguous.
Change change_of(const TimeFacts& old_time, const TimeFacts& new_time, double minimum_effect);

struct Cell {
  std::string trial;
  std::string label;  ///< problem, dataset, solver, parameters
  Change change = Change::same;
  std::optional<double> ratio;      ///< new median over old median
  std::optional<double> ratio_low;  ///< bounds from the intervals
  std::optional<double> ratio_high;
  std::string note;
};

/// The runs cannot be compared: different machines or backends, or no common trial.
class CompareError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<Cell> compare_records(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                                  const CompareOptions& options);

/// Compares run directories or results files. Writes text or JSON to `out`, error messages to `err`. Returns the exit
/// code: 0 if nothing is slower, broken or missing in the new run, 1 if something is, 2 for a bad request.
int compare(const std::filesystem::path& old_run, const std::filesystem::path& new_run, const CompareOptions& options,
            std::ostream& out, std::ostream& err);

}  // namespace warpbench::harness
