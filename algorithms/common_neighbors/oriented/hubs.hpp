// Which vertices of a graph are its hubs: those of highest degree, if their neighbours are so often hubs themselves
// that a bitmap of these beats a list (hubs.cuh).
#pragma once

#include <cstdint>

#include "datasets/graphs/csr.hpp"

namespace warpbench::common_neighbors {

struct HubTuning {
  static constexpr std::int64_t kMost = 8192;           ///< the bits of a bitmap
  static constexpr std::int64_t kLeastOutDegree = 128;  ///< of a hub, in the mean
  static constexpr int kThreads = 256;                  ///< a block's
  static constexpr int kUnroll = 4;                     ///< bitmaps on their way at a time
  static constexpr int kMinBlocks = 3;                  ///< on a multiprocessor: leaves registers for them
};

/// The vertices of at least this degree.
struct HubChoice {
  std::int64_t least_degree = 0;
  std::int64_t count = 0;  ///< 0: the graph has none

  [[nodiscard]] bool has(std::int64_t degree) const { return count != 0 && degree >= least_degree; }
};

/// As many vertices of highest degree as HubTuning allows, or none. O(vertices), and the slots of hubs over all
/// threads.
[[nodiscard]] HubChoice choose_hubs(const datasets::Csr& graph);

}  // namespace warpbench::common_neighbors
