// Shard: a share of some plans' trials, so that several machines or jobs run them together. `merge` puts the parts
// together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace warpbench::harness {

struct Shard {
  int number = 1;  ///< from 1
  int of = 1;
};

/// "2/8". Throws std::invalid_argument where it is no number from 1 to the other.
[[nodiscard]] Shard shard_from(const std::string& text);

/// The seconds that a group is expected to take; 0 or less where nothing is known of it.
using GroupSeconds = std::function<double(const Plan&, const Group&)>;

/// Leaves in the plans the groups of the shard, and drops plans without any; trials, by which a run directory is judged
/// complete, stay. Groups keep their order and a shard has neighbouring ones, so that few shards load a dataset. They
/// are cut where the seconds are shared evenly; a group of which nothing is known takes the mean of a trial of the
/// others for each of its own. The shards of equal plans and seconds are disjoint and together complete. O(groups).
[[nodiscard]] std::vector<Plan> share_of(std::vector<Plan> plans, const Shard& shard, const GroupSeconds& seconds);

}  // namespace warpbench::harness
