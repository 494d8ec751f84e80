// Counting at the edges between two vertices with short out-lists (oriented.hpp): one warp a source.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/list_walk.cuh"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/bits.cuh"
#include "device/search.cuh"

namespace warpbench::common_neighbors {

struct ShortListTuning {
  static constexpr int kThreads = 256;
  static constexpr int kMinBlocks = 6;     ///< on a multiprocessor
  static constexpr int kUnroll = 2;        ///< loads in flight a lane
  static constexpr int kFilterShift = 22;  ///< leaves 10 bits of a hash: 16 for each element of the longest list
};

/// The index of a short out-list N+(u), in shared memory: the sorted list itself, searched by halves, behind a filter
/// of one bit a hash value. Every triangle (u,v,w) has v and w in it, so that one counter an element serves (u,v) and
/// (u,w).
class ShortList {
 public:
  static constexpr int kFilterWords = (1 << (32 - ShortListTuning::kFilterShift)) / kBitsPerWord;
  static constexpr int kWords = 2 * static_cast<int>(kShortList) + kFilterWords;
  static_assert(kFilterWords == kWarpSize);

  __device__ explicit ShortList(std::uint32_t* memory) : memory_(memory) {}

  /// Takes the elements of the lanes: `size` in all, element lane + 32 k in elements[k].
  template <int kEach>
  __device__ void fill(const std::uint32_t (&elements)[kEach], int size) {
    size_ = size;
    filter()[warp::lane()] = 0;
    __syncwarp();
    for (int k = 0; k < kEach; ++k) {
      const int place = warp::lane() + k * kWarpSize;
      if (place >= size) continue;
      memory_[place] = elements[k];
      counters()[place] = 0;
      atomic_set_bit(filter(), hash(elements[k]));
    }
    __syncwarp();
  }
  /// False only for what the list does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w) const {
    return !kFilter || test_bit(filter(), hash(w));
  }
  /// The place of w, or -1.
  __device__ int find(std::uint32_t w) const {
    const int place = lower_bound(memory_, size_, w);
    return place < size_ && memory_[place] == w ? place : -1;
  }
  __device__ std::uint32_t* counters() const { return memory_ + kShortList; }

 private:
  __device__ std::uint32_t* filter() const { return memory_ + 2 * kShortList; }
  __device__ static std::uint32_t hash(std::uint32_t w) { return w * 2654435769U >> ShortListTuning::kFilterShift; }

  std::uint32_t* memory_;
  int size_ = 0;
};

/// Shared memory of a warp, in words: pairs first, as they are read by 8 bytes.
inline constexpr int kShortListWords = 2 * kWarpSize + CandidateQueue::kWords + ShortList::kWords;
static_assert(kShortListWords % 2 == 0);

/// The edges of one u, whose out-list is short: that list is indexed, and the short ones among N+(v) are looked up.
template <bool kFilter>
__device__ void count_short_list(const OutGraph& graph, Extent<std::uint32_t> own, uint2* starts, ShortList& index,
                                 CandidateQueue& queue) {
  constexpr int kEach = static_cast<int>(kShortList / kWarpSize);
  std::uint32_t elements[kEach];
  Extent<std::uint32_t> lists[kEach];
  bool has_work = false;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::uint32_t place = own.begin + warp::lane() + k * kWarpSize;
    elements[k] = place < own.end ? graph.neighbors[place] : 0;
    lists[k] = place < own.end ? graph.out_list(elements[k]) : Extent<std::uint32_t>{0, 0};
    if (lists[k].size() > kShortList) lists[k] = {0, 0};  // the kernel of long lists has this edge
    has_work |= lists[k].size() != 0;
  }
  if (__any_sync(kFullMask, has_work ? 1 : 0) == 0) return;

  index.fill(elements, static_cast<int>(own.size()));
  const auto close = [&](std::uint32_t owner, std::uint32_t at) {
    const int place = index.find(graph.neighbors[at]);  // read anew, from a cache: cheaper than to queue it
    if (place < 0) return;
    atomicAdd(&index.counters()[place], 1U);  // edge (u,w)
    atomicAdd(&index.counters()[owner], 1U);  // edge (u,v)
    graph.counts.add(at, 1U);                 // edge (v,w)
  };
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    walk_lists<ShortListTuning::kUnroll>(graph.neighbors, lists[k], warp::lane() + k * kWarpSize, starts,
                                         [&](bool present, std::uint32_t owner, std::uint32_t at, std::uint32_t w) {
                                           const bool may_hold = index.may_hold<kFilter>(w);  // asked without a branch
                                           queue.push(may_hold && present, owner, at, close);
                                         });
  }
  queue.flush(close);
  for (const std::uint32_t i : warp::strided(own.size())) {
    const std::uint32_t found = index.counters()[i];
    if (found != 0) graph.counts.add(own.begin + i, found);
  }
  __syncwarp();
}

/// A warp takes 32 vertices that lie far apart: where ids go by degree, those with much work lie together.
template <bool kFilter>
__global__ void __launch_bounds__(ShortListTuning::kThreads, ShortListTuning::kMinBlocks)
    count_short_lists(OutGraph graph, std::uint32_t* next) {
  std::uint32_t* const memory =
      dynamic_shared<std::uint32_t>() + block::warp_rank<ShortListTuning::kThreads>() * kShortListWords;
  auto* const starts = reinterpret_cast<uint2*>(memory);
  CandidateQueue queue(memory + 2 * kWarpSize);
  ShortList index(memory + 2 * kWarpSize + CandidateQueue::kWords);
  const std::int64_t vertices = graph.offsets.size() - 1;
  const std::int64_t apart = ceil_div(vertices, std::int64_t{kWarpSize});
  for (std::uint32_t first = fetch(next, 1); first < apart; first = fetch(next, 1)) {
    const std::int64_t v = first + warp::lane() * apart;
    const Extent<std::uint32_t> list =
        v < vertices ? graph.out_list(static_cast<std::uint32_t>(v)) : Extent<std::uint32_t>{0, 0};
    const bool is_short = list.size() >= 2 && list.size() <= kShortList;  // a triangle has two edges from u
    for (const int owner : set_bits(__ballot_sync(kFullMask, is_short ? 1 : 0))) {
      const Extent<std::uint32_t> own{__shfl_sync(kFullMask, list.begin, owner),
                                      __shfl_sync(kFullMask, list.end, owner)};
      count_short_list<kFilter>(graph, own, starts, index, queue);
    }
  }
}

}  // namespace warpbench::common_neighbors
