// The kernels of MPS on a GPU (che2019, "MPS CUDA Kernels"): MKernel merges lists of similar length, a warp an edge,
// PSKernel skips through lists of very different length, a thread an edge.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/pass_graph.cuh"
#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// d_u / d_v > t or d_v / d_u > t; never for t = 0, where every edge is merged.
WARPBENCH_HOST_DEVICE bool is_skewed(std::int64_t degree_u, std::int64_t degree_v, std::int64_t threshold) {
  return threshold != 0 && (degree_u > threshold * degree_v || degree_v > threshold * degree_u);
}

/// Index of the first element of list[from, …) that is not less than `pivot`, by galloping search: steps of 1, 2, 4, …
/// from the present place, then binary search within the last step ("Pivot Skip Merge").
__device__ inline std::int64_t gallop(View<const std::uint32_t> list, std::int64_t from, std::uint32_t pivot) {
  std::int64_t step = 1;
  std::int64_t low = from;
  while (low + step < list.size() && list[low + step] < pivot) {
    low += step;
    step *= 2;
  }
  std::int64_t high = low + step < list.size() ? low + step : list.size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (list[middle] < pivot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// |a ∩ b| by one thread: the element at hand in one list is the pivot up to which the other list skips.
__device__ inline std::uint32_t intersect_pivot_skip(View<const std::uint32_t> a, View<const std::uint32_t> b) {
  std::uint32_t count = 0;
  std::int64_t i = 0;
  std::int64_t j = 0;
  while (i < a.size() && j < b.size()) {
    i = gallop(a, i, b[j]);
    if (i == a.size()) break;
    j = gallop(b, j, a[i]);
    if (j == b.size()) break;
    if (a[i] == b[j]) {
      ++count;
      ++i;
      ++j;
    }
  }
  return count;
}

/// |shorter ∩ longer| by a warp: each lane looks its elements of the shorter list up in the longer one. Valid in
/// every lane. O(shorter / 32 · log longer) steps, so that no list keeps one thread busy.
__device__ inline std::uint32_t intersect_by_search(View<const std::uint32_t> shorter,
                                                    View<const std::uint32_t> longer) {
  std::uint32_t count = 0;
  for (const std::int64_t i : warp::strided(shorter.size())) count += binary_search(longer, shorter[i]) ? 1U : 0U;
  return warp::reduce_sum(count);
}

/// |a ∩ b| by a warp: WarpWiseBlockMerge. A tile of 32 elements of each list lies in shared memory. Every lane looks
/// its element of one tile up in the other. Then the tile with the smaller last element moves on, or both where these
/// are equal. `tile` is this warp's 2 × 32 words. Valid in every lane.
__device__ inline std::uint32_t intersect_block_merge(View<const std::uint32_t> a, View<const std::uint32_t> b,
                                                      std::uint32_t* tile) {
  const int lane = warp::lane();
  std::uint32_t* const tile_a = tile;
  std::uint32_t* const tile_b = tile + kWarpSize;
  std::int64_t i = 0;
  std::int64_t j = 0;
  bool move_a = true;
  bool move_b = true;
  std::uint32_t count = 0;
  while (i < a.size() && j < b.size()) {
    if (move_a) tile_a[lane] = i + lane < a.size() ? a[i + lane] : kNone<std::uint32_t>;
    if (move_b) tile_b[lane] = j + lane < b.size() ? b[j + lane] : kNone<std::uint32_t>;
    __syncwarp();
    const std::uint32_t mine = tile_a[lane];
    int low = 0;
    for (int half = kWarpSize / 2; half > 0; half /= 2) low += tile_b[low + half - 1] < mine ? half : 0;
    count += mine != kNone<std::uint32_t> && tile_b[low] == mine ? 1U : 0U;
    const std::uint32_t last_a = tile_a[kWarpSize - 1];
    const std::uint32_t last_b = tile_b[kWarpSize - 1];
    __syncwarp();
    move_a = last_a <= last_b;
    move_b = last_b <= last_a;
    if (move_a) i += kWarpSize;
    if (move_b) j += kWarpSize;
  }
  return warp::reduce_sum(count);
}

/// Calls body(slot, list, row) for those of `slots`, all of u's, that this pass counts and whose degrees are very
/// different (`skewed`), or are not: list and row are N(v) and N(u).
template <typename Slots, typename Body>
__device__ void for_each_edge(const PassGraph& graph, std::uint32_t u, const Slots& slots, std::int64_t threshold,
                              bool skewed, const Body& body) {
  const View<const std::uint32_t> row = graph.row(u);
  for (const std::int64_t slot : slots) {
    const std::uint32_t v = graph.rows[slot];
    if (!graph.counts_here(u, v) || is_skewed(row.size(), graph.degree(v), threshold) != skewed) continue;
    body(slot, graph.list(v), row);
  }
}

/// MKernel: one block a row piece; its warps take slots of similar degrees. 2 × 32 words of shared memory a warp.
__global__ void merge_kernel(PassGraph graph, RowCut cut, View<std::uint32_t> counts, std::int64_t threshold) {
  const auto [u, slots] = cut.piece_of_block(graph);
  std::uint32_t* const tile = dynamic_shared<std::uint32_t>() + block::warp_rank() * 2 * kWarpSize;
  for_each_edge(graph, u, block::per_warp(slots), threshold, false, [&](std::int64_t slot, auto list, auto row) {
    const std::uint32_t count = intersect_block_merge(row, list, tile);
    if (warp::lane() == 0) counts[slot] = count;
  });
}

/// PSKernel: one block a row piece; its threads take slots of very different degrees. The document skips an edge
/// where d_u / d_v <= t OR d_v / d_u <= t, which always holds for t >= 1; here both ratios must be at most t.
__global__ void pivot_skip_kernel(PassGraph graph, RowCut cut, View<std::uint32_t> counts, std::int64_t threshold) {
  const auto [u, slots] = cut.piece_of_block(graph);
  for_each_edge(graph, u, block::strided(slots), threshold, true,
                [&](std::int64_t slot, auto list, auto row) { counts[slot] = intersect_pivot_skip(row, list); });
}

/// The same slots by warps (not in the document): all lanes search for the elements of N(v), the shorter list.
__global__ void warp_skip_kernel(PassGraph graph, RowCut cut, View<std::uint32_t> counts, std::int64_t threshold) {
  const auto [u, slots] = cut.piece_of_block(graph);
  for_each_edge(graph, u, block::per_warp(slots), threshold, true, [&](std::int64_t slot, auto list, auto row) {
    const std::uint32_t count = intersect_by_search(list, row);
    if (warp::lane() == 0) counts[slot] = count;
  });
}

}  // namespace warpbench::common_neighbors
