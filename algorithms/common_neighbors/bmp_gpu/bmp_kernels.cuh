// The kernel of BMP on a GPU (che2019, "BMP CUDA Kernel"): a block acquires a bitmap from a pool, marks N(u) in it, its
// warps look the lists N(v) up, and the bitmap is cleared by walking N(u) again.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/pass_graph.cuh"
#include "device/bits.cuh"
#include "device/ranges.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

struct BitmapTuning {
  static constexpr int kMaxThreads = 1024;
  static constexpr int kMinBlocks = 2;                ///< of kMaxThreads, on a multiprocessor
  static constexpr std::int64_t kFilterBytes = 4096;  ///< of a block, for 16 blocks on the document's multiprocessors
};

/// As many bitmaps of |V| bits as blocks can be resident, all zero between uses; taken[i] says whether i is in use.
struct BitmapPool {
  View<std::uint32_t> words;
  View<std::uint32_t> taken;
  std::int64_t words_each;

  __device__ View<std::uint32_t> bitmap(std::int64_t i) const { return words.subview(i * words_each, words_each); }
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

/// The number of marked elements of `list`, in all lanes; called by a whole warp.
template <bool kFilter>
__device__ inline std::uint32_t count_marked(View<const std::uint32_t> list, View<std::uint32_t> bitmap,
                                             const std::uint32_t* filter, int range_shift) {
  std::uint32_t count = 0;
  for (const std::uint32_t i : warp::strided(static_cast<std::uint32_t>(list.size()))) {
    const std::uint32_t w = list[i];
    if constexpr (kFilter) {
      if (!test_bit(filter, w >> range_shift)) continue;
    }
    count += test_bit(bitmap, w) ? 1U : 0U;
  }
  return warp::reduce_sum(count);
}

/// Writes the counts of a piece's slots. A warp takes every warps-th slot, and its lanes look 32 of them up at once:
/// slot, degree and list are a chain of waits, which would otherwise be paid for each edge.
template <bool kFilter>
__device__ void count_piece(const PassGraph& graph, const SlotPiece& piece, View<std::uint32_t> counts,
                            View<std::uint32_t> bitmap, const std::uint32_t* filter, int range_shift) {
  const int warps = block::warps();
  const std::int64_t end = piece.slots.end;
  for (std::int64_t first = piece.slots.begin + block::warp_rank(); first < end; first += kWarpSize * warps) {
    const std::int64_t slot = first + warp::lane() * warps;
    const std::uint32_t v = slot < end ? graph.rows[slot] : piece.u;  // u does not come before itself
    const bool counted = graph.counts_here(piece.u, v);
    const std::int64_t list_begin = counted ? graph.slots(v).begin - graph.first_list_slot : 0;
    const auto list_size = static_cast<std::uint32_t>(counted ? graph.degree(v) : 0);
    std::uint32_t count = 0;
    for (const int lane : set_bits(__ballot_sync(kFullMask, counted ? 1 : 0))) {
      const View<const std::uint32_t> list =
          graph.lists.subview(__shfl_sync(kFullMask, list_begin, lane), __shfl_sync(kFullMask, list_size, lane));
      const std::uint32_t found = count_marked<kFilter>(list, bitmap, filter, range_shift);
      if (warp::lane() == lane) count = found;
    }
    if (counted) counts[slot] = count;
  }
}

/// One block a row piece. kFilter: a filter of `filter_words` words in shared memory, one bit per 2^range_shift
/// vertices, is asked before the bitmap ("Bitmap Range Filtering").
template <bool kFilter>
__global__ void __launch_bounds__(BitmapTuning::kMaxThreads, BitmapTuning::kMinBlocks)
    bitmap_kernel(PassGraph graph, RowCut cut, View<std::uint32_t> counts, BitmapPool pool, int filter_words,
                  int range_shift) {
  const SlotPiece piece = cut.piece_of_block(graph);
  if (piece.slots.empty()) return;
  const View<const std::uint32_t> row = graph.row(piece.u);

  std::uint32_t* const filter = dynamic_shared<std::uint32_t>();
  __shared__ std::int64_t acquired;
  if (block::rank() == 0) acquired = pool.acquire(block::index());
  if constexpr (kFilter) {
    for (const int i : block::strided(filter_words)) filter[i] = 0;
  }
  __syncthreads();

  const View<std::uint32_t> bitmap = pool.bitmap(acquired);
  for (const std::int64_t i : block::strided(row.size())) {
    atomic_set_bit(bitmap, row[i]);
    if constexpr (kFilter) atomic_set_bit(filter, row[i] >> range_shift);
  }
  __syncthreads();

  count_piece<kFilter>(graph, piece, counts, bitmap, filter, range_shift);
  __syncthreads();

  for (const std::int64_t i : block::strided(row.size())) bitmap[word_of(row[i])] = 0;
  __syncthreads();
  if (block::rank() == 0) pool.release(acquired);
}

}  // namespace warpbench::common_neighbors
