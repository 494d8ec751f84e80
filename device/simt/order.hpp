// In which order simt runs the lanes of a block and the blocks of a grid. A correct kernel does not depend on it;
// tests run the same kernel under several orders. $WARPBENCH_SIMT_ORDER=ascending|descending|shuffle:SEED sets it.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpbench::simt {

struct LaneOrder {
  enum class Kind { kAscending, kDescending, kShuffle };
  Kind kind = Kind::kAscending;
  std::uint64_t seed = 0;

  static constexpr LaneOrder ascending() { return {}; }
  static constexpr LaneOrder descending() { return {Kind::kDescending, 0}; }
  static constexpr LaneOrder shuffle(std::uint64_t seed) { return {Kind::kShuffle, seed}; }
};

/// Reads "ascending", "descending" or "shuffle:SEED". Throws DeviceError otherwise.
LaneOrder parse_lane_order(std::string_view text);

/// The order of launches from now on.
void set_lane_order(LaneOrder order);
LaneOrder lane_order();

/// A block that runs longer than this many seconds is ended with an error; 0 means never. $WARPBENCH_SIMT_WATCHDOG.
void set_watchdog(double seconds);
double watchdog();

}  // namespace warpbench::simt
