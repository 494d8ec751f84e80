#include "algorithms/set_similarity_join/hyset/split_model.hpp"

#include <algorithm>
#include <limits>

namespace warpbench::similarity {
namespace {

/// At a place between samples, which are not empty.
double seconds_at(const std::vector<CostSample>& samples, double set) {
  const auto behind = std::ranges::lower_bound(
      samples, set, {}, [](const CostSample& sample) { return static_cast<double>(sample.set); });
  if (behind == samples.begin()) return samples.front().seconds;
  if (behind == samples.end()) return samples.back().seconds;
  const CostSample& before = *(behind - 1);
  const double share = (set - static_cast<double>(before.set)) / static_cast<double>(behind->set - before.set);
  return before.seconds + share * (behind->seconds - before.seconds);
}

}  // namespace

std::vector<double> seconds_before(const std::vector<CostSample>& samples, const std::vector<std::int64_t>& cuts) {
  std::vector<double> before;
  double sum = 0;
  std::int64_t last = 0;
  for (const std::int64_t cut : cuts) {
    // Cuts are close together against what costs change over, so that the middle stands for all between two of them.
    const double middle = (static_cast<double>(last) + static_cast<double>(cut)) / 2;
    if (!samples.empty()) sum += static_cast<double>(cut - last) * seconds_at(samples, middle);
    before.push_back(sum);
    last = cut;
  }
  return before;
}

Cut best_cut(const std::vector<CostSample>& cpu, const DeviceCost& device, const std::vector<double>& index_seconds,
             const std::vector<std::int64_t>& cuts) {
  const std::vector<double> on_cpu = seconds_before(cpu, cuts);
  const std::vector<double> on_device = seconds_before(device.samples, cuts);
  Cut best{cuts.front(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const double rest = cuts[i] < cuts.back() ? device.least_seconds + on_device.back() - on_device[i] : 0;
    const double seconds = index_seconds[i] + std::max(on_cpu[i], rest);
    if (seconds < best.seconds) best = {cuts[i], seconds};
  }
  return best;
}

}  // namespace warpbench::similarity
