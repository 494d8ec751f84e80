#include "harness/record/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace warpbench::harness {
namespace {

/// P(B <= k - 1) for B ~ Binomial(n, 1/2): the chance that the median lies below the k-th smallest of n samples.
double tail(std::size_t n, std::size_t k) {
  const double size = static_cast<double>(n);
  double sum = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    const double successes = static_cast<double>(i);
    sum += std::exp(std::lgamma(size + 1) - std::lgamma(successes + 1) - std::lgamma(size - successes + 1) -
                    size * std::log(2.0));
  }
  return sum;
}

double coverage_of(std::size_t n, std::size_t low) {
  return 1.0 - 2.0 * tail(n, low);
}

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

/// The weight of the next inner order statistics that makes the interpolated interval cover `confidence`.
double interpolation_weight(std::size_t n, const RankInterval& outer, double confidence) {
  const std::size_t k = outer.low;
  const double inner_coverage = coverage_of(n, k + 1);
  const double wanted = (outer.coverage - confidence) / (outer.coverage - inner_coverage);
  const double size = static_cast<double>(n);
  const double rank = static_cast<double>(k);
  return (size - rank) * wanted / (rank + (size - 2.0 * rank) * wanted);
}

}  // namespace

RankInterval median_ranks(std::size_t n, double confidence) {
  if (n == 0) throw std::invalid_argument("an interval of the median needs at least one sample");
  RankInterval ranks{1, n, coverage_of(n, 1)};
  for (std::size_t low = 2; 2 * low <= n; ++low) {
    const double coverage = coverage_of(n, low);
    if (coverage < confidence) break;
    ranks = {low, n + 1 - low, coverage};
  }
  return ranks;
}

double MedianInterval::relative_half_width() const {
  if (!reached || median <= 0.0) return std::numeric_limits<double>::infinity();
  return 0.5 * (high - low) / median;
}

double median(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("the median of no samples");
  std::ranges::sort(samples);
  return median_of_sorted(samples);
}

MedianInterval median_interval(std::vector<double> samples, double confidence) {
  const std::size_t n = samples.size();
  const RankInterval ranks = median_ranks(n, confidence);
  std::ranges::sort(samples);
  MedianInterval interval;
  interval.median = median_of_sorted(samples);
  interval.low = samples[ranks.low - 1];
  interval.high = samples[ranks.high - 1];
  interval.reached = ranks.coverage >= confidence;
  interval.confidence = interval.reached ? confidence : std::max(0.0, ranks.coverage);
  if (interval.reached && ranks.low + 1 < ranks.high) {
    const double weight = interpolation_weight(n, ranks, confidence);
    interval.low = (1.0 - weight) * interval.low + weight * samples[ranks.low];
    interval.high = (1.0 - weight) * interval.high + weight * samples[ranks.high - 2];
  }
  return interval;
}

Drift drift_of(const std::vector<double>& samples, double minimum_change) {
  Drift drift;
  const std::size_t n = samples.size();
  if (n < 8) return drift;
  double score = 0.0;
  std::vector<double> slopes;
  slopes.reserve(n * (n - 1) / 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double difference = samples[j] - samples[i];
      if (difference > 0) score += 1.0;
      if (difference < 0) score -= 1.0;
      slopes.push_back(difference / static_cast<double>(j - i));
    }
  }
  std::map<double, double> ties;
  for (const double sample : samples) ties[sample] += 1.0;
  const double size = static_cast<double>(n);
  double variance = size * (size - 1) * (2 * size + 5);
  for (const auto& [value, count] : ties) variance -= count * (count - 1) * (2 * count + 5);
  variance /= 18.0;
  const double middle = median(samples);
  if (variance <= 0.0 || middle <= 0.0) return drift;
  constexpr double kTwoSidedOnePercent = 2.5758;
  drift.relative_change = median(slopes) * (size - 1) / middle;
  drift.flagged = (std::abs(score) - 1.0) / std::sqrt(variance) > kTwoSidedOnePercent &&
                  std::abs(drift.relative_change) >= minimum_change;
  return drift;
}

}  // namespace warpbench::harness
