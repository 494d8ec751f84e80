// Counting at the edges between two vertices with short out-lists (oriented.hpp): a warp takes some sources at a time.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/list_walk.cuh"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/search.cuh"

namespace warpbench::common_neighbors {

struct ShortListTuning {
  static constexpr int kThreads = 256;
  static constexpr int kMinBlocks = 5;     ///< on a multiprocessor
  static constexpr int kUnroll = 2;        ///< loads in flight a lane
  static constexpr int kFilterShift = 21;  ///< leaves 11 bits of a hash: 32 for each element
};

/// Where a source's list lies in the index, and one of its elements, in a word: the place of its first element in bits
/// 0 to 7, its size in bits 8 to 15, the element's place in bits 24 to 31.
struct ShortName {
  std::uint32_t bits;

  __device__ std::uint32_t first() const { return bits & 0xffU; }
  __device__ std::uint32_t size() const { return bits >> 8 & 0xffU; }
  __device__ std::uint32_t place() const { return bits >> 24; }
  __device__ static ShortName of_list(std::uint32_t first, std::uint32_t size) { return {first | size << 8}; }
  __device__ ShortName of_element(std::uint32_t place) const { return {bits | place << 24}; }
};

/// The index of short out-lists N+(u), one behind the other, in shared memory: the sorted lists, each searched by
/// halves, behind a filter of one bit a hash value. Every triangle (u,v,w) has v and w in N+(u), so that one counter an
/// element serves (u,v) and (u,w).
class ShortLists {
 public:
  static constexpr int kElements = static_cast<int>(kShortList);
  static constexpr int kFilterWords = (1 << (32 - ShortListTuning::kFilterShift)) / kBitsPerWord;
  static constexpr int kWords = 3 * kElements + kFilterWords;

  __device__ explicit ShortLists(std::uint32_t* memory) : memory_(memory) {}

  /// Empties the filter; a barrier of the warp must follow.
  __device__ void clear() const {
    for (const int i : warp::strided(kFilterWords)) filter()[i] = 0;
  }
  /// Takes element w, of the list of that name, and its edge.
  __device__ void put(std::uint32_t place, std::uint32_t w, ShortName list, std::uint32_t edge) const {
    memory_[place] = w;
    counters()[place] = 0;
    edges()[place] = edge;
    atomic_set_bit(filter(), hash(w, list));
  }
  /// False only for what the list does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w, ShortName list) const {
    return !kFilter || test_bit(filter(), hash(w, list));
  }
  /// The place of w, or -1.
  __device__ int find(std::uint32_t w, ShortName list) const {
    const std::uint32_t* const elements = memory_ + list.first();
    const int size = static_cast<int>(list.size());
    const int place = lower_bound(elements, size, w);
    return place < size && elements[place] == w ? static_cast<int>(list.first()) + place : -1;
  }
  __device__ std::uint32_t* counters() const { return memory_ + kElements; }
  __device__ std::uint32_t* edges() const { return memory_ + 2 * kElements; }

 private:
  __device__ std::uint32_t* filter() const { return memory_ + 3 * kElements; }
  /// Lists that have the same element nearly always have different hashes of it. The second factor drops the element's
  /// place: it is a multiple of 256.
  __device__ static std::uint32_t hash(std::uint32_t w, ShortName list) {
    return (w * 2654435769U + list.bits * (2246822519U << 8)) >> ShortListTuning::kFilterShift;
  }

  std::uint32_t* memory_;
};

/// Shared memory of a warp, in words: pairs first, as they are read by 8 bytes.
inline constexpr int kShortListWords = 2 * kWarpSize + CandidateQueue::kWords + ShortLists::kWords;
static_assert(kShortListWords % 2 == 0);

/// The edges of the sources whose lists the lanes have: kShortList elements in all at most, laid end to end from
/// `begin` on. The lists are indexed, and the short ones among N+(v) are looked up.
template <bool kFilter>
__device__ void count_short_lists_of(const OutGraph& graph, Extent<std::uint32_t> list, std::uint32_t begin,
                                     uint2* starts, const ShortLists& index, CandidateQueue& queue) {
  constexpr int kEach = static_cast<int>(kShortList / kWarpSize);
  const std::uint32_t total = __reduce_add_sync(kFullMask, list.size());
  ListStarts lists(list, begin, ShortName::of_list(begin, list.size()).bits, starts);
  std::uint32_t v[kEach];
  uint2 start[kEach];
  Extent<std::uint32_t> targets[kEach];
  bool has_targets = false;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    start[k] = lists.next(k * kWarpSize);
    const std::uint32_t place = warp::lane() + k * kWarpSize;
    v[k] = place < total ? graph.neighbors[start[k].x + place] : 0;
    targets[k] = place < total ? graph.out_list(v[k]) : Extent<std::uint32_t>{0, 0};
    if (targets[k].size() > kShortList) targets[k] = {0, 0};  // the kernel of long lists has this edge
    has_targets |= targets[k].size() != 0;
  }
  if (__any_sync(kFullMask, has_targets ? 1 : 0) == 0) return;

  index.clear();
  __syncwarp();
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::uint32_t place = warp::lane() + k * kWarpSize;
    if (place < total) index.put(place, v[k], {start[k].y}, start[k].x + place);
  }
  __syncwarp();
  const auto close = [&](std::uint32_t owner, std::uint32_t at) {
    const ShortName of_v{owner};
    const int place = index.find(graph.neighbors[at], of_v);  // read anew, from a cache: cheaper than to queue it
    if (place < 0) return;
    atomicAdd(&index.counters()[place], 1U);         // edge (u,w)
    atomicAdd(&index.counters()[of_v.place()], 1U);  // edge (u,v)
    graph.counts.add(at, 1U);                        // edge (v,w)
  };
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (k * kWarpSize >= static_cast<int>(total)) break;
    const ShortName of_v = ShortName{start[k].y}.of_element(warp::lane() + k * kWarpSize);
    walk_lists<ShortListTuning::kUnroll>(graph.neighbors, targets[k], of_v.bits, starts,
                                         [&](bool present, std::uint32_t owner, std::uint32_t at, std::uint32_t w) {
                                           // Asked without a branch.
                                           const bool may_hold = index.may_hold<kFilter>(w, {owner});
                                           queue.push(may_hold && present, owner, at, close);
                                         });
  }
  queue.flush(close);
  for (const std::uint32_t i : warp::strided(total)) {
    const std::uint32_t found = index.counters()[i];
    if (found != 0) graph.counts.add(index.edges()[i], found);
  }
  __syncwarp();
}

/// A warp takes 32 vertices that lie far apart in `order`, so that neighbours in it are at work at the same time. Where
/// ids go by degree, this also gives all warps as much work.
template <bool kFilter>
__global__ void __launch_bounds__(ShortListTuning::kThreads, ShortListTuning::kMinBlocks)
    count_short_lists(OutGraph graph, View<const std::uint32_t> order, std::uint32_t* next) {
  std::uint32_t* const memory =
      dynamic_shared<std::uint32_t>() + block::warp_rank<ShortListTuning::kThreads>() * kShortListWords;
  auto* const starts = reinterpret_cast<uint2*>(memory);
  CandidateQueue queue(memory + 2 * kWarpSize);
  const ShortLists index(memory + 2 * kWarpSize + CandidateQueue::kWords);
  const std::int64_t groups = ceil_div(order.size(), std::int64_t{kWarpSize});
  for (std::uint32_t group = fetch(next, 1); group < groups; group = fetch(next, 1)) {
    const std::int64_t i = group + groups * warp::lane();
    Extent<std::uint32_t> list{0, 0};
    if (i < order.size()) {
      const Extent<std::uint32_t> own = graph.out_list(order[i]);
      if (is_short_source(own.size()) && !graph.hubs.has(order[i])) list = own;
    }
    std::uint32_t total = 0;
    const std::uint32_t begin = warp::exclusive_scan(list.size(), total);
    for (std::uint32_t done = 0; done < total;) {  // elements; lists stay whole
      const bool is_next = list.size() != 0 && begin >= done && begin + list.size() <= done + kShortList;
      const Extent<std::uint32_t> taken = is_next ? list : Extent<std::uint32_t>{0, 0};
      count_short_lists_of<kFilter>(graph, taken, begin - done, starts, index, queue);
      done += __reduce_add_sync(kFullMask, taken.size());
    }
  }
}

}  // namespace warpbench::common_neighbors
