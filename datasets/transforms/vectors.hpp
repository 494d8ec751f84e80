// Cuts and views of vector sets: points held out as queries, the first points, and the first coordinates.
#pragma once

#include <cstdint>

#include "datasets/vectors.hpp"

namespace warpbench::datasets {

/// The first `count` rows of `dimension` coordinates, a view of the same memory. O(1).
[[nodiscard]] Array<float> first_rows(const Array<float>& rows, std::int64_t dimension, std::int64_t count);

/// Turns `queries` points, drawn by (seed, position) without repeats, into queries, after the existing ones. The
/// remaining points keep their order. Throws InputError if no point would be left. O(coordinates).
[[nodiscard]] VectorSet hold_out(const VectorSet& set, std::int64_t queries, std::uint64_t seed);

/// The first `points` points and the first `queries` queries; 0: all. Throws InputError if there are fewer. O(1).
[[nodiscard]] VectorSet first_of(const VectorSet& set, std::int64_t points, std::int64_t queries);

/// The first `dimensions` coordinates of every point and query. Throws InputError if there are fewer. O(coordinates).
[[nodiscard]] VectorSet first_dimensions(const VectorSet& set, std::int64_t dimensions, int threads);

/// The same points under another metric. O(1).
[[nodiscard]] VectorSet with_metric(const VectorSet& set, Metric metric);

}  // namespace warpbench::datasets
