// A tile of fsig's join: which list elements extend which rows (fsig/steps.hpp).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "algorithms/subgraph_matching/fsig/steps.hpp"
#include "device/block.cuh"

namespace warpbench::matching::fsig {

struct ExtensionTuning {
  static constexpr int kThreads = 128;
  static constexpr int kItems = 4;  ///< list elements a thread
};
static_assert(ExtensionTuning::kThreads * ExtensionTuning::kItems == kTile);

/// The list of A for a backward edge: the candidates of the level's vertex that are joined to v, matched at
/// edge.column.
__device__ __forceinline__ View<const Vertex> list_of(const Auxiliary& auxiliary, const BackwardEdge& edge, Vertex v) {
  const std::int64_t at = edge.offsets_begin + rank_of(auxiliary.candidates, edge.from, v);
  const auto [begin, end] = segment(auxiliary.offsets, at);
  return auxiliary.edges.subview(begin + edge.shift, end - begin);
}

/// Whether x, of the list of the first backward neighbour, extends the row.
__device__ __forceinline__ bool extends(const TableExtension& extension, View<const Vertex> row, Vertex x) {
  for (const std::uint32_t column : extension.level.colliding) {
    if (row[column] == x) return false;
  }
  const View<const BackwardEdge> backward = extension.level.backward;
  for (std::int64_t i = 1; i < backward.size(); ++i) {
    const BackwardEdge edge = backward[i];
    if (!binary_search(list_of(extension.auxiliary, edge, row[edge.column]), x)) return false;
  }
  return true;
}

/// The elements of one thread, and which of them extend their rows.
struct TileMatches {
  std::int64_t rows[ExtensionTuning::kItems];
  Vertex vertices[ExtensionTuning::kItems];
  unsigned bits;

  __device__ __forceinline__ int count() const { return __popc(bits); }
};

/// The row that owns list element `element`, which is among rows [first, last].
__device__ __forceinline__ std::int64_t owner_of(View<const std::int64_t> bounds, std::int64_t first, std::int64_t last,
                                                 std::int64_t element) {
  return first + find_segment(bounds.subview(first, last + 2 - first), element);
}

/// A walk along list elements in order: the row of each, and the vertex that it adds.
class ElementCursor {
 public:
  /// The elements are of rows [first_row, last_row].
  __device__ ElementCursor(const TableExtension& extension, std::int64_t first_row, std::int64_t last_row)
      : extension_(extension), row_(first_row), last_row_(last_row) {}

  /// Goes on to an element behind the last one, or at it.
  __device__ __forceinline__ void move_to(std::int64_t element) {
    element_ = element;
    if (located_ && element < list_begin_ + list_.size()) return;
    located_ = true;
    row_ = owner_of(extension_.bounds, row_, last_row_, element);
    const BackwardEdge edge = extension_.level.backward[0];
    list_ = list_of(extension_.auxiliary, edge, extension_.table.row(row_)[edge.column]);
    list_begin_ = extension_.bounds[row_];
  }
  __device__ __forceinline__ std::int64_t row() const { return row_; }
  __device__ __forceinline__ Vertex vertex() const { return list_[element_ - list_begin_]; }

 private:
  const TableExtension& extension_;
  std::int64_t row_;
  std::int64_t last_row_;
  std::int64_t element_ = 0;
  bool located_ = false;
  View<const Vertex> list_{nullptr, 0};
  std::int64_t list_begin_ = 0;
};

/// The list elements of the block's tile.
__device__ __forceinline__ Extent<std::int64_t> tile_of_block(const TableExtension& extension) {
  const std::int64_t begin = extension.first + block::index() * kTile;
  return {begin, begin + kTile < extension.last ? begin + kTile : extension.last};
}

/// The rows of the tile's first and last element. All threads must call.
__device__ __forceinline__ Extent<std::int64_t> rows_of_tile(const TableExtension& extension,
                                                             Extent<std::int64_t> tile) {
  __shared__ std::int64_t ends[2];
  const int rank = block::rank<ExtensionTuning::kThreads>();
  if (rank < 2) {
    ends[rank] = owner_of(extension.bounds, 0, extension.table.rows - 1, rank == 0 ? tile.begin : tile.end - 1);
  }
  __syncthreads();
  return {ends[0], ends[1]};
}

/// Joins the block's tile, kItems neighbouring elements a thread. All threads must call.
__device__ __forceinline__ TileMatches join_tile(const TableExtension& extension) {
  const Extent<std::int64_t> tile = tile_of_block(extension);
  const Extent<std::int64_t> rows = rows_of_tile(extension, tile);
  ElementCursor cursor(extension, rows.begin, rows.end);
  TileMatches found;
  found.bits = 0;
#pragma unroll
  for (int k = 0; k < ExtensionTuning::kItems; ++k) {
    const std::int64_t element = tile.begin + block::rank<ExtensionTuning::kThreads>() * ExtensionTuning::kItems + k;
    found.rows[k] = 0;
    found.vertices[k] = 0;
    if (element >= tile.end) continue;
    cursor.move_to(element);
    found.rows[k] = cursor.row();
    found.vertices[k] = cursor.vertex();
    if (extends(extension, extension.table.row(cursor.row()), cursor.vertex())) found.bits |= mask_of(k);
  }
  return found;
}

}  // namespace warpbench::matching::fsig
