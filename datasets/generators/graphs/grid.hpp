// grid: a road network (gsi2020 Table III calls road_central mesh-like: 1.1 edges a vertex, degrees up to 8).
//
// Crossings stand in rows on a square. Each is joined to its left or its upper neighbour, at random: a maze, connected
// and without cycles. The other edges join random crossings to one of their eight neighbours.
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// Throws InputError where there are fewer edges than connect all vertices or more than three a vertex (of about four
/// that there are). O(edges / threads).
[[nodiscard]] Content generate_grid(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
