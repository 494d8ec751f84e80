// All pairs with a warp a column: the tokens of the column's set are looked up in an index of the row's set, anything
// that has holds(token).
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/pair_tile.cuh"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench::sets {

/// Kernels that give each column of a row to a warp. The threads of their blocks are a parameter of the solvers.
struct WarpPerColumnTuning {
  static constexpr std::int64_t kColumns = 256;  ///< of a row, for a block
};
using WarpPerColumn = RowPieces<WarpPerColumnTuning::kColumns>;

/// The threads of a block take the elements [0, size), kInFlight of a thread at a time: each step(u, i) is called for
/// all of them, element i in place u, before the next step. So the loads of one step are on their way together.
template <int kInFlight, typename Index, typename... Steps>
__device__ __forceinline__ void in_batches(Index size, Steps... steps) {
  const auto apart = static_cast<Index>(block::size());
  for (Index first = block::rank(); first < size; first += kInFlight * apart) {
    const auto for_all = [&](auto step) {
#pragma unroll
      for (int u = 0; u < kInFlight; ++u) {
        if (first + u * apart < size) step(u, first + u * apart);
      }
    };
    (for_all(steps), ...);
  }
}

/// The number of tokens of `set` that the index holds, a lane a lookup. A whole warp; in all lanes.
template <typename Index>
__device__ std::uint32_t count_by_warp(const Index& index, DeviceSet set) {
  std::uint32_t common = 0;
  for (const std::int64_t i : warp::strided(set.size())) common += index.holds(set[i]) ? 1 : 0;
  return warp::reduce_sum(common);
}

/// The number of tokens of `set` that this thread of the block finds in the index, a thread a lookup; mark(i) is
/// called for each.
template <typename Index, typename Mark>
__device__ std::uint32_t count_by_block(const Index& index, DeviceSet set, const Mark& mark) {
  std::uint32_t common = 0;
  for (const std::int64_t i : block::strided(set.size())) {
    if (!index.holds(set[i])) continue;
    ++common;
    mark(i);
  }
  return common;
}

/// Fills the counts of a piece's pairs, a warp a column: those of the row's set, which `index` has, with `sets`.
template <typename Index>
__device__ void count_columns(const Index& index, const DeviceSets& sets, const PairTile& tile, const RowPiece& piece) {
  for (const std::int64_t column : block::per_warp(piece.columns)) {
    const std::uint32_t common = count_by_warp(index, sets.set(column));
    if (warp::lane() == 0) tile.count(piece.row, column) = common;
  }
}

}  // namespace warpbench::sets
