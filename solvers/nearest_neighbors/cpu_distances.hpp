// Vectorized distances on the CPU, by the widest instruction set this CPU has: between one pair of vectors, which graph
// searches need, and between a block of queries and a block of points, which exhaustive searches need.
#pragma once

#include <cstdint>

namespace warpbench::nearest_neighbors {

/// The function of two vectors that is computed. A cosine distance is an inner product of vectors brought to length 1.
enum class Form { squared_difference, inner_product };

/// |a - b|^2 or a·b in float, `dimension` coordinates each. O(dimension).
using PairFunction = float (*)(const float* a, const float* b, std::int64_t dimension);
[[nodiscard]] PairFunction pair_function(Form form);

/// Vectors one after the other.
struct VectorBlock {
  const float* values = nullptr;
  std::int64_t count = 0;
  std::int64_t dimension = 0;
};

/// out[q * points.count + p] = the form of query q and point p. Every pair is summed in the same order, whatever
/// its place in a block, so that equal points come out equal. O(queries × points × dimension).
void block_distances(Form form, VectorBlock queries, VectorBlock points, float* out);

/// "avx512", "avx2" or "none": the instruction set that the two above use on this CPU.
[[nodiscard]] const char* instruction_set();

}  // namespace warpbench::nearest_neighbors
