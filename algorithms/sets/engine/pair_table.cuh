// What the kernels of set intersection are given: the sets on the device, and where the counts of a band's pairs go.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/search.cuh"

namespace warpbench::sets {

/// One set: ascending tokens.
struct DeviceSet {
  const std::uint32_t* tokens;
  std::int64_t size;
};

struct DeviceSets {
  View<const std::uint64_t> offsets;  ///< count + 1
  View<const std::uint32_t> tokens;
  std::int64_t count;

  __device__ std::int64_t size(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i + 1] - offsets[i]); }
  __device__ DeviceSet set(std::int64_t i) const { return {tokens.data() + offsets[i], size(i)}; }
};

/// The pairs of rows [first_row, last_row) with all later sets (problems/sets/pairs.hpp); counts are 0 before.
struct PairTable {
  View<std::uint32_t> counts;
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t sets;

  /// counts[row_begin(row) + j - row - 1] is the count of (row, j), its place.
  __host__ __device__ std::int64_t row_begin(std::int64_t row) const {
    const std::int64_t rows = row - first_row;
    return rows * (sets - 1) - (rows * first_row + rows * (rows - 1) / 2);
  }
  __device__ std::int64_t place(std::int64_t row, std::int64_t column) const {
    return row_begin(row) + column - row - 1;
  }
  __device__ std::uint32_t& count(std::int64_t row, std::int64_t column) const { return counts[place(row, column)]; }
  [[nodiscard]] __host__ __device__ std::int64_t rows() const { return last_row - first_row; }
};

/// The pairs of a row are cut into parts of so many columns: a block a part, so that long rows have many blocks and
/// what a block makes of the row's set serves many columns.
struct RowParts {
  std::int64_t columns;  ///< of a part

  [[nodiscard]] __host__ __device__ std::int64_t count(const PairTable& table) const {
    return (table.sets - table.first_row - 1 + columns - 1) / columns;
  }
};

/// A part of a row: columns [begin, end); empty beyond the row's end.
struct Part {
  std::int64_t row;
  std::int64_t begin;
  std::int64_t end;
};
/// Part `part` of the table's row `row`, both counted from 0.
__device__ inline Part part_at(const PairTable& table, RowParts parts, std::int64_t row, std::int64_t part) {
  row += table.first_row;
  const std::int64_t begin = row + 1 + part * parts.columns;
  const std::int64_t end = begin + parts.columns < table.sets ? begin + parts.columns : table.sets;
  return {row, begin, end};
}
/// This block's part, blocks being (row, part) of the grid.
__device__ inline Part part_of_block(const PairTable& table, RowParts parts) {
  return part_at(table, parts, blockIdx.x, blockIdx.y);
}

/// Where common tokens of one pair are marked, if anywhere: tokens [first, first + set.size) of its smaller set are
/// `set`, and flags, where it is not empty, has a place for each of all.
struct Found {
  View<std::uint8_t> flags;
  DeviceSet set;
  std::int64_t first;

  __device__ void mark_at(std::int64_t i) const {
    if (!flags.empty()) flags[first + i] = 1;
  }
  /// One that `set` has.
  __device__ void mark(std::uint32_t token) const {
    if (!flags.empty()) mark_at(lower_bound(set.tokens, set.size, token));
  }
};

}  // namespace warpbench::sets
