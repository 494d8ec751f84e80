// The kernel of BMP on a GPU (che2019, "BMP CUDA Kernel"): a block acquires a bitmap from a pool, marks N(u) in it, its
// warps look the lists N(v) up, and the bitmap is cleared by walking N(u) again. A block with nothing to count takes no
// bitmap, of which the document says nothing.
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
class BitmapPool {
 public:
  View<std::uint32_t> words;
  View<std::uint32_t> taken;
  std::int64_t words_each;

  __device__ View<std::uint32_t> bitmap(std::int64_t i) const { return words.subview(i * words_each, words_each); }
  /// Index of a bitmap that is now the caller's alone. Called by one thread of a block.
  __device__ std::int64_t acquire() const {
    std::int64_t i = first_to_ask();
    while (atomicCAS(&taken[i], 0U, 1U) != 0U) i = i + 1 < taken.size() ? i + 1 : 0;
    __threadfence();  // the previous owner's clearing comes before our marking
    return i;
  }
  __device__ void release(std::int64_t i) const {
    __threadfence();
    atomicExch(&taken[i], 0U);
  }

 private:
  /// Blocks that run at once get different ones, as far as there are: that of the warp's place on the device, which
  /// the block before left. So a bitmap is found at once, and its words are in the caches of its multiprocessor.
  __device__ std::int64_t first_to_ask() const {
#if defined(WARPBENCH_CUDA)
    std::uint32_t multiprocessor = 0;
    std::uint32_t multiprocessors = 0;
    std::uint32_t place_there = 0;
    std::uint32_t places_each = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(place_there));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(places_each));
    const std::int64_t place = std::int64_t{multiprocessor} * places_each + place_there;
    return place * taken.size() / (std::int64_t{multiprocessors} * places_each);
#else
    return block::index() % taken.size();
#endif
  }
};

/// How many of kElements of a list, 32 apart from `first` on, are marked: all are on their way together.
template <bool kFilter, int kElements>
__device__ __forceinline__ std::uint32_t count_marked_of_lane(View<const std::uint32_t> list, std::uint32_t first,
                                                              View<std::uint32_t> bitmap, const std::uint32_t* filter,
                                                              int range_shift) {
  const View<const std::uint32_t> from = list.subview(first, list.size() - first);
  std::uint32_t elements[kElements];
#pragma unroll
  for (int i = 0; i < kElements; ++i) elements[i] = from[i * kWarpSize];
  std::uint32_t count = 0;
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    const std::uint32_t w = elements[i];
    const bool may_be_marked = !kFilter || test_bit(filter, w >> range_shift);
    const std::uint32_t word = may_be_marked ? bitmap[word_of(w)] : 0;
    count += word >> (w % kBitsPerWord) & 1U;
  }
  return count;
}

/// The number of marked elements of `list`, in all lanes; called by a whole warp.
template <bool kFilter>
__device__ inline std::uint32_t count_marked(View<const std::uint32_t> list, View<std::uint32_t> bitmap,
                                             const std::uint32_t* filter, int range_shift) {
  constexpr int kInFlight = kFilter ? 2 : 4;  // as many as 32 registers a thread have room for
  const auto size = static_cast<std::uint32_t>(list.size());
  const auto rank = static_cast<std::uint32_t>(warp::lane());
  std::uint32_t count = 0;
  std::uint32_t first = rank;
  for (; first - rank + kInFlight * kWarpSize <= size; first += kInFlight * kWarpSize) {
    count += count_marked_of_lane<kFilter, kInFlight>(list, first, bitmap, filter, range_shift);
  }
#pragma unroll 1
  for (; first < size; first += kWarpSize) {
    count += count_marked_of_lane<kFilter, 1>(list, first, bitmap, filter, range_shift);
  }
  return warp::reduce_sum(count);
}

/// Writes the counts of a piece's slots. A warp takes every warps-th slot, and its lanes look 32 of them up at once:
/// slot, degree and list are a chain of waits, which would otherwise be paid for each edge. Slots have 32 bits.
template <bool kFilter>
__device__ void count_piece(const PassGraph& graph, const SlotPiece& piece, View<std::uint32_t> counts,
                            View<std::uint32_t> bitmap, const std::uint32_t* filter, int range_shift) {
  const auto warps = static_cast<std::uint32_t>(block::warps());
  const View<const std::uint32_t> targets = graph.rows.subview(piece.slots.begin, piece.slots.size());
  const auto size = static_cast<std::uint32_t>(targets.size());
  for (auto first = static_cast<std::uint32_t>(block::warp_rank()); first < size; first += kWarpSize * warps) {
    const std::uint32_t i = first + static_cast<std::uint32_t>(warp::lane()) * warps;
    const std::uint32_t v = i < size ? targets[i] : piece.u;  // u does not come before itself
    const bool counted = graph.counts_here(piece.u, v);
    const auto list_begin = static_cast<std::uint32_t>(counted ? graph.slots(v).begin - graph.first_list_slot : 0);
    const auto list_size = static_cast<std::uint32_t>(counted ? graph.degree(v) : 0);
    std::uint32_t count = 0;
    for (const int lane : set_bits(__ballot_sync(kFullMask, counted ? 1 : 0))) {
      const View<const std::uint32_t> list =
          graph.lists.subview(__shfl_sync(kFullMask, list_begin, lane), __shfl_sync(kFullMask, list_size, lane));
      const std::uint32_t found = count_marked<kFilter>(list, bitmap, filter, range_shift);
      if (warp::lane() == lane) count = found;
    }
    if (counted) counts[piece.slots.begin + i] = count;
  }
}

/// Whether there may be something to count in a piece: it is long, or one of its slots is this pass's work. All threads
/// of the block, a slot each.
__device__ inline bool may_count(const PassGraph& graph, const SlotPiece& piece) {
  if (piece.slots.size() > block::size()) return true;
  const std::int64_t slot = piece.slots.begin + block::rank();
  const bool counted = slot < piece.slots.end && graph.counts_here(piece.u, graph.rows[slot]);
  return __syncthreads_or(counted ? 1 : 0) != 0;
}

/// One block a row piece. kFilter: a filter of `filter_words` words in shared memory, one bit per 2^range_shift
/// vertices, is asked before the bitmap ("Bitmap Range Filtering").
template <bool kFilter>
__global__ void __launch_bounds__(BitmapTuning::kMaxThreads, BitmapTuning::kMinBlocks)
    bitmap_kernel(PassGraph graph, RowCut cut, View<std::uint32_t> counts, BitmapPool pool, int filter_words,
                  int range_shift) {
  const SlotPiece piece = cut.piece_of_block(graph);
  // Most neighbours of a vertex of low degree come before it: there are many rows that need no bitmap at all.
  if (piece.slots.empty() || !may_count(graph, piece)) return;
  const View<const std::uint32_t> row = graph.row(piece.u);

  std::uint32_t* const filter = dynamic_shared<std::uint32_t>();
  __shared__ std::int64_t acquired;
  __shared__ std::int64_t first_word;  // of it: multiplied once, not again for each look-up
  if (block::rank() == 0) {
    acquired = pool.acquire();
    first_word = acquired * pool.words_each;
  }
  if constexpr (kFilter) {
    for (const int i : block::strided(filter_words)) filter[i] = 0;
  }
  __syncthreads();

  const View<std::uint32_t> bitmap = pool.words.subview(first_word, pool.words_each);
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
