// Loops are vectorized by the compiler (omp simd), once for each instruction set; which copy runs is asked at run time.
// A block is cut into tiles of 2 queries × 4 points: 6 loads serve 8 pairs, whose 8 sums stay in registers.
#include "solvers/nearest_neighbors/cpu_distances.hpp"

#include <algorithm>

#if defined(__x86_64__)
#define WARPBENCH_AVX2 __attribute__((target("avx2,fma")))
#define WARPBENCH_AVX512 __attribute__((target("avx512f,avx512dq,fma,prefer-vector-width=512")))
#endif
#define WARPBENCH_INLINE [[gnu::always_inline]] inline

namespace warpbench::nearest_neighbors {
namespace {

template <Form kForm>
WARPBENCH_INLINE float term(float a, float b) {
  if constexpr (kForm == Form::inner_product) {
    return a * b;
  } else {
    const float difference = a - b;
    return difference * difference;
  }
}

/// Two halves at once: two sums hide the latency of the additions.
template <Form kForm>
WARPBENCH_INLINE float pair_body(const float* a, const float* b, std::int64_t dimension) {
  const std::int64_t half = dimension / 2;
  const float* const upper_a = a + half;
  const float* const upper_b = b + half;
  float lower = 0;
  float upper = 0;
#pragma omp simd reduction(+ : lower, upper)
  for (std::int64_t i = 0; i < half; ++i) {
    lower += term<kForm>(a[i], b[i]);
    upper += term<kForm>(upper_a[i], upper_b[i]);
  }
  if (dimension % 2 != 0) upper += term<kForm>(a[dimension - 1], b[dimension - 1]);
  return lower + upper;
}

constexpr std::int64_t kTileQueries = 2;
constexpr std::int64_t kTilePoints = 4;

/// sums[q][p] of two queries and four points.
template <Form kForm>
WARPBENCH_INLINE void tile_body(const float* const* q, const float* const* p, std::int64_t dimension,
                                float (&sums)[kTileQueries][kTilePoints]) {
  const float *const q0 = q[0], *const q1 = q[1];
  const float *const p0 = p[0], *const p1 = p[1], *const p2 = p[2], *const p3 = p[3];
  float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
#pragma omp simd reduction(+ : s00, s01, s02, s03, s10, s11, s12, s13)
  for (std::int64_t i = 0; i < dimension; ++i) {
    s00 += term<kForm>(q0[i], p0[i]);
    s01 += term<kForm>(q0[i], p1[i]);
    s02 += term<kForm>(q0[i], p2[i]);
    s03 += term<kForm>(q0[i], p3[i]);
    s10 += term<kForm>(q1[i], p0[i]);
    s11 += term<kForm>(q1[i], p1[i]);
    s12 += term<kForm>(q1[i], p2[i]);
    s13 += term<kForm>(q1[i], p3[i]);
  }
  sums[0][0] = s00, sums[0][1] = s01, sums[0][2] = s02, sums[0][3] = s03;
  sums[1][0] = s10, sums[1][1] = s11, sums[1][2] = s12, sums[1][3] = s13;
}

/// Tiles that hang over the edge repeat the last row and drop its results.
template <Form kForm>
WARPBENCH_INLINE void block_body(const VectorBlock& queries, const VectorBlock& points, float* out) {
  const std::int64_t dimension = queries.dimension;
  for (std::int64_t q = 0; q < queries.count; q += kTileQueries) {
    const float* query_rows[kTileQueries];
    for (std::int64_t i = 0; i < kTileQueries; ++i) {
      query_rows[i] = queries.values + std::min(q + i, queries.count - 1) * dimension;
    }
    for (std::int64_t p = 0; p < points.count; p += kTilePoints) {
      const float* point_rows[kTilePoints];
      for (std::int64_t j = 0; j < kTilePoints; ++j) {
        point_rows[j] = points.values + std::min(p + j, points.count - 1) * dimension;
      }
      float sums[kTileQueries][kTilePoints];
      tile_body<kForm>(query_rows, point_rows, dimension, sums);
      for (std::int64_t i = 0; i < std::min(kTileQueries, queries.count - q); ++i) {
        for (std::int64_t j = 0; j < std::min(kTilePoints, points.count - p); ++j) {
          out[(q + i) * points.count + p + j] = sums[i][j];
        }
      }
    }
  }
}

// ---- the copies ----

template <Form kForm>
float pair_plain(const float* a, const float* b, std::int64_t dimension) {
  return pair_body<kForm>(a, b, dimension);
}
template <Form kForm>
void block_plain(const VectorBlock& queries, const VectorBlock& points, float* out) {
  block_body<kForm>(queries, points, out);
}

#if defined(__x86_64__)
template <Form kForm>
WARPBENCH_AVX2 float pair_avx2(const float* a, const float* b, std::int64_t dimension) {
  return pair_body<kForm>(a, b, dimension);
}
template <Form kForm>
WARPBENCH_AVX2 void block_avx2(const VectorBlock& queries, const VectorBlock& points, float* out) {
  block_body<kForm>(queries, points, out);
}
template <Form kForm>
WARPBENCH_AVX512 float pair_avx512(const float* a, const float* b, std::int64_t dimension) {
  return pair_body<kForm>(a, b, dimension);
}
template <Form kForm>
WARPBENCH_AVX512 void block_avx512(const VectorBlock& queries, const VectorBlock& points, float* out) {
  block_body<kForm>(queries, points, out);
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma");
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

using BlockFunction = void (*)(const VectorBlock&, const VectorBlock&, float*);

template <Form kForm>
BlockFunction block_function() {
#if defined(__x86_64__)
  if (has_avx512()) return block_avx512<kForm>;
  if (has_avx2()) return block_avx2<kForm>;
#endif
  return block_plain<kForm>;
}

template <Form kForm>
PairFunction pair_function_of() {
#if defined(__x86_64__)
  if (has_avx512()) return pair_avx512<kForm>;
  if (has_avx2()) return pair_avx2<kForm>;
#endif
  return pair_plain<kForm>;
}

}  // namespace

PairFunction pair_function(Form form) {
  return form == Form::inner_product ? pair_function_of<Form::inner_product>()
                                     : pair_function_of<Form::squared_difference>();
}

void block_distances(Form form, VectorBlock queries, VectorBlock points, float* out) {
  static const BlockFunction difference = block_function<Form::squared_difference>();
  static const BlockFunction product = block_function<Form::inner_product>();
  (form == Form::inner_product ? product : difference)(queries, points, out);
}

const char* instruction_set() {
#if defined(__x86_64__)
  if (has_avx512()) return "avx512";
  if (has_avx2()) return "avx2";
#endif
  return "none";
}

}  // namespace warpbench::nearest_neighbors
