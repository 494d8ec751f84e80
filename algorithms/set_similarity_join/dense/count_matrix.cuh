// CountMatrix: a number for each pair of sets of two blocks, in the device's memory (bellas2022 §5.1.1).
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {

/// Rows are sets of the smaller block, columns of the larger one. Rows begin at addresses divisible by 16.
struct CountMatrix {
  static constexpr std::int64_t kCellsPerLoad = 4;  ///< of 16 bytes

  View<std::uint32_t> cells;
  Extent<std::int64_t> rows;
  Extent<std::int64_t> columns;

  [[nodiscard]] WARPBENCH_HOST_DEVICE static constexpr std::int64_t pitch(std::int64_t columns) {
    return (columns + kCellsPerLoad - 1) / kCellsPerLoad * kCellsPerLoad;
  }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::uint32_t& cell(std::int64_t i, std::int64_t j) const {
    return cells[(i - rows.begin) * pitch(columns.size()) + (j - columns.begin)];
  }
};

/// Calls visit(i, j, counts) for the counts of four columns from j on, wherever a warp has one that is not 0; a block
/// of the grid a row, the lanes of a warp together. A thread has several loads under way, since a grid of few blocks
/// would else wait for memory; `visit` is compiled once, not once for each of them.
template <typename Visit>
__device__ __forceinline__ void for_each_counted(const CountMatrix& counts, Visit visit) {
  constexpr int kLoads = 4;
  constexpr std::int64_t kCells = CountMatrix::kCellsPerLoad;
  const std::int64_t columns = counts.columns.size();
  const std::int64_t loads = CountMatrix::pitch(columns) / kCells;
  const std::int64_t threads = block::size();
  for (const std::int64_t i : grid::per_block(counts.rows)) {
    const View<const uint4> row(reinterpret_cast<const uint4*>(&counts.cell(i, counts.columns.begin)), loads);
    for (std::int64_t first = 0; first < loads; first += kLoads * threads) {
      uint4 loaded[kLoads];
#pragma unroll
      for (int k = 0; k < kLoads; ++k) {
        const std::int64_t at = first + k * threads + block::rank();
        loaded[k] = at < loads ? row[at] : uint4{0, 0, 0, 0};
      }
#pragma unroll 1
      for (int k = 0; k < kLoads; ++k) {
        uint4 four = loaded[0];
#pragma unroll
        for (int other = 1; other < kLoads; ++other) four = k == other ? loaded[other] : four;
        if (__any_sync(kFullMask, (four.x | four.y | four.z | four.w) != 0) == 0) continue;
        visit(i, counts.columns.begin + (first + k * threads + block::rank()) * kCells, four);
      }
    }
  }
}

}  // namespace warpbench::similarity
