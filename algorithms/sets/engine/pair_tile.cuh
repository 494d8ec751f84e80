// The data of the kernels of set intersection: the sets on the device, and the counts of a tile's pairs.
#pragma once

#include <cstdint>

#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/segments.cuh"

namespace warpbench::sets {

/// One set, or a part of one: ascending tokens.
using DeviceSet = View<const std::uint32_t>;

struct DeviceSets {
  View<const std::uint64_t> offsets;  ///< count + 1
  View<const std::uint32_t> tokens;
  std::int64_t count;

  __device__ std::int64_t size(std::int64_t i) const { return segment(offsets, i).size(); }
  __device__ DeviceSet set(std::int64_t i) const { return segment(offsets, tokens, i); }
};

/// A tile of the triangle of all pairs (bellas2022 §6.2.1): rows [first_row, last_row) with all later sets
/// (problems/sets/pairs.hpp). The counts are 0 before.
struct PairTile {
  View<std::uint32_t> counts;
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t sets;

  /// counts[row_begin(row) + j - row - 1] is the count of (row, j), its place.
  __host__ __device__ std::int64_t row_begin(std::int64_t row) const {
    const std::int64_t rows_before = row - first_row;
    return rows_before * (sets - 1) - (rows_before * first_row + rows_before * (rows_before - 1) / 2);
  }
  __device__ std::int64_t place(std::int64_t row, std::int64_t column) const {
    return row_begin(row) + column - row - 1;
  }
  __device__ std::uint32_t& count(std::int64_t row, std::int64_t column) const { return counts[place(row, column)]; }
  [[nodiscard]] __host__ __device__ std::int64_t rows() const { return last_row - first_row; }
  /// Rows [first, last) of the tile.
  [[nodiscard]] PairTile part(std::int64_t first, std::int64_t last) const {
    return {counts.subview(row_begin(first), row_begin(last) - row_begin(first)), first, last, sets};
  }
};

/// Some columns of one row: the work of a block, which uses for all of them what it makes of the row's set.
struct RowPiece {
  std::int64_t row;
  Extent<std::int64_t> columns;
};

/// A tile's rows in pieces of kColumns columns, so that long rows have many blocks.
template <std::int64_t kColumns>
struct RowPieces {
  PairTile tile;

  /// Pieces of a row, the longest row's for all of them: those beyond a row's end are empty.
  [[nodiscard]] __host__ __device__ std::int64_t of_row() const {
    return ceil_div(tile.sets - tile.first_row - 1, kColumns);
  }
  [[nodiscard]] __host__ __device__ std::int64_t count() const { return tile.rows() * of_row(); }
  /// A block for each piece: (row, piece of the row).
  [[nodiscard]] Dim3 blocks() const { return {tile.rows(), of_row()}; }

  /// Piece i of the tile's row `row`, both counted from 0.
  __device__ RowPiece piece(std::int64_t row, std::int64_t i) const {
    row += tile.first_row;
    const std::int64_t begin = row + 1 + i * kColumns;
    if (begin >= tile.sets) return {row, {tile.sets, tile.sets}};
    return {row, {begin, begin + kColumns < tile.sets ? begin + kColumns : tile.sets}};
  }
  /// Piece `number` of count(), row by row.
  __device__ RowPiece piece(std::int64_t number) const { return piece(number / of_row(), number % of_row()); }
  /// This block's, of a grid of blocks().
  __device__ RowPiece of_block() const { return piece(block::index(), block::index<Axis::y>()); }
};

/// The place where the common tokens of one pair are marked, if anywhere. `set` is a part of the smaller set, from its
/// token `first` on; flags has a place for each token of the whole set, or none.
struct CommonFlags {
  View<std::uint8_t> flags;
  DeviceSet set;
  std::int64_t first;

  /// Marks token i of `set`.
  __device__ void mark_at(std::int64_t i) const {
    if (!flags.empty()) flags[first + i] = 1;
  }
  /// Marks a token that `set` holds.
  __device__ void mark(std::uint32_t token) const {
    if (!flags.empty()) mark_at(lower_bound(set, token));
  }
};

}  // namespace warpbench::sets
