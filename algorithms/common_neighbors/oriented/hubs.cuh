// The hubs of a graph on the device, each with a bitmap of those hubs that are its neighbours. The hubs that two hubs
// have in common are counted by 32 bits at a time, without look-ups. An edge points to its end of higher degree, so
// that the targets of a hub are hubs: a triangle at an edge between two hubs has three, and each of its edges gets its
// count from bitmaps. No other kernel handles such an edge.
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
