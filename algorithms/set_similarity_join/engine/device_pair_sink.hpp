// DevicePairSink: the memory of a device that takes similar pairs, and their way to the host.
#pragma once

#include <cstdint>

#include "device/view.hpp"
#include "problems/set_similarity_join/problem.hpp"

namespace warpbench::similarity {

/// atomicAdd()'s type of 64 bits.
using Total = unsigned long long;

/// Where the answers of kernels go.
struct PairSinkView {
  SetSimilarityJoin::Output output;
  Measure measure;
  View<Total> totals;  ///< the number, the digest, and the number of pairs that looked for a place
  View<Pair> pairs;    ///< of Output::pairs; those beyond its end are not written, and the driver asks anew

  /// Whether take() needs the whole overlap; else one that suffices will do.
  [[nodiscard]] WARPBENCH_HOST_DEVICE bool wants_overlap() const { return output == SetSimilarityJoin::Output::pairs; }
};

}  // namespace warpbench::similarity
