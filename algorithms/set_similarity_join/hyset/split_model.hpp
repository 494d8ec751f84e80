// SplitModel: where to cut a join so that it ends soonest: the cost model that the document leaves to later
// work (bellas2022 §5.5.2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpbench::similarity {

/// What was measured of one side: the seconds of a unit of its work at some of the sets, ascending. Between them the
/// cost is taken to change in proportion, outside of them not at all. The unit is a probing set, or a pair of blocks.
struct CostSample {
  std::int64_t set = 0;
  double seconds = 0;
};

/// At a set; 0 without samples. O(log samples).
[[nodiscard]] double seconds_at(const std::vector<CostSample>& samples, double set);

/// The seconds of all probing sets before each of `cuts`, which ascend. O(cuts · log samples).
[[nodiscard]] std::vector<double> seconds_before(const std::vector<CostSample>& samples,
                                                 const std::vector<std::int64_t>& cuts);

/// What each side should take if a join is cut at `set`: the CPU has the sets before it and the device the others.
struct Cut {
  std::int64_t set = 0;
  double index_seconds = 0;  ///< of the CPU's sets, which both sides wait for
  double cpu_seconds = 0;
  double device_seconds = 0;

  [[nodiscard]] double seconds() const { return index_seconds + std::max(cpu_seconds, device_seconds); }
};

/// The cut at which the join is shortest. The first of `cuts`, which gives the device all sets, or the last one, which
/// gives them to the CPU, is taken unless another one saves a tenth: where both sides work, the estimates of both must
/// hold. `cuts` are not empty.
[[nodiscard]] Cut best_cut(const std::vector<Cut>& cuts);

}  // namespace warpbench::similarity
