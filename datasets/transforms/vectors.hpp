// Cuts and views of vector sets: queries held out of the points, the first of them, the first coordinates of each.
#pragma once

#include <cstdint>

#include "datasets/vectors.hpp"

namespace warpbench::datasets {

/// The first `count` rows of `dimension` coordinates, a view of the same memory. O(1).
[[nodiscard]] Array<float> first_rows(const Array<float>& rows, std::int64_t dimension, std::int64_t count);

/// Makes `queries` points, drawn by (seed, position) without repeats, into queries, after those there are. The points
/// left keep their order. Throws InputError when no point would be left. O(coordinates).
[[nodiscard]] VectorSet hold_out(const VectorSet& set, std::int64_t queries, std::uint64_t seed);

/// The first `points` points and the first `queries` queries; 0: all. Throws InputError when there are fewer. O(1).
[[nodiscard]] VectorSet first_of(const VectorSet& set, std::int64_t points, std::int64_t queries);

/// The first `dimensions` coordinates of every point and query. Throws InputError when there are fewer. O(coordinates).
[[nodiscard]] VectorSet first_dimensions(const VectorSet& set, std::int64_t dimensions, int threads);

/// The same points under another metric. O(1).
[[nodiscard]] VectorSet with_metric(const VectorSet& set, Metric metric);

}  // namespace warpbench::datasets
