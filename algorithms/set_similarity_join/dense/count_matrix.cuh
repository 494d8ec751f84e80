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

/// Calls visit(i, j, count) for the pairs with a count, all threads of the grid together: a block a row. A thread has
/// several loads under way, since a grid of few blocks would else wait for memory.
template <typename Visit>
__device__ __forceinline__ void for_each_counted(const CountMatrix& counts, Visit visit) {
  constexpr int kLoads = 4;
  constexpr std::int64_t kCells = CountMatrix::kCellsPerLoad;
  const std::int64_t columns = counts.columns.size();
  const std::int64_t loads = CountMatrix::pitch(columns) / kCells;
  for (const std::int64_t i : grid::per_block(counts.rows)) {
    const View<const uint4> row(reinterpret_cast<const uint4*>(&counts.cell(i, counts.columns.begin)), loads);
    for (std::int64_t first = block::rank(); first < loads; first += kLoads * std::int64_t{block::size()}) {
      uint4 loaded[kLoads];
#pragma unroll
      for (int k = 0; k < kLoads; ++k) {
        const std::int64_t at = first + k * block::size();
        loaded[k] = at < loads ? row[at] : uint4{0, 0, 0, 0};
      }
#pragma unroll
      for (int k = 0; k < kLoads; ++k) {
        const std::int64_t j = counts.columns.begin + (first + k * block::size()) * kCells;
        if (loaded[k].x != 0) visit(i, j, loaded[k].x);
        if (loaded[k].y != 0) visit(i, j + 1, loaded[k].y);
        if (loaded[k].z != 0) visit(i, j + 2, loaded[k].z);
        if (loaded[k].w != 0) visit(i, j + 3, loaded[k].w);
      }
    }
  }
}

}  // namespace warpbench::similarity
