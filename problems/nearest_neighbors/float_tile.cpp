#include "problems/nearest_neighbors/float_tile.hpp"

#include <cmath>
#include <limits>

namespace warpbench::nearest_neighbors {
namespace {

// Eight floats. 2 queries × 32 points have 8 vectors of sums, which fit in AVX2's registers. In memory they lie at any
// address.
using Floats [[gnu::vector_size(32)]] = float;
using StoredFloats [[gnu::vector_size(32), gnu::aligned(4)]] = float;
constexpr int kFloatLanes = 8;
constexpr int kFloatVectors = kFloatTilePoints / kFloatLanes;

[[gnu::always_inline]] inline void sum_floats(const FloatTile& tile,
                                              float (&sums)[kFloatTileQueries][kFloatTilePoints]) {
  Floats totals[kFloatTileQueries][kFloatVectors] = {};
  for (std::int64_t d = 0; d < tile.dimension; ++d) {
#pragma GCC unroll 2
    for (int q = 0; q < kFloatTileQueries; ++q) {
      const float of_query = tile.queries[q][d];
#pragma GCC unroll 4
      for (int v = 0; v < kFloatVectors; ++v) {
        const Floats difference =
            of_query - reinterpret_cast<const StoredFloats*>(tile.points + d * kFloatTilePoints)[v];
        totals[q][v] += difference * difference;
      }
    }
  }
  for (int q = 0; q < kFloatTileQueries; ++q) {
    for (int p = 0; p < kFloatTilePoints; ++p) sums[q][p] = totals[q][p / kFloatLanes][p % kFloatLanes];
  }
}

void sum_floats_plain(const FloatTile& tile, float (&sums)[kFloatTileQueries][kFloatTilePoints]) {
  sum_floats(tile, sums);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void sum_floats_fma(const FloatTile& tile,
                                                float (&sums)[kFloatTileQueries][kFloatTilePoints]) {
  sum_floats(tile, sums);
}
#endif

}  // namespace

SumFloatTile float_tile_function() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sum_floats_fma;
#endif
  return sum_floats_plain;
}

float bound_of_float(double squared, std::int64_t dimension) {
  constexpr double kStep = 0x1p-23;
  constexpr double kOperations = 8;     // of a term, and some
  constexpr double kUnderflow = 1e-37;  // terms too small for a float
  const double bound = squared * (1 + (static_cast<double>(dimension) + kOperations) * kStep) + kUnderflow;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (bound >= static_cast<double>(std::numeric_limits<float>::max())) return kInfinity;
  return std::nextafter(static_cast<float>(bound), kInfinity);
}

}  // namespace warpbench::nearest_neighbors
