// Verdict: whether two programs differ in the time of a trial. Samples of one execution tell how far its median may be
// off. They do not tell how far two executions of the same program differ, because load, clocks and the placement of
// memory change between processes. That spread is measured by executing trials repeatedly (`run --calibrate`).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "harness/record/statistics.hpp"

namespace warpbench::harness {

enum class Change {
  same,  ///< no difference of at least the minimum effect
  faster,
  slower,
  ambiguous,  ///< both a change and none are possible
  worse,      ///< fewer queries solved or a lower recall in every execution; times are not compared
  better,     ///< more queries solved or a higher recall in every execution; times are not compared
  broken,     ///< was ok, is not any more
  mended,     ///< was not ok, is now
  untimed,    ///< neither has a time that counts: both failed, or a GPU solver on simt
  only_old,
  only_new,
};
const char* to_string(Change change);

/// What is known of the differences between executions of the same program.
struct Spread {
  /// Bound of the relative difference, for trials that were executed once on each side. Nobody knows it: on an H200 95
  /// % of pairs of records with the same trial and revision are within 0.3, on a loaded machine some differ by a factor
  /// of 40.
  double assumed = std::numeric_limits<double>::infinity();
  double typical = 0.0;  ///< median of differences(), over all trials of both runs
};

/// New time over old time, with an interval that holds the true ratio at 95 %.
struct Ratio {
  double before = 1.0;  ///< old time: geometric mean of the medians of executions, seconds
  double after = 1.0;
  double value = 1.0;  ///< after / before
  double low = 1.0;
  double high = 1.0;
  bool reached = false;     ///< every execution has samples enough for 95 %
  bool calibrated = false;  ///< the interval uses a measured spread between executions, not the assumed one
};

/// The differences between successive executions of a trial, in half-widths of the intervals of their medians. So
/// trials of different noise can be put together: below 1 if the samples tell all, more if processes differ.
std::vector<double> differences(std::span<const MedianInterval> executions);

/// The ratio of geometric means over the executions of a trial, at least one on each side. Its interval is the widest
/// of three: from the samples, where it lies between the outermost intervals of executions; from the trial's
/// executions, by Student's t on the logarithms of medians; and three typical differences to either side. The third is
/// needed because a few executions may agree by chance, or because load changes more slowly than they follow each
/// other. With one execution on each side, the assumed spread replaces the second and third.
Ratio ratio_of(std::span<const MedianInterval> old_executions, std::span<const MedianInterval> new_executions,
               const Spread& spread = {});

/// faster or slower: the interval excludes 1 and the ratio is at least the minimum effect away from it. same: the
/// interval excludes 1 but the ratio is closer, or the interval lies within the minimum effect. Otherwise, and if the
/// samples do not reach 95 %, ambiguous.
Change change_of(const Ratio& ratio, double minimum_effect);

}  // namespace warpbench::harness
