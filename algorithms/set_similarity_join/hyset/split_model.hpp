// SplitModel: where to cut a join so that it ends soonest: the cost model that the document leaves to later
// work (bellas2022 §5.5.2).
#pragma once

#include <cstdint>
#include <vector>

namespace warpbench::similarity {

/// What was measured of one side: the seconds that a probing set takes at some of the sets, ascending. Between them the
/// cost is taken to change in proportion, outside of them not at all.
struct CostSample {
  std::int64_t set = 0;
  double seconds = 0;
};

/// The seconds of all sets before each of `cuts`, which ascend. O(cuts · log samples).
[[nodiscard]] std::vector<double> seconds_before(const std::vector<CostSample>& samples,
                                                 const std::vector<std::int64_t>& cuts);

/// What was measured of the device: what it takes however few its probing sets are, and what these take besides.
struct DeviceCost {
  double least_seconds = 0;
  std::vector<CostSample> samples;
};

/// Where a join is cut, and how long it should take.
struct Cut {
  std::int64_t set = 0;
  double seconds = 0;
};

/// The cut at which the join is shortest, where the CPU has the sets before it and the device the others: the longer
/// side, after an index of the CPU's sets that takes `index_seconds` of each cut. `cuts` ascend and are not empty; the
/// last one leaves the device nothing.
[[nodiscard]] Cut best_cut(const std::vector<CostSample>& cpu, const DeviceCost& device,
                           const std::vector<double>& index_seconds, const std::vector<std::int64_t>& cuts);

}  // namespace warpbench::similarity
