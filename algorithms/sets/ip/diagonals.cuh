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
#include "device/ranges.cuh"
#include "device/warp.cuh"

namespace warpbench::sets {

/// The point at which a diagonal cuts the path: `a` tokens of the one set and `b` of the other come before.
template <typename Size = std::int64_t>
struct PathPoint {
  Size a;
  Size b;
  bool in_cell;  ///< a's last token before the cut is b's first after it
};

/// The point where `diagonal` goes through a's first `in_a` tokens. Tokens is a pointer or a DeviceSet.
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

/// The same by a whole warp, 32 probes a round: for long sets, where each round waits for memory.
__device__ inline PathPoint<> path_point_by_warp(DeviceSet a, DeviceSet b, std::int64_t diagonal) {
  auto [low, high] = searched(a.size(), b.size(), diagonal);
  while (low < high) {
    const std::int64_t apart = ceil_div(high - low, kWarpSize);
    const std::int64_t probe = low + (warp::lane() + 1) * apart - 1;
    const bool before = probe < high && a[probe] <= b[diagonal - 1 - probe];
    low += __popc(__ballot_sync(kFullMask, before ? 1 : 0)) * apart;
    if (low + apart - 1 < high) high = low + apart - 1;
  }
  return point_after(a, b, b.size(), diagonal, low);
}

/// Diagonal `i` of parts + 1 that are equally far apart on a path of two sets of `tokens` together. Those beyond the
/// path's end are at its end, so that no two cut one cell.
template <typename Size>
__host__ __device__ inline Size diagonal_at(Size tokens, Size parts, Size i) {
  const Size apart = ceil_div(tokens, parts);
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
