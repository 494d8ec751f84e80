// The cross diagonals of Intersect Path (bellas2022 §4.3.2, §6.2.1; Green et al.): two sets' path cut into parts of
// equal length, and the points of the cuts of all pairs of a table.
//
// The path of sets a and b goes from (0, 0) to (|a|, |b|). It moves past the lesser of the next two tokens, or past
// both, diagonally, where they are equal. Cross diagonal d joins the points (i, j) with i + j = d. Where the path
// crosses it in the middle of a diagonal move, the cut lies between two equal tokens: a's belongs to the part before,
// b's to the part after. Neither part counts them, so whoever finds the cut does.
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/technique.hpp"
#include "device/kernel.hpp"

namespace warpbench::sets {

/// The point at which a diagonal cuts the path: `a` tokens of the one set and `b` of the other come before.
struct PathPoint {
  std::int64_t a;
  std::int64_t b;
  bool in_cell;  ///< a's last token before the cut is b's first after it
};

/// By binary search on the diagonal, 0 <= diagonal <= a.size() + b.size(). O(log min(a.size(), b.size())).
__device__ inline PathPoint path_point(DeviceSet a, DeviceSet b, std::int64_t diagonal) {
  std::int64_t low = diagonal > b.size() ? diagonal - b.size() : 0;
  std::int64_t high = diagonal < a.size() ? diagonal : a.size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const std::int64_t rest = diagonal - low;
  return {low, rest, low > 0 && rest < b.size() && a[low - 1] == b[rest]};
}

/// Diagonal `i` of parts + 1 that are equally far apart on a path of two sets of `tokens` together. Those beyond the
/// path's end are at its end, so that no two cut one cell.
__host__ __device__ inline std::int64_t diagonal_at(std::int64_t tokens, std::int64_t parts, std::int64_t i) {
  const std::int64_t apart = ceil_div(tokens, parts);
  return i * apart < tokens ? i * apart : tokens;
}

/// A part of two sets' path: their tokens between two diagonals; a_begin tokens of a are before it.
struct PathPart {
  DeviceSet a;
  DeviceSet b;
  std::int64_t a_begin;

  /// Nothing to find in it.
  [[nodiscard]] __device__ bool empty() const { return a.empty() || b.empty(); }
};

/// For each pair parts + 1 diagonals: how many tokens of the row's set are before each.
struct Diagonals {
  View<std::uint32_t> points;
  std::int64_t parts;

  __device__ std::uint32_t& point(std::int64_t pair, std::int64_t i) const { return points[pair * (parts + 1) + i]; }
  /// Diagonal i of two sets.
  __device__ std::int64_t diagonal(DeviceSet a, DeviceSet b, std::int64_t i) const {
    return diagonal_at(a.size() + b.size(), parts, i);
  }

  /// Part i of a pair's path.
  __device__ PathPart part(std::int64_t pair, DeviceSet a, DeviceSet b, std::int64_t i) const {
    const std::int64_t a_begin = point(pair, i);
    const std::int64_t a_end = point(pair, i + 1);
    const std::int64_t b_begin = diagonal(a, b, i) - a_begin;
    const std::int64_t b_end = diagonal(a, b, i + 1) - a_end;
    return {a.subview(a_begin, a_end - a_begin), b.subview(b_begin, b_end - b_begin), a_begin};
  }
};

/// Enqueues the search for the diagonals of all pairs of a tile, and adds to the counts the cells that are cut.
void find_diagonals(const DeviceSets& sets, const PairTile& tile, const Diagonals& diagonals, Stream& stream);
/// Of one pair, as pair 0, with the smaller set as the row's.
void find_diagonals(const SingleTask& task, const Diagonals& diagonals, Stream& stream);

}  // namespace warpbench::sets
