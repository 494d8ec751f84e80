#include "algorithms/set_similarity_join/hyset/split_model.hpp"

namespace warpbench::similarity {
namespace {

constexpr double kWorthASplit = 0.9;  ///< of the time of the better side alone

}  // namespace

double seconds_at(const std::vector<CostSample>& samples, double set) {
  if (samples.empty()) return 0;
  const auto behind = std::ranges::lower_bound(
      samples, set, {}, [](const CostSample& sample) { return static_cast<double>(sample.set); });
  if (behind == samples.begin()) return samples.front().seconds;
  if (behind == samples.end()) return samples.back().seconds;
  const CostSample& before = *(behind - 1);
  const double share = (set - static_cast<double>(before.set)) / static_cast<double>(behind->set - before.set);
  return before.seconds + share * (behind->seconds - before.seconds);
}

std::vector<double> seconds_before(const std::vector<CostSample>& samples, const std::vector<std::int64_t>& cuts) {
  std::vector<double> before;
  double sum = 0;
  std::int64_t last = 0;
  for (const std::int64_t cut : cuts) {
    // Cuts are close together against what costs change over, so that the middle stands for all between two of them.
    const double middle = (static_cast<double>(last) + static_cast<double>(cut)) / 2;
    sum += static_cast<double>(cut - last) * seconds_at(samples, middle);
    before.push_back(sum);
    last = cut;
  }
  return before;
}

Cut best_cut(const std::vector<Cut>& cuts) {
  const Cut& best = *std::ranges::min_element(cuts, {}, &Cut::seconds);
  const Cut& one_side =
      std::min(cuts.front(), cuts.back(), [](const Cut& a, const Cut& b) { return a.seconds() < b.seconds(); });
  return best.seconds() < kWorthASplit * one_side.seconds() ? best : one_side;
}

}  // namespace warpbench::similarity
