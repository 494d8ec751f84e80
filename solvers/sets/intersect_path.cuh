// The path of Intersect Path (bellas2022 §4.3.2, §6.2.1; Green et al.), and the cross diagonals that cut it into parts
// of equal length.
//
// The path of sets a and b goes from (0, 0) to (|a|, |b|). It moves past the lesser of the next two tokens, or past
// both, diagonally, where they are equal. Cross diagonal d joins the points (i, j) with i + j = d. Where the path
// crosses it in the middle of a diagonal move, the cut lies between two equal tokens: a's belongs to the part before,
// b's to the part after.
#pragma once

#include <cstdint>

#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::sets {

/// The point at which a diagonal cuts the path: `a` tokens of the one set and `b` of the other come before.
template <typename Size = std::int64_t>
struct PathPoint {
  Size a;
  Size b;
  bool in_cell;  ///< a's last token before the cut is b's first after it
};

/// The point where `diagonal` goes through a's first `in_a` tokens. Tokens is a pointer or a view.
template <typename Tokens, typename Size>
__device__ __forceinline__ PathPoint<Size> point_after(Tokens a, Tokens b, Size b_size, Size diagonal, Size in_a) {
  const Size in_b = diagonal - in_a;
  return {in_a, in_b, in_a > 0 && in_b < b_size && a[in_a - 1] == b[in_b]};
}

/// The tokens of `a` among which the point of a diagonal is searched, 0 <= diagonal <= a_size + b_size.
template <typename Size>
__device__ __forceinline__ Extent<Size> searched(Size a_size, Size b_size, Size diagonal) {
  return {diagonal > b_size ? diagonal - b_size : Size{0}, diagonal < a_size ? diagonal : a_size};
}

/// By binary search on the diagonal. O(log min(a_size, b_size)).
template <typename Tokens, typename Size>
__device__ __forceinline__ PathPoint<Size> path_point(Tokens a, Size a_size, Tokens b, Size b_size, Size diagonal) {
  auto [low, high] = searched(a_size, b_size, diagonal);
  while (low < high) {
    const Size middle = low + (high - low) / 2;
    const bool before = a[middle] <= b[diagonal - 1 - middle];
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return point_after(a, b, b_size, diagonal, low);
}

/// Diagonal `i` of parts + 1 that are equally far apart on a path of two sets of `tokens` together. Those beyond the
/// path's end are at its end, so that no two cut one cell.
template <typename Size>
__host__ __device__ inline Size diagonal_at(Size tokens, Size parts, Size i) {
  const Size apart = ceil_div(tokens, parts);
  return i * apart < tokens ? i * apart : tokens;
}

}  // namespace warpbench::sets
