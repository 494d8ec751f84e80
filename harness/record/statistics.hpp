// Statistics: the median of timed samples, its non-parametric confidence interval, and a check for drift. No
// distribution is assumed and no sample is ever dropped (Hoefler & Belli 2015, rules 3-6).
#pragma once

#include <cstddef>
#include <vector>

namespace warpbench::harness {

/// The confidence of all intervals and verdicts. It takes six samples.
inline constexpr double kConfidence = 0.95;

/// Order statistics that enclose the median. Ranks count from 1; P(x_(low) <= median < x_(high)) is the confidence.
struct RankInterval {
  std::size_t low = 1;
  std::size_t high = 1;
  double coverage = 0.0;
};

/// The narrowest symmetric ranks [k, n+1-k] whose exact binomial coverage is at least `confidence`; the whole range if
/// none suffices (n < 6 for 95 %). n > 0; O(n).
RankInterval median_ranks(std::size_t n, double confidence);

struct MedianInterval {
  double median = 0.0;
  double low = 0.0;
  double high = 0.0;
  double confidence = 0.0;  ///< the requested one, or the coverage of the whole range if n is too small

  /// Half of (high - low), relative to the median; infinite if the median is 0 or n < 6.
  [[nodiscard]] double relative_half_width() const;
  bool reached = false;  ///< n was large enough for the requested confidence
};

/// The middle value, or the mean of the two middle ones. Throws std::invalid_argument for no samples.
double median(std::vector<double> samples);

/// The median and its confidence interval from order statistics. Whole ranks alone would give 97.9 % for ten samples,
/// so exact binomial ranks are interpolated to the requested confidence (Hettmansperger & Sheather, Statistics &
/// Probability Letters 4, 1986). Throws std::invalid_argument for no samples.
MedianInterval median_interval(std::vector<double> samples, double confidence = kConfidence);

/// Tells whether samples, in the order they were taken, move in one direction.
struct Drift {
  bool flagged = false;
  double relative_change = 0.0;  ///< Theil-Sen slope times the number of steps, over the median
};

/// Flags drift if the Mann-Kendall test at 1 % (two-sided, tie-corrected, continuity-corrected) finds a trend and the
/// change is at least `minimum_change`; never below 8 samples. O(n^2).
Drift drift_of(const std::vector<double>& samples, double minimum_change = 0.02);

}  // namespace warpbench::harness
