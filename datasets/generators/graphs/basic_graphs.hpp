// Textbook random graphs: rmat (and its Graph500 preset kronecker), uniform, power_law.
#pragma once

#include <cstdint>

#include "datasets/dataset.hpp"

namespace warpbench::datasets {

/// R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): 2^log2_vertices vertices, edge_factor draws per vertex, each
/// choosing a quadrant per level with probabilities a, b, c, 1 - a - b - c. Ids are shuffled; repeats and loops are
/// dropped, so fewer edges remain, as in Graph500. O(draws * log2_vertices / threads).
[[nodiscard]] Content generate_rmat(const Properties& values, std::uint64_t seed, int threads);

/// R-MAT with Graph500's a = 0.57, b = c = 0.19.
[[nodiscard]] Content generate_kronecker(const Properties& values, std::uint64_t seed, int threads);

/// Erdős–Rényi with a given number of edges: pairs drawn uniformly, repeats drawn again. O(edges / threads).
[[nodiscard]] Content generate_uniform(const Properties& values, std::uint64_t seed, int threads);

/// Chung-Lu: draws both ends of each edge in proportion to power-law weights. O(edges / threads).
[[nodiscard]] Content generate_power_law(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
