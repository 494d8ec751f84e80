#include "harness/record/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpbench::harness {
namespace {

/// The 97.5 % quantile of Student's t for so many degrees of freedom, at least 1. Above 10 it is that for 10, which is
/// larger.
double student_quantile(std::size_t degrees) {
  constexpr std::array kQuantiles{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  return kQuantiles.at(std::min(degrees, kQuantiles.size()) - 1);
}

struct LogMedians {
  double mean = 0.0;
  double squares = 0.0;  ///< of the distances from the mean, summed
};

LogMedians log_medians(std::span<const MedianInterval> executions) {
  LogMedians sums;
  for (const MedianInterval& execution : executions) sums.mean += std::log(execution.median);
  sums.mean /= static_cast<double>(executions.size());
  for (const MedianInterval& execution : executions) {
    sums.squares += std::pow(std::log(execution.median) - sums.mean, 2);
  }
  return sums;
}

/// Of the intervals, on a logarithmic scale. Samples that are all alike count as if they differed a little, so that one
/// can divide by it.
double mean_half_width(std::span<const MedianInterval> executions) {
  constexpr double kLeast = 1e-4;
  double sum = 0.0;
  for (const MedianInterval& execution : executions) {
    sum += std::max(kLeast, 0.5 * std::log(execution.high / execution.low));
  }
  return sum / static_cast<double>(executions.size());
}

}  // namespace

const char* to_string(Change change) {
  switch (change) {
    case Change::same:
      return "same";
    case Change::faster:
      return "faster";
    case Change::slower:
      return "slower";
    case Change::ambiguous:
      return "ambiguous";
    case Change::worse:
      return "worse";
    case Change::better:
      return "better";
    case Change::broken:
      return "broken";
    case Change::mended:
      return "mended";
    case Change::untimed:
      return "untimed";
    case Change::only_old:
      return "only_old";
    case Change::only_new:
      return "only_new";
  }
  return "";
}

std::vector<double> differences(std::span<const MedianInterval> executions) {
  std::vector<double> found;
  for (std::size_t i = 1; i < executions.size(); ++i) {
    found.push_back(std::abs(std::log(executions[i].median / executions[i - 1].median)) /
                    mean_half_width(executions.subspan(i - 1, 2)));
  }
  return found;
}

Ratio ratio_of(std::span<const MedianInterval> old_executions, std::span<const MedianInterval> new_executions,
               const Spread& spread) {
  const LogMedians before = log_medians(old_executions);
  const LogMedians after = log_medians(new_executions);
  const std::size_t degrees = old_executions.size() + new_executions.size() - 2;
  Ratio ratio;
  ratio.before = std::exp(before.mean);
  ratio.after = std::exp(after.mean);
  ratio.value = std::exp(after.mean - before.mean);
  ratio.calibrated = degrees > 0;
  ratio.reached = std::ranges::all_of(old_executions, &MedianInterval::reached) &&
                  std::ranges::all_of(new_executions, &MedianInterval::reached);
  double factor = 1.0 + spread.assumed;
  if (ratio.calibrated) {
    const double variance = (before.squares + after.squares) / static_cast<double>(degrees);
    const double inverse_counts =
        1.0 / static_cast<double>(old_executions.size()) + 1.0 / static_cast<double>(new_executions.size());
    const double by_executions = student_quantile(degrees) * std::sqrt(variance * inverse_counts);
    const double half_width = 0.5 * (mean_half_width(old_executions) + mean_half_width(new_executions));
    factor = std::exp(std::max(by_executions, 3.0 * spread.typical * half_width));
  }
  const auto lowest = [](std::span<const MedianInterval> executions) {
    return std::ranges::min(executions, {}, &MedianInterval::low).low;
  };
  const auto highest = [](std::span<const MedianInterval> executions) {
    return std::ranges::max(executions, {}, &MedianInterval::high).high;
  };
  ratio.low = std::min(ratio.value / factor, lowest(new_executions) / highest(old_executions));
  ratio.high = std::max(ratio.value * factor, highest(new_executions) / lowest(old_executions));
  return ratio;
}

Change change_of(const Ratio& ratio, double minimum_effect) {
  if (!ratio.reached) return Change::ambiguous;
  const double least = 1.0 + minimum_effect;
  const bool differs = ratio.low > 1.0 || ratio.high < 1.0;
  const bool matters = ratio.value >= least || ratio.value <= 1.0 / least;
  if (differs && matters) return ratio.value > 1.0 ? Change::slower : Change::faster;
  const bool within = ratio.high < least && ratio.low > 1.0 / least;
  return differs || within ? Change::same : Change::ambiguous;
}

}  // namespace warpbench::harness
