// Squared distances of a tile of points in float, by which the reference passes over nearly all points: what may be
// among the nearest is computed again in double precision.
#pragma once

#include <cstdint>

namespace warpbench::nearest_neighbors {

inline constexpr int kFloatTilePoints = 32;
inline constexpr int kFloatTileQueries = 2;

/// Coordinate d of the tile's points is points[kFloatTilePoints d .. kFloatTilePoints (d + 1)).
struct FloatTile {
  const float* points;
  const float* queries[kFloatTileQueries];
  std::int64_t dimension;
};

using SumFloatTile = void (*)(const FloatTile&, float (&)[kFloatTileQueries][kFloatTilePoints]);
/// By the widest instruction set this CPU has, FMA included. O(tile × dimension).
[[nodiscard]] SumFloatTile float_tile_function();

/// A sum above is that of a point farther than `squared`, however its terms were rounded: all are positive, so it
/// is off by at most one in 2^23 for each coordinate and each operation of a term.
[[nodiscard]] float bound_of_float(double squared, std::int64_t dimension);

}  // namespace warpbench::nearest_neighbors
