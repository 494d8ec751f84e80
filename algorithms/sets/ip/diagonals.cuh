// The points of the cross diagonals (solvers/sets/intersect_path.cuh) of all pairs of a table. Where one lies between
// two equal tokens, neither part counts them, so whoever finds the point does.
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/technique.hpp"
#include "algorithms/sets/ip/divisor.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"
#include "solvers/sets/intersect_path.cuh"

namespace warpbench::sets {

/// path_point() by a whole warp, 32 probes a round: for long sets, where each round waits for memory.
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

/// A part of two sets' path: their tokens between two diagonals; a_begin tokens of a are before it.
struct PathPart {
  DeviceSet a;
  DeviceSet b;
  std::int64_t a_begin;

  /// Nothing to find in it.
  [[nodiscard]] __device__ bool empty() const { return a.empty() || b.empty(); }
};

/// For each pair `parts` + 1 diagonals: how many tokens of the row's set are before each. A pair that is too short for
/// `parts` parts of `min_tokens`, of both sets together, has fewer; its other diagonals are at its end.
struct Diagonals {
  View<std::uint32_t> points;
  std::int64_t parts;
  Divisor by_parts;
  std::int64_t min_tokens;

  __device__ std::uint32_t& point(std::int64_t pair, std::int64_t i) const { return points[pair * (parts + 1) + i]; }
  /// Diagonal i of two sets.
  __device__ std::int64_t diagonal(DeviceSet a, DeviceSet b, std::int64_t i) const {
    const std::int64_t tokens = a.size() + b.size();
    const std::int64_t apart = by_parts.quotient(tokens + parts - 1);
    const std::int64_t at = i * (apart < min_tokens ? min_tokens : apart);
    return at < tokens ? at : tokens;
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
