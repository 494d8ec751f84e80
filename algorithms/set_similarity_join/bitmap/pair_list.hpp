// PairList: candidates one by one, wherever they were found, and their verification by a warp each. Beyond the
// document, whose threads share the work by probing sets.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/set_similarity_join/bounds.hpp"

namespace warpbench::similarity {

/// A set and one that it is probed with, which is no smaller.
struct ListedPair {
  std::uint32_t set;
  std::uint32_t probe;
};

struct PairListView {
  View<ListedPair> pairs;
  View<Total> count;  ///< how many there are: one number
};

/// Enqueues the verification of the pairs on the list. Adds the similar ones to `sink`.
void verify_by_warps(const PairListView& list, const SetsView& sets, const Bounds& bounds, const PairSinkView& sink,
                     Stream& stream);

}  // namespace warpbench::similarity
