// Segments of a list, as a CSR has them: `offsets` ascend, segment i is the elements [offsets[i], offsets[i + 1]).
//
//   for (const std::int64_t slot : warp::strided(segment(offsets, v))) visit(neighbors[slot]);
//   const std::int64_t degree = segment(offsets, v).size();
//   const View<const Vertex> row = segment(offsets, neighbors, v);
//   const std::int64_t row = find_segment(offsets, slot);             the inverse: O(log segments)
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/view.hpp"

namespace warpbench {

/// Segment i as places: 32-bit ones where the offsets are, else std::int64_t, which a View takes.
template <std::integral Offset, std::integral Id>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr auto segment(View<Offset> offsets, Id i) {
  using Stored = std::remove_cv_t<Offset>;
  using Index = std::conditional_t<sizeof(Stored) < sizeof(std::int64_t), Stored, std::int64_t>;
  const auto at = static_cast<std::int64_t>(i);
  return Extent<Index>{static_cast<Index>(offsets[at]), static_cast<Index>(offsets[at + 1])};
}

/// Segment i of `values`.
template <std::integral Offset, typename T, std::integral Id>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr View<T> segment(View<Offset> offsets, View<T> values, Id i) {
  const auto places = segment(offsets, i);
  return values.subview(static_cast<std::int64_t>(places.begin), static_cast<std::int64_t>(places.size()));
}

/// The segment that holds element `place`: the last i with offsets[i] <= place, so never an empty one. 0 <= place <
/// the last offset.
template <std::integral Offset>
[[nodiscard]] __device__ __forceinline__ std::int64_t find_segment(
    View<Offset> offsets, std::type_identity_t<std::remove_cv_t<Offset>> place) {
  return upper_bound(offsets.data(), offsets.size() - 1, place) - 1;
}

}  // namespace warpbench
