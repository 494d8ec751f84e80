// Sums beyond 64 bits. A sum of S.x over up to 2^32 pairs fits 64 bits, since |S.x| <= 2^31; over all of up to 2^62
// pairs it needs 94, so blocks and totals are summed in 128.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/aggregate/aggregate_solver.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "problems/theta_join/sum.hpp"

namespace warpbench::theta {

inline constexpr int kReduceThreads = 256;

/// Adds up cells[0 .. threads) in place, one of each thread of the block, in shared memory: the parallel reduction of
/// §3.3.3. The block has a power of two threads; the sum is in thread 0.
__device__ __forceinline__ Int128 sum_of_block(Int128 value, Int128* cells) {
  const int rank = block::rank();
  cells[rank] = value;
  for (int half = block::size() / 2; half > 0; half /= 2) {
    __syncthreads();
    if (rank < half) cells[rank] += cells[rank + half];
  }
  return cells[rank];  // not cells[0], which thread 0 may still be writing
}

/// total += value, by an atomic addition for each half.
__device__ __forceinline__ void add_to(View<SumWord> total, Int128 value) {
  const auto low = static_cast<SumWord>(value);
  const SumWord before = atomicAdd(&total[0], low);
  const SumWord carry = before + low < low ? 1 : 0;
  atomicAdd(&total[1], static_cast<SumWord>(value >> 64) + carry);
}

/// What a cell holds: a signed sum.
__device__ __forceinline__ Int128 sum_in(SumWord cell) {
  return static_cast<std::int64_t>(cell);
}
__device__ __forceinline__ Int128 sum_in(Int128 cell) {
  return cell;
}

/// total += the sum of all cells. Blocks of kReduceThreads.
template <typename Cell>
__global__ void __launch_bounds__(kReduceThreads) reduce_cells(View<const Cell> cells, View<SumWord> total) {
  __shared__ Int128 sums[kReduceThreads];
  Int128 sum = 0;
  for (const std::int64_t i : grid::strided<kReduceThreads>(cells.size())) sum += sum_in(cells[i]);
  sum = sum_of_block(sum, sums);
  if (block::rank() == 0) add_to(total, sum);
}

/// Enqueues it.
template <typename Cell>
void add_cells(View<const Cell> cells, View<SumWord> total, Stream& stream) {
  constexpr std::int64_t kMaxBlocks = 1024;
  launch(reduce_cells<Cell>, grid_for(cells.size(), kReduceThreads, kMaxBlocks), stream, cells, total);
}

}  // namespace warpbench::theta
