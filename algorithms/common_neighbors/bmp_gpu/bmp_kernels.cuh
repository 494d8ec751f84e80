// The kernel of BMP on a GPU (che2019, slide "BMP CUDA Kernel"): a block acquires a bitmap from a pool, marks N(u) in
// it, its warps look the lists N(v) up, and the bitmap is cleared by walking N(u) again.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.cuh"
#include "device/kernel.hpp"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

/// As many bitmaps of |V| bits as blocks can be resident, all zero between uses; taken[i] says whether i is in use.
struct BitmapPool {
  View<std::uint32_t> words;
  View<std::uint32_t> taken;
  std::int64_t words_each;

  /// Index of a bitmap that is now the caller's alone. Called by one thread of a block; `start` spreads the search.
  __device__ std::int64_t acquire(std::int64_t start) const {
    std::int64_t i = start % taken.size();
    while (atomicCAS(&taken[i], 0U, 1U) != 0U) i = i + 1 < taken.size() ? i + 1 : 0;
    __threadfence();  // the previous owner's clearing comes before our marking
    return i;
  }
  __device__ void release(std::int64_t i) const {
    __threadfence();
    atomicExch(&taken[i], 0U);
  }
};

__device__ inline bool has_bit(const std::uint32_t* words, std::uint32_t bit) {
  return ((words[bit / 32] >> (bit % 32)) & 1U) != 0;
}
__device__ inline void set_bit(std::uint32_t* words, std::uint32_t bit) {
  atomicOr(&words[bit / 32], 1U << (bit % 32));
}

/// How many of `list` are marked in the bitmap, in all lanes; called by a whole warp, threadIdx.x its lane.
template <bool kFilter>
__device__ inline std::uint32_t count_marked(const View<const std::uint32_t> list, const std::uint32_t* bitmap,
                                             const std::uint32_t* filter, int range_shift) {
  std::uint32_t count = 0;
  for (std::uint32_t i = threadIdx.x; i < list.size(); i += kWarpSize) {
    const std::uint32_t w = list[std::int64_t{i}];
    if constexpr (kFilter) {
      if (!has_bit(filter, w >> range_shift)) continue;
    }
    count += has_bit(bitmap, w) ? 1U : 0U;
  }
  return warp::reduce_sum(count);
}

/// One block per row piece, threads (32, warps). kFilter: a filter of `filter_words` words in shared memory, one bit
/// per 2^range_shift vertices, is asked before the bitmap (slide "Bitmap Range Filtering").
template <bool kFilter>
__global__ void __launch_bounds__(1024, 2) bitmap_kernel(PassGraph graph, BlockRows rows, View<std::uint32_t> counts,
                                                         BitmapPool pool, int filter_words, int range_shift) {
  const auto [u, begin, end] = rows.row(graph, blockIdx.x, blockIdx.y);
  if (begin == end) return;
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y;
  const std::uint64_t row_begin = graph.begin(u);
  const std::uint64_t row_end = graph.end(u);

  std::uint32_t* const filter = dynamic_shared<std::uint32_t>();
  __shared__ std::int64_t acquired;
  if (tid == 0) acquired = pool.acquire(blockIdx.x);
  if constexpr (kFilter) {
    for (unsigned i = tid; i < static_cast<unsigned>(filter_words); i += threads) filter[i] = 0;
  }
  __syncthreads();

  std::uint32_t* const bitmap = &pool.words[acquired * pool.words_each];
  for (std::uint64_t slot = row_begin + tid; slot < row_end; slot += threads) {
    const std::uint32_t w = graph.row(slot);
    set_bit(bitmap, w);
    if constexpr (kFilter) set_bit(filter, w >> range_shift);
  }
  __syncthreads();

  // A warp takes every blockDim.y-th slot. Its lanes look 32 of them up at once: slot, degree and list are a chain of
  // waits, which would otherwise be paid for each edge.
  for (std::uint64_t first = begin + threadIdx.y; first < end; first += std::uint64_t{kWarpSize} * blockDim.y) {
    const std::uint64_t slot = first + std::uint64_t{threadIdx.x} * blockDim.y;
    const std::uint32_t v = slot < end ? graph.row(slot) : u;  // u does not come before itself
    const bool counted = graph.counts_here(u, v);
    const std::uint64_t list_begin = counted ? graph.begin(v) - graph.first_list_slot : 0;
    const std::uint32_t list_size = counted ? static_cast<std::uint32_t>(graph.degree(v)) : 0;
    std::uint32_t count = 0;
    for (unsigned edges = __ballot_sync(kFullMask, counted ? 1 : 0); edges != 0; edges &= edges - 1) {
      const int lane = __ffs(static_cast<int>(edges)) - 1;
      const View<const std::uint32_t> list =
          graph.lists.subview(static_cast<std::int64_t>(__shfl_sync(kFullMask, list_begin, lane)),
                              std::int64_t{__shfl_sync(kFullMask, list_size, lane)});
      const std::uint32_t found = count_marked<kFilter>(list, bitmap, filter, range_shift);
      if (static_cast<int>(threadIdx.x) == lane) count = found;
    }
    if (counted) counts[static_cast<std::int64_t>(slot)] = count;
  }
  __syncthreads();

  for (std::uint64_t slot = row_begin + tid; slot < row_end; slot += threads) bitmap[graph.row(slot) / 32] = 0;
  __syncthreads();
  if (tid == 0) pool.release(acquired);
}

}  // namespace warpbench::common_neighbors
