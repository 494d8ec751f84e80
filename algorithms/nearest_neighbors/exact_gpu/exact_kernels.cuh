// Brute force in tiles: 128 queries by 128 points a block, 8 by 8 of them a thread, with the k nearest kept beside.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/keys.cuh"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

inline constexpr int kTile = 128;     ///< queries and points of a tile
inline constexpr int kDepth = 16;     ///< coordinates of a tile that are in shared memory at a time
inline constexpr int kPerThread = 8;  ///< queries, and points, of a thread
inline constexpr int kTileThreads = (kTile / kPerThread) * (kTile / kPerThread);
inline constexpr int kTilePitch = kTile + 4;

/// Bytes of shared memory of a block: both operands, or the tile of distances that takes their place.
inline constexpr std::size_t kTileBytes = sizeof(float) * kTile * kTilePitch;

/// Rows of `stride` floats, a multiple of 4; the rows of a tile beyond `count` read as row count - 1.
struct Matrix {
  View<const float> values;
  std::int64_t count;
  int stride;
};

/// Coordinates [depth, depth + kDepth) of rows [first, first + kTile), one column a coordinate. Each thread brings 2
/// float4.
__device__ inline void load_tile(const Matrix& matrix, std::int64_t first, int depth, float* tile, int tid) {
  for (int piece = tid; piece < kTile * kDepth / 4; piece += kTileThreads) {
    const int row = piece / (kDepth / 4);
    const int column = piece % (kDepth / 4) * 4;
    const std::int64_t at = first + row < matrix.count ? first + row : matrix.count - 1;
    float4 values{0, 0, 0, 0};
    if (depth + column < matrix.stride) {
      values = *reinterpret_cast<const float4*>(matrix.values.data() + at * matrix.stride + depth + column);
    }
    tile[(column + 0) * kTilePitch + row] = values.x;
    tile[(column + 1) * kTilePitch + row] = values.y;
    tile[(column + 2) * kTilePitch + row] = values.z;
    tile[(column + 3) * kTilePitch + row] = values.w;
  }
}

/// Block (x, y): queries [128 x, 128 x + 128) against the y-th of gridDim.y parts of the points; lists: for each query
/// and part the `kept` nearest, ascending, all kNoKey before. Threads (16, 16).
template <bool kProduct>
__global__ void __launch_bounds__(kTileThreads, 2)
    exact_kernel(Matrix points, Matrix queries, std::int64_t part, View<std::uint64_t> lists, int kept) {
  float* const shared = dynamic_shared<float>();
  float* const a = shared;
  float* const b = shared + kDepth * kTilePitch;
  const int tid = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const std::int64_t first_query = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t begin = std::int64_t{blockIdx.y} * part;
  const std::int64_t end = begin + part < points.count ? begin + part : points.count;

  for (std::int64_t first = begin; first < end; first += kTile) {
    float sums[kPerThread][kPerThread] = {};
    for (int depth = 0; depth < points.stride; depth += kDepth) {
      load_tile(queries, first_query, depth, a, tid);
      load_tile(points, first, depth, b, tid);
      __syncthreads();
#pragma unroll
      for (int d = 0; d < kDepth; ++d) {
        float q[kPerThread];
        float p[kPerThread];
#pragma unroll
        for (int i = 0; i < kPerThread; ++i) {
          // Threads of a warp read neighbouring points: no bank conflicts; queries are broadcast.
          q[i] = a[d * kTilePitch + ty * kPerThread + i];
          p[i] = b[d * kTilePitch + i * (kTile / kPerThread) + tx];
        }
#pragma unroll
        for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
          for (int j = 0; j < kPerThread; ++j) {
            if constexpr (kProduct) {
              sums[i][j] -= q[i] * p[j];
            } else {
              const float difference = q[i] - p[j];
              sums[i][j] += difference * difference;
            }
          }
        }
      }
      __syncthreads();
    }
    for (int i = 0; i < kPerThread; ++i) {
      for (int j = 0; j < kPerThread; ++j) {
        shared[(ty * kPerThread + i) * kTilePitch + j * (kTile / kPerThread) + tx] = sums[i][j];
      }
    }
    __syncthreads();
    // A warp a query: what beats the last of its list enters.
    for (int row = tid / kWarpSize; row < kTile; row += kTileThreads / kWarpSize) {
      if (first_query + row >= queries.count) break;
      std::uint64_t* const list = lists.subview(((first_query + row) * gridDim.y + blockIdx.y) * kept, kept).data();
      std::uint64_t last = list[kept - 1];
      for (int base = 0; base < kTile; base += kWarpSize) {
        const int column = base + warp::lane();
        const std::uint64_t key = first + column < end ? make_key(shared[row * kTilePitch + column],
                                                                  static_cast<std::uint32_t>(first + column))
                                                       : kNoKey;
        for (unsigned votes = __ballot_sync(kFullMask, key < last ? 1 : 0); votes != 0;
             votes = __ballot_sync(kFullMask, key < last ? 1 : 0) & votes & (votes - 1)) {
          insert_sorted(list, kept, __shfl_sync(kFullMask, key, __ffs(static_cast<int>(votes)) - 1));
          last = list[kept - 1];
        }
      }
    }
    __syncthreads();
  }
}

/// The distance in double precision, by a warp, in all lanes.
__device__ inline double precise_distance(const float* a, const float* b, int stride, bool by_product) {
  double sum = 0;
  for (int i = warp::lane(); i < stride; i += kWarpSize) {
    const double x = static_cast<double>(a[i]);
    const double y = static_cast<double>(b[i]);
    sum += by_product ? -x * y : (x - y) * (x - y);
  }
  return warp::reduce_sum(sum);
}

/// A warp a query: of its parts' lists the `kept` nearest, measured again in double precision, and the k nearest of
/// those, ascending by (distance, id). Shared memory: kept × (8 + 8) bytes.
__global__ void __launch_bounds__(kWarpSize)
    select_kernel(Matrix points, Matrix queries, bool by_product, int parts, View<std::uint64_t> lists, int kept, int k,
                  View<std::uint32_t> answers) {
  const std::int64_t query = blockIdx.x;
  auto* const best = dynamic_shared<std::uint64_t>();
  auto* const distances = reinterpret_cast<double*>(best + kept);
  const std::uint64_t* const first = lists.subview(query * parts * kept, std::int64_t{parts} * kept).data();
  for (int i = warp::lane(); i < kept; i += kWarpSize) best[i] = first[i];
  __syncwarp();
  for (int part = 1; part < parts; ++part) {
    for (int i = 0; i < kept; ++i) {
      const std::uint64_t key = first[part * kept + i];
      if (key >= best[kept - 1]) break;
      insert_sorted(best, kept, key);
    }
  }
  for (int i = 0; i < kept; ++i) {
    if (best[i] == kNoKey) break;
    const double distance = precise_distance(points.values.data() + std::int64_t{vertex_of(best[i])} * points.stride,
                                             queries.values.data() + query * queries.stride, points.stride, by_product);
    if (warp::lane() == 0) distances[i] = distance;
  }
  __syncwarp();
  for (int i = warp::lane(); i < k; i += kWarpSize) answers[query * k + i] = 0xffffffffU;
  __syncwarp();
  for (int i = warp::lane(); i < kept; i += kWarpSize) {
    if (best[i] == kNoKey) continue;
    int rank = 0;
    for (int j = 0; j < kept && best[j] != kNoKey; ++j) {
      const bool nearer =
          distances[j] < distances[i] || (distances[j] == distances[i] && vertex_of(best[j]) < vertex_of(best[i]));
      rank += nearer ? 1 : 0;
    }
    if (rank < k) answers[query * k + rank] = vertex_of(best[i]);
  }
}

}  // namespace warpbench::nearest_neighbors
