// Points that are equal as a metric sees them share a vertex of a proximity graph: those with the same coordinates, for
// cosine those of the same direction. With a vertex each, their rows would fill with one another: no link would lead
// from them to other points or back, and a search that begins elsewhere would miss them all. The document does not
// speak of such points.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/vectors.hpp"

namespace warpbench::nearest_neighbors {

struct DistinctPoints {
  std::vector<std::uint32_t> point_of;    ///< vertex → the first of its points; empty: vertex i is point i
  std::vector<std::uint32_t> next_equal;  ///< point → the next of its vertex, or kNone; empty: all points differ
};

/// Vertices for the points of `vectors`, as their first points come in `order`, a permutation (empty: 0, 1, 2, …).
/// Directions are the same if their unit vectors are no farther apart than rounding to float may bring them, 2^-22.
/// Points are compared with the 16 before them by their projection on a random line: where more different ones lie
/// there, as in data of which one coordinate is 10^16 times the others, repetitions may keep vertices of their own.
/// O(coordinates) on all threads, and a sort of the points.
[[nodiscard]] DistinctPoints distinct_points(const datasets::VectorSet& vectors, datasets::Metric metric,
                                             std::vector<std::uint32_t> order = {});

}  // namespace warpbench::nearest_neighbors
