// Random graphs of the textbooks: rmat (and its Graph500 preset kronecker), uniform, power_law.
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): 2^log2_vertices vertices, edge_factor draws a vertex,
/// each choosing a quadrant with probabilities a, b, c, 1 - a - b - c per level; ids shuffled, repeats
/// and loops dropped (so fewer edges remain, as in Graph500). O(draws * log2_vertices / threads).
[[nodiscard]] Content generate_rmat(const Properties& values, std::uint64_t seed, int threads);

/// R-MAT with Graph500's a = 0.57, b = c = 0.19.
[[nodiscard]] Content generate_kronecker(const Properties& values, std::uint64_t seed, int threads);

/// Erdős–Rényi by number of edges: pairs drawn uniformly, repeats replaced. O(edges / threads).
[[nodiscard]] Content generate_uniform(const Properties& values, std::uint64_t seed, int threads);

/// Chung-Lu: both ends of each edge drawn in proportion to power-law weights. O(edges / threads).
[[nodiscard]] Content generate_power_law(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
