// Statistics: the median of timed samples, a non-parametric confidence interval for it, a check for drift. No
// distribution is assumed and no sample is ever dropped (guides: Hoefler & Belli 2015, rules 3-6).
#pragma once

#include <cstddef>
#include <vector>

namespace warpbench::harness {

/// Order statistics that enclose the median: ranks from 1, and P(x_(low) <= median < x_(high)).
struct RankInterval {
  std::size_t low = 1;
  std::size_t high = 1;
  double coverage = 0.0;
};

/// The narrowest symmetric ranks [k, n+1-k] whose exact binomial coverage is at least `confidence`; the whole range
/// where none is (n < 6 for 95 %). n > 0; O(n).
RankInterval median_ranks(std::size_t n, double confidence);

struct MedianInterval {
  double median = 0.0;
  double low = 0.0;
  double high = 0.0;
  double confidence = 0.0;  ///< the asked one, or what the whole range gives where n is too small

  /// Half of (high - low), relative to the median; infinite where the median is 0 or n < 6.
  [[nodiscard]] double relative_half_width() const;
  bool reached = false;  ///< n was large enough for the asked confidence
};

/// Middle value, or the mean of the two middle ones. Throws std::invalid_argument for no samples.
double median(std::vector<double> samples);

/// The median and its interval from order statistics, exact binomial ranks interpolated to the asked confidence
/// (Hettmansperger & Sheather, Statistics & Probability Letters 4, 1986), since whole ranks alone give 97.9 % for
/// ten samples. Throws std::invalid_argument for no samples.
MedianInterval median_interval(std::vector<double> samples, double confidence = 0.95);

/// Whether samples taken in this order move one way.
struct Drift {
  bool flagged = false;
  double relative_change = 0.0;  ///< Theil-Sen slope times the number of steps, over the median
};

/// Mann-Kendall test at 1 % (two-sided, tie-corrected, continuity-corrected) together with a change of at least
/// `minimum_change`; never flagged below 8 samples. O(n^2).
Drift drift_of(const std::vector<double>& samples, double minimum_change = 0.02);

}  // namespace warpbench::harness
