// ForwardSlots: which slots of a graph are oriented edges, and which of them (oriented.hpp).
#pragma once

#include <cstdint>

#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

/// The slots that point forward, and their number before a given slot: rank queries over a bit vector.
struct ForwardSlots {
  View<const std::uint32_t> bits;
  View<const std::uint32_t> before;

  __device__ bool is_forward(std::int64_t slot) const { return test_bit(bits, slot); }
  __device__ std::uint32_t rank(std::int64_t slot) const {
    return before[word_of(slot)] + __popc(bits[word_of(slot)] & bits_below(slot));
  }
};

}  // namespace warpbench::common_neighbors
