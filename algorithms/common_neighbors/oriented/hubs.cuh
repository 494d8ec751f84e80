// The hubs of a graph on the device. A bitmap says which hubs are a hub's neighbours, so that the common neighbours of
// two hubs which are hubs are counted by 32 at a time, without look-ups, and nothing is added to other edges. Edges
// point to higher degrees, so that these are all triangles found at an edge between two hubs: no other kernel handles
// such an edge.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/hubs.hpp"
#include "algorithms/common_neighbors/oriented/ranked_bits.cuh"
#include "device/buffer.hpp"
#include "device/kernel.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

struct OutGraph;

/// Which vertices are hubs; the rank of each.
struct HubSet {
  RankedBits members;  ///< empty where there are none

  __device__ bool has(std::uint32_t v) const { return !members.bits.empty() && members.test(v); }
};

class Hubs {
 public:
  /// Enqueues their making.
  Hubs(const OutGraph& graph, const HubChoice& choice, Stream& stream);

  [[nodiscard]] HubSet set() const { return {{bits_.view(), before_.view()}}; }

  /// Enqueues: adds the common hubs of each two neighbouring hubs to the count of their edge.
  void count(const OutGraph& graph, Stream& stream) const;

  /// Device memory, bytes, while they are made.
  [[nodiscard]] static std::int64_t bytes(std::int64_t vertices, const HubChoice& choice);

 private:
  Buffer<std::uint32_t> bits_;
  Buffer<std::uint32_t> before_;
  Buffer<std::uint32_t> hubs_;     ///< in the order of their ranks
  Buffer<std::uint32_t> bitmaps_;  ///< HubTuning::kMost bits a hub: the ranks of its neighbours
};

}  // namespace warpbench::common_neighbors
