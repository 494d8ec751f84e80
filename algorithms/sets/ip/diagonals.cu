#include "algorithms/sets/ip/diagonals.cuh"

namespace warpbench::sets {
namespace {

constexpr int kThreads = 128;
constexpr RowParts kParts{128};

/// A thread a diagonal; blocks are parts of rows.
__global__ void __launch_bounds__(kThreads)
    pairs_diagonals_kernel(DeviceSets sets, PairTable table, RowParts parts, Diagonals diagonals) {
  const Part part = part_at(table, parts, blockIdx.x, blockIdx.y);
  if (part.begin >= part.end) return;
  const std::int64_t of_pair = diagonals.blocks + 1;
  const DeviceSet row = sets.set(part.row);
  for (std::int64_t i = threadIdx.x; i < (part.end - part.begin) * of_pair; i += kThreads) {
    const std::int64_t column = part.begin + i / of_pair;
    const DeviceSet other = sets.set(column);
    const std::int64_t diagonal = diagonal_at(row.size + other.size, diagonals.blocks, i % of_pair);
    const PathPoint point = path_point(row, other, diagonal);
    diagonals.point(table.place(part.row, column), i % of_pair) = static_cast<std::uint32_t>(point.a);
    if (point.in_cell) atomicAdd(&table.count(part.row, column), 1U);
  }
}

__global__ void __launch_bounds__(kThreads) single_diagonals_kernel(SingleTask task, Diagonals diagonals) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i > diagonals.blocks) return;
  const DeviceSet smaller{task.smaller.data(), task.smaller.size()};
  const DeviceSet larger{task.larger.data(), task.larger.size()};
  const PathPoint point = path_point(smaller, larger, diagonal_at(smaller.size + larger.size, diagonals.blocks, i));
  diagonals.point(0, i) = static_cast<std::uint32_t>(point.a);
  if (!point.in_cell) return;
  atomicAdd(&task.common[0], 1ULL);
  Found{task.found, smaller, 0}.mark_at(point.a - 1);
}

}  // namespace

void find_diagonals(const DeviceSets& sets, const PairTable& table, const Diagonals& diagonals, Stream& stream) {
  launch(pairs_diagonals_kernel, Grid{{table.rows(), kParts.count(table)}, kThreads}, stream, sets, table, kParts,
         diagonals);
}

void find_diagonals(const SingleTask& task, const Diagonals& diagonals, Stream& stream) {
  launch(single_diagonals_kernel, grid_for(diagonals.blocks + 1, kThreads), stream, task, diagonals);
}

}  // namespace warpbench::sets
