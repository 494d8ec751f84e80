// grid: a road network (gsi2020 Table III calls road_central mesh-like: 1.1 edges per vertex, degrees up to 8).
//
// Crossings form a square grid. Each is joined at random to its left or its upper neighbour, which gives a maze:
// connected and without cycles. The other edges join random crossings to one of their eight neighbours.
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// Throws InputError if the edges are too few to connect all vertices, or more than three per vertex (there are about
/// four possible). O(edges / threads).
[[nodiscard]] Content generate_grid(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
