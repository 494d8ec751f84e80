// The overlap of two sets by one thread.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/kernel.hpp"

namespace warpbench::similarity {

/// The number of common tokens by a merge, or less than `required` as soon as that is out of reach. `whole`: else it
/// stops at `required`, too. O(tokens of both).
__device__ __forceinline__ std::uint32_t merged_overlap(View<const datasets::Token> a, View<const datasets::Token> b,
                                                        std::uint32_t required, bool whole) {
  const auto a_size = static_cast<std::uint32_t>(a.size());
  const auto b_size = static_cast<std::uint32_t>(b.size());
  std::uint32_t overlap = 0;
  std::uint32_t at_a = 0;
  std::uint32_t at_b = 0;
  while (at_a < a_size && at_b < b_size) {
    const std::uint32_t left_of_a = a_size - at_a;
    const std::uint32_t left_of_b = b_size - at_b;
    if (overlap + (left_of_a < left_of_b ? left_of_a : left_of_b) < required) break;
    const datasets::Token of_a = a[at_a];
    const datasets::Token of_b = b[at_b];
    if (of_a == of_b && ++overlap >= required && !whole) break;
    at_a += of_a <= of_b ? 1 : 0;
    at_b += of_b <= of_a ? 1 : 0;
  }
  return overlap;
}

}  // namespace warpbench::similarity
