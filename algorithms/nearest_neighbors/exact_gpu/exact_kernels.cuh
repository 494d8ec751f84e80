// Brute force in tiles: 128 queries by 128 points a block, 8 by 8 of them a thread, with the k nearest kept beside.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/keys.cuh"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

struct TileTuning {
  static constexpr int kTile = 128;     ///< queries and points of a tile
  static constexpr int kDepth = 16;     ///< coordinates of a tile that are in shared memory at a time
  static constexpr int kPerThread = 8;  ///< queries, and points, of a thread
  static constexpr int kAcross = kTile / kPerThread;
  static constexpr int kThreads = kAcross * kAcross;
  static constexpr int kBlocksPerMultiprocessor = 2;
  static constexpr int kPitch = kTile + 4;  ///< floats between two rows of a tile
  /// Bytes of shared memory of a block: both operands, or the tile of distances that takes their place.
  static constexpr std::size_t kBytes = sizeof(float) * kTile * kPitch;
};

/// Rows of `stride` floats, a multiple of 4.
struct Matrix {
  View<const float> values;
  std::int64_t count;
  int stride;

  __device__ const float* row(std::int64_t i) const { return values.subview(i * stride, stride).data(); }
};

/// Coordinates [depth, depth + kDepth) of rows [first, first + kTile), one column a coordinate. Rows beyond the matrix
/// read as its last one. Each thread brings 2 float4.
__device__ inline void load_tile(const Matrix& matrix, std::int64_t first, int depth, float* tile) {
  using Tuning = TileTuning;
  constexpr int kLoads = Tuning::kDepth / 4;  ///< float4 of a row
  for (const int piece : block::strided<Tuning::kThreads>(Tuning::kTile * kLoads)) {
    const int row = piece / kLoads;
    const int column = piece % kLoads * 4;
    const std::int64_t at = first + row < matrix.count ? first + row : matrix.count - 1;
    float4 values{0, 0, 0, 0};
    if (depth + column < matrix.stride) {
      values = *reinterpret_cast<const float4*>(matrix.row(at) + depth + column);
    }
    tile[(column + 0) * Tuning::kPitch + row] = values.x;
    tile[(column + 1) * Tuning::kPitch + row] = values.y;
    tile[(column + 2) * Tuning::kPitch + row] = values.z;
    tile[(column + 3) * Tuning::kPitch + row] = values.w;
  }
}

/// The distances between a thread's queries and points.
struct ThreadTile {
  static constexpr int kSide = TileTuning::kPerThread;

  float sums[kSide][kSide] = {};

  /// Its queries are neighbours, which are broadcast.
  __device__ static __forceinline__ int query(int i) {
    return block::rank<TileTuning::kThreads>() / TileTuning::kAcross * kSide + i;
  }
  /// Its points are kAcross apart: threads of a warp read neighbours, so there are no bank conflicts.
  __device__ static __forceinline__ int point(int j) {
    return block::rank<TileTuning::kThreads>() % TileTuning::kAcross + j * TileTuning::kAcross;
  }

  /// Adds coordinate d of the loaded tiles.
  template <bool kProduct>
  __device__ __forceinline__ void add(const float* queries, const float* points, int d) {
    float q[kSide];
    float p[kSide];
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      q[i] = queries[d * TileTuning::kPitch + query(i)];
      p[i] = points[d * TileTuning::kPitch + point(i)];
    }
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
#pragma unroll
      for (int j = 0; j < kSide; ++j) {
        if constexpr (kProduct) {
          sums[i][j] -= q[i] * p[j];
        } else {
          const float difference = q[i] - p[j];
          sums[i][j] += difference * difference;
        }
      }
    }
  }

  __device__ __forceinline__ void store(float* tile) const {
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) tile[query(i) * TileTuning::kPitch + point(j)] = sums[i][j];
    }
  }
};

/// The keys of one query's row of a tile, of points [first, end), that beat the last of `list` enter it. A warp.
__device__ inline void offer_row(const float* distances, std::int64_t first, std::int64_t end, Key* list, int kept) {
  Key last = list[kept - 1];
  for (const auto [column, inside] : warp::rounds(TileTuning::kTile)) {
    const std::int64_t point = first + column;
    const Key key = point < end ? make_key(distances[column], static_cast<Vertex>(point)) : kNone<Key>;
    for (unsigned votes = __ballot_sync(kFullMask, key < last ? 1 : 0); votes != 0;
         votes = __ballot_sync(kFullMask, key < last ? 1 : 0) & votes & (votes - 1)) {
      insert_sorted(list, kept, __shfl_sync(kFullMask, key, lowest_bit(votes)));
      last = list[kept - 1];
    }
  }
}

/// Block (x, y): queries [128 x, 128 x + 128) against the y-th of gridDim.y parts of the points; lists: for each query
/// and part the `kept` nearest, ascending, all kNone before.
template <bool kProduct>
__global__ void __launch_bounds__(TileTuning::kThreads, TileTuning::kBlocksPerMultiprocessor)
    exact_kernel(Matrix points, Matrix queries, std::int64_t part, View<Key> lists, int kept) {
  using Tuning = TileTuning;
  float* const tile = dynamic_shared<float>();
  float* const query_tile = tile;
  float* const point_tile = tile + Tuning::kDepth * Tuning::kPitch;
  const std::int64_t first_query = block::index() * Tuning::kTile;
  const std::int64_t begin = block::index<Axis::y>() * part;
  const std::int64_t end = begin + part < points.count ? begin + part : points.count;

  for (std::int64_t first = begin; first < end; first += Tuning::kTile) {
    ThreadTile mine;
    for (int depth = 0; depth < points.stride; depth += Tuning::kDepth) {
      load_tile(queries, first_query, depth, query_tile);
      load_tile(points, first, depth, point_tile);
      __syncthreads();
#pragma unroll
      for (int d = 0; d < Tuning::kDepth; ++d) mine.add<kProduct>(query_tile, point_tile, d);
      __syncthreads();
    }
    mine.store(tile);
    __syncthreads();
    for (const int row : block::per_warp<Tuning::kThreads>(Tuning::kTile)) {
      const std::int64_t query = first_query + row;
      if (query >= queries.count) break;
      const std::int64_t list = query * grid::blocks<Axis::y>() + block::index<Axis::y>();
      offer_row(tile + row * Tuning::kPitch, first, end, lists.subview(list * kept, kept).data(), kept);
    }
    __syncthreads();
  }
}

/// The distance in double precision, by a warp, in all lanes.
__device__ inline double precise_distance(const float* a, const float* b, int stride, bool by_product) {
  double sum = 0;
  for (const int i : warp::strided(stride)) {
    const double x = static_cast<double>(a[i]);
    const double y = static_cast<double>(b[i]);
    sum += by_product ? -x * y : (x - y) * (x - y);
  }
  return warp::reduce_sum(sum);
}

/// The `kept` nearest of a query's `parts` lists into `best`. A warp.
__device__ inline void merge_lists(const Key* lists, int parts, int kept, Key* best) {
  for (const int i : warp::strided(kept)) best[i] = lists[i];
  __syncwarp();
  for (int part = 1; part < parts; ++part) {
    for (int i = 0; i < kept; ++i) {
      const Key key = lists[part * kept + i];
      if (key >= best[kept - 1]) break;
      insert_sorted(best, kept, key);
    }
  }
}

/// A warp a query: of its parts' lists the `kept` nearest, measured again in double precision, and the k nearest of
/// those, ascending by (distance, id). Shared memory: kept × (8 + 8) bytes.
__global__ void __launch_bounds__(kWarpSize) select_kernel(Matrix points, Matrix queries, bool by_product, int parts,
                                                           View<Key> lists, int kept, int k, View<Vertex> answers) {
  const std::int64_t query = block::index();
  auto* const best = dynamic_shared<Key>();
  auto* const distances = reinterpret_cast<double*>(best + kept);
  const std::int64_t places = std::int64_t{parts} * kept;
  merge_lists(lists.subview(query * places, places).data(), parts, kept, best);
  int found = 0;
  for (; found < kept && best[found] != kNone<Key>; ++found) {
    const double distance =
        precise_distance(points.row(vertex_of(best[found])), queries.row(query), points.stride, by_product);
    if (warp::lane() == 0) distances[found] = distance;
  }
  const View<Vertex> answer = answers.subview(query * k, k);
  for (const int i : warp::strided(k)) answer[i] = kNone<Vertex>;
  __syncwarp();
  for (const int i : warp::strided(found)) {
    int rank = 0;
    for (int j = 0; j < found; ++j) {
      const bool nearer =
          distances[j] < distances[i] || (distances[j] == distances[i] && vertex_of(best[j]) < vertex_of(best[i]));
      rank += nearer ? 1 : 0;
    }
    if (rank < k) answer[rank] = vertex_of(best[i]);
  }
}

}  // namespace warpbench::nearest_neighbors
