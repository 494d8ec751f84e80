// A tile of fsig's join: which list elements extend which rows, and the new rows (fsig/enumeration/steps.hpp).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/block.cuh"

namespace warpbench::matching::fsig {

/// Of a block that joins one tile.
struct ExtensionTuning {
  static constexpr int kThreads = 128;
  static constexpr int kItems = 4;  ///< list elements a thread
};

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
template <int kItems>
struct TileMatches {
  std::int64_t rows[kItems];
  Vertex vertices[kItems];
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

/// The list elements of the index-th tile.
__device__ __forceinline__ Extent<std::int64_t> tile_at(const TableExtension& extension, std::int64_t index) {
  const std::int64_t begin = extension.first + index * kTile;
  return {begin, begin + kTile < extension.last ? begin + kTile : extension.last};
}

/// The rows of the tile's first and last element. All threads must call.
template <int kThreads>
__device__ __forceinline__ Extent<std::int64_t> rows_of_tile(const TableExtension& extension,
                                                             Extent<std::int64_t> tile) {
  __shared__ std::int64_t ends[2];
  const int rank = block::rank<kThreads>();
  __syncthreads();  // all have read those of the tile before
  if (rank < 2) {
    ends[rank] = owner_of(extension.bounds, 0, extension.table.rows - 1, rank == 0 ? tile.begin : tile.end - 1);
  }
  __syncthreads();
  return {ends[0], ends[1]};
}

/// Joins the index-th tile, kItems neighbouring elements a thread. All threads must call.
template <typename Tuning = ExtensionTuning>
__device__ __forceinline__ TileMatches<Tuning::kItems> join_tile(const TableExtension& extension, std::int64_t index) {
  static_assert(Tuning::kThreads * Tuning::kItems == kTile);
  const Extent<std::int64_t> tile = tile_at(extension, index);
  const Extent<std::int64_t> rows = rows_of_tile<Tuning::kThreads>(extension, tile);
  ElementCursor cursor(extension, rows.begin, rows.end);
  TileMatches<Tuning::kItems> found;
  found.bits = 0;
#pragma unroll
  for (int k = 0; k < Tuning::kItems; ++k) {
    const std::int64_t element = tile.begin + block::rank<Tuning::kThreads>() * Tuning::kItems + k;
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

/// Calls visit(place, k) for the elements k that this thread found, in their places among those of the block; returns
/// how many the block has.
template <int kItems, typename Visit>
__device__ __forceinline__ int place_found(const TileMatches<kItems>& found, Visit visit) {
  int count = 0;
  int place = block::exclusive_scan(found.count(), count);
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if ((found.bits & mask_of(k)) != 0) visit(place++, k);
  }
  return count;
}

/// One thread writes a whole row: an extended one, and the vertex that extends it.
__device__ __forceinline__ void write_row(View<const Vertex> row, Vertex vertex, View<Vertex> rows,
                                          std::int64_t place) {
  const View<Vertex> written = rows.subview(place * (row.size() + 1), row.size() + 1);
  for (std::int64_t column = 0; column < row.size(); ++column) written[column] = row[column];
  written[row.size()] = vertex;
}

}  // namespace warpbench::matching::fsig
