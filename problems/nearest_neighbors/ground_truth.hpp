// The exact nearest neighbours, by brute force in double precision on all CPU threads. No solver has a part in it, and
// it has none in a solver.
#pragma once

#include <cstdint>

#include "problems/nearest_neighbors/problem.hpp"

namespace warpbench::nearest_neighbors {

/// The reference of nearest_neighbors, of which check_sample() has seen a sample. O(queries × points × dimension).
NearestNeighbors::Reference ground_truth(const NearestNeighbors::Input& input);

/// Searches random queries, and the last one, again: point after point by distance(), sorted. Throws
/// std::logic_error where `reference` holds other distances. O(points × dimension) for each of a few queries.
void check_sample(const NearestNeighbors::Input& input, const NearestNeighbors::Reference& reference,
                  std::uint64_t seed);

}  // namespace warpbench::nearest_neighbors
