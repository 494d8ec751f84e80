// A tile of fsig's join: which list elements extend which rows (fsig_steps.hpp).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "algorithms/subgraph_matching/fsig/steps.hpp"
#include "device/block.cuh"

namespace warpbench::matching::fsig {

inline constexpr int kPerThread = 4;
static_assert(kThreads * kPerThread == kTile);

/// A list of A.
struct List {
  const Vertex* data;
  std::int64_t size;
};

/// The candidates of the level's vertex that are joined to v, which is matched at edge.column.
__device__ __forceinline__ List list_of(const Auxiliary& auxiliary, const BackwardEdge& edge, Vertex v) {
  const std::int64_t at = edge.offsets_begin + rank_of(auxiliary.candidates, edge.from, v);
  const std::int64_t begin = auxiliary.offsets[at];
  return {auxiliary.edges.data() + begin + edge.shift, auxiliary.offsets[at + 1] - begin};
}

__device__ __forceinline__ const Vertex* row_of(const Table& table, std::int64_t row) {
  return table.rows.data() + row * table.columns;
}

__device__ __forceinline__ bool contains(const List& list, Vertex v) {
  return binary_search(list.data, list.size, v);
}

/// Whether x, of the list of the first backward neighbour, extends the row.
__device__ __forceinline__ bool extends(const Join& join, const Vertex* row, Vertex x) {
  for (const std::uint32_t column : join.level.colliding) {
    if (row[column] == x) return false;
  }
  for (std::int64_t i = 1; i < join.level.backward.size(); ++i) {
    const BackwardEdge edge = join.level.backward[i];
    if (!contains(list_of(join.auxiliary, edge, row[edge.column]), x)) return false;
  }
  return true;
}

/// What a thread finds in its kPerThread elements.
struct Found {
  std::int64_t rows[kPerThread];
  Vertex vertices[kPerThread];
  unsigned bits;  ///< which elements extend their rows

  __device__ __forceinline__ int count() const { return __popc(bits); }
};

/// The row that owns list element `element`, which is among rows [first, last].
__device__ __forceinline__ std::int64_t owner_of(View<const std::int64_t> bounds, std::int64_t first, std::int64_t last,
                                                 std::int64_t element) {
  return first + upper_bound(bounds.data() + first, last + 1 - first, element) - 1;
}

/// The block's tile. All threads must call.
__device__ __forceinline__ Found join_tile(const Join& join) {
  __shared__ std::int64_t ends[2];  // the rows of the tile's first and last element
  const std::int64_t begin = join.first + std::int64_t{blockIdx.x} * kTile;
  const std::int64_t end = begin + kTile < join.last ? begin + kTile : join.last;
  if (threadIdx.x < 2) {
    ends[threadIdx.x] = owner_of(join.bounds, 0, join.table.count - 1, threadIdx.x == 0 ? begin : end - 1);
  }
  __syncthreads();
  Found found;
  found.bits = 0;
  std::int64_t row = -1;
  List list{nullptr, 0};
  std::int64_t list_begin = 0;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const std::int64_t element = begin + threadIdx.x * kPerThread + k;
    found.rows[k] = 0;
    found.vertices[k] = 0;
    if (element >= end) continue;
    if (row < 0 || element >= list_begin + list.size) {
      row = owner_of(join.bounds, row < 0 ? ends[0] : row, ends[1], element);
      const BackwardEdge edge = join.level.backward[0];
      list = list_of(join.auxiliary, edge, row_of(join.table, row)[edge.column]);
      list_begin = join.bounds[row];
    }
    const Vertex x = list.data[element - list_begin];
    found.rows[k] = row;
    found.vertices[k] = x;
    if (extends(join, row_of(join.table, row), x)) found.bits |= 1U << k;
  }
  return found;
}

}  // namespace warpbench::matching::fsig
