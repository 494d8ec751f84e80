#include "algorithms/sets/ip/diagonals.cuh"

namespace warpbench::sets {
namespace {

struct DiagonalTuning {
  static constexpr int kThreads = 128;
  static constexpr std::int64_t kColumns = 128;  ///< of a row, for a block
};

/// A thread a diagonal.
__global__ void __launch_bounds__(DiagonalTuning::kThreads)
    pairs_diagonals_kernel(DeviceSets sets, PairTile tile, Diagonals diagonals) {
  const RowPiece piece = RowPieces<DiagonalTuning::kColumns>{tile}.of_block();
  const std::int64_t of_pair = diagonals.parts + 1;
  const DeviceSet row = sets.set(piece.row);
  for (const std::int64_t i : block::strided<DiagonalTuning::kThreads>(piece.columns.size() * of_pair)) {
    const std::int64_t column = piece.columns.begin + i / of_pair;
    const DeviceSet other = sets.set(column);
    const PathPoint<> point =
        path_point(row, row.size(), other, other.size(), diagonals.diagonal(row, other, i % of_pair));
    diagonals.point(tile.place(piece.row, column), i % of_pair) = static_cast<std::uint32_t>(point.a);
    if (point.in_cell) atomicAdd(&tile.count(piece.row, column), 1U);
  }
}

/// A warp a diagonal.
__global__ void __launch_bounds__(DiagonalTuning::kThreads)
    single_diagonals_kernel(SingleTask task, Diagonals diagonals) {
  for (const std::int64_t i : grid::per_warp<DiagonalTuning::kThreads>(diagonals.parts + 1)) {
    const PathPoint<> point =
        path_point_by_warp(task.smaller, task.larger, diagonals.diagonal(task.smaller, task.larger, i));
    if (warp::lane() != 0) continue;
    diagonals.point(0, i) = static_cast<std::uint32_t>(point.a);
    if (!point.in_cell) continue;
    atomicAdd(&task.common[0], DigestWord{1});
    task.flags().mark_at(point.a - 1);
  }
}

}  // namespace

void find_diagonals(const DeviceSets& sets, const PairTile& tile, const Diagonals& diagonals, Stream& stream) {
  launch(pairs_diagonals_kernel, Grid{RowPieces<DiagonalTuning::kColumns>{tile}.blocks(), DiagonalTuning::kThreads},
         stream, sets, tile, diagonals);
}

void find_diagonals(const SingleTask& task, const Diagonals& diagonals, Stream& stream) {
  launch(single_diagonals_kernel, warp_grid_for(diagonals.parts + 1, DiagonalTuning::kThreads), stream, task,
         diagonals);
}

}  // namespace warpbench::sets
