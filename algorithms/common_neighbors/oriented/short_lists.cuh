// Counting at the edges between two vertices with short out-lists (oriented.hpp): a warp takes the lists of several
// sources at a time, so that all its lanes have work however short they are.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/list_walk.cuh"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "algorithms/common_neighbors/oriented/tasks.cuh"
#include "device/bits.cuh"
#include "device/search.cuh"

namespace warpbench::common_neighbors {

struct ShortListTuning {
  static constexpr int kThreads = 256;
  static constexpr int kMinBlocks = 6;             ///< on a multiprocessor
  static constexpr int kUnroll = 2;                ///< loads in flight a lane
  static constexpr std::uint32_t kElements = 128;  ///< of the lists that are indexed at a time
  static constexpr int kFilterBits = 11;           ///< of a hash: 16 values for each of those elements
  static constexpr std::uint32_t kApart = 4096;    ///< tasks between those of a warp
  static_assert(kElements >= kShortList);
};

/// The index of some short out-lists N+(u), in shared memory: the sorted lists themselves, searched by halves, behind a
/// filter of one bit a hash value. Every triangle (u,v,w) has v and w in N+(u), so that one counter an element serves
/// (u,v) and (u,w).
class ShortLists {
 public:
  static constexpr std::uint32_t kElements = ShortListTuning::kElements;
  static constexpr int kFilterWords = (1 << ShortListTuning::kFilterBits) / kBitsPerWord;
  static constexpr int kWords = 3 * static_cast<int>(kElements) + kFilterWords;

  /// An element by its own place, and its list by the lane that has it, its first place and its size.
  struct Name {
    std::uint32_t bits;

    __device__ static Name of_list(std::uint32_t lane, std::uint32_t first, std::uint32_t size) {
      return {lane << kLaneShift | size << kSizeShift | first};
    }
    __device__ Name of_element(std::uint32_t place) const { return {bits | place << kPlaceShift}; }
    __device__ std::uint32_t lane() const { return bits >> kLaneShift; }
    __device__ std::uint32_t first() const { return bits & kMask; }
    __device__ int size() const { return static_cast<int>(bits >> kSizeShift & kMask); }
    __device__ std::uint32_t place() const { return bits >> kPlaceShift & kMask; }
    /// What the list adds to a hash: each has its own values.
    __device__ std::uint32_t salt() const { return bits & ~0U << kLaneShift; }

   private:
    static constexpr int kSizeShift = 7;
    static constexpr int kPlaceShift = 14;
    static constexpr int kLaneShift = 27;
    static constexpr std::uint32_t kMask = (1U << kSizeShift) - 1;
    static_assert(kElements <= kMask + 1 && kShortList <= kMask);
  };

  __device__ explicit ShortLists(std::uint32_t* memory) : memory_(memory) {}

  /// By the whole warp, before put().
  __device__ void clear() {
    for (const int i : warp::strided(kFilterWords)) filter()[i] = 0;
    __syncwarp();
  }
  /// The element at a place, of the list.
  __device__ void put(std::uint32_t place, std::uint32_t w, Name list) {
    memory_[place] = w;
    counters()[place] = 0;
    lists()[place] = list.bits;
    atomic_set_bit(filter(), hash(w, list));
  }
  __device__ std::uint32_t element(std::uint32_t place) const { return memory_[place]; }
  __device__ Name list_of(std::uint32_t place) const { return {lists()[place]}; }

  /// False only for what the list does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w, Name list) const {
    return !kFilter || test_bit(filter(), hash(w, list));
  }
  /// The place of w in the list, or -1.
  __device__ int find(std::uint32_t w, Name list) const {
    const std::uint32_t* const elements = memory_ + list.first();
    const int before = lower_bound(elements, list.size(), w);
    return before < list.size() && elements[before] == w ? static_cast<int>(list.first()) + before : -1;
  }
  __device__ std::uint32_t* counters() const { return memory_ + kElements; }

 private:
  __device__ std::uint32_t* lists() const { return memory_ + 2 * kElements; }
  __device__ std::uint32_t* filter() const { return memory_ + 3 * kElements; }
  __device__ static std::uint32_t hash(std::uint32_t w, Name list) {
    return (w * 2654435769U + list.salt()) >> (32 - ShortListTuning::kFilterBits);  // Knuth: 2^32 / phi
  }

  std::uint32_t* memory_;
};

/// Shared memory of a warp, in words: pairs first, as they are read by 8 bytes.
inline constexpr int kShortListWords = 2 * kWarpSize + CandidateQueue::kWords + ShortLists::kWords;
static_assert(kShortListWords % 2 == 0);

/// The edges of the sources whose lists the lanes have, ShortLists::kElements in all at most: the lists are indexed,
/// and the short ones among N+(v) are looked up.
template <bool kFilter>
__device__ void count_short_lists_of(const OutGraph& graph, Extent<std::uint32_t> own, uint2* starts, ShortLists& index,
                                     CandidateQueue& queue) {
  using Name = ShortLists::Name;
  std::uint32_t total = 0;
  const std::uint32_t first_place = warp::exclusive_scan(own.size(), total);
  index.clear();
  std::uint32_t next_place = warp::lane();
  walk_lists<1>(graph.neighbors, own, Name::of_list(warp::lane(), first_place, own.size()).bits, starts,
                [&](bool present, std::uint32_t list, std::uint32_t /*at*/, std::uint32_t w) {
                  if (present) index.put(next_place, w, {list});
                  next_place += kWarpSize;
                });
  __syncwarp();

  const auto close = [&](std::uint32_t owner, std::uint32_t at) {
    const Name name{owner};
    const int place = index.find(graph.neighbors[at], name);  // read anew, from a cache: cheaper than to queue it
    if (place < 0) return;
    atomicAdd(&index.counters()[place], 1U);         // edge (u,w)
    atomicAdd(&index.counters()[name.place()], 1U);  // edge (u,v)
    graph.add(at, 1U);                               // edge (v,w)
  };
  const auto look_up = [&](bool present, std::uint32_t owner, std::uint32_t at, std::uint32_t w) {
    const bool may_hold = index.may_hold<kFilter>(w, {owner});  // asked without a branch
    queue.push(may_hold && present, owner, at, close);
  };
  for (std::uint32_t first = 0; first < total; first += kWarpSize) {
    const std::uint32_t place = first + warp::lane();
    Extent<std::uint32_t> list{0, 0};
    if (place < total) list = graph.out_list(index.element(place));
    if (list.size() > kShortList) list = {0, 0};  // the kernel of long lists has this edge
    const std::uint32_t name = place < total ? index.list_of(place).of_element(place).bits : 0;
    walk_lists<ShortListTuning::kUnroll>(graph.neighbors, list, name, starts, look_up);
  }
  queue.flush(close);
  for (std::uint32_t first = 0; first < total; first += kWarpSize) {
    const std::uint32_t place = first + warp::lane();
    const Name list = place < total ? index.list_of(place) : Name{0};
    const std::uint32_t begin = __shfl_sync(kFullMask, own.begin, static_cast<int>(list.lane()));
    const std::uint32_t found = place < total ? index.counters()[place] : 0;
    if (found != 0) graph.add(begin + place - list.first(), found);
  }
  __syncwarp();
}

/// A warp takes 32 tasks that lie apart in their order: those that lie together are at work at a time.
template <bool kFilter>
__global__ void __launch_bounds__(ShortListTuning::kThreads, ShortListTuning::kMinBlocks)
    count_short_lists(OutGraph graph, TaskQueue queue) {
  constexpr std::uint32_t kApart = ShortListTuning::kApart;
  std::uint32_t* const memory =
      dynamic_shared<std::uint32_t>() + block::warp_rank<ShortListTuning::kThreads>() * kShortListWords;
  auto* const starts = reinterpret_cast<uint2*>(memory);
  CandidateQueue candidates(memory + 2 * kWarpSize);
  ShortLists index(memory + 2 * kWarpSize + CandidateQueue::kWords);
  const std::uint32_t end = *queue.end;
  while (true) {
    const std::uint32_t turn = fetch(queue.fetched, 1);
    const std::uint32_t first = *queue.begin + turn / kApart * (kApart * kWarpSize) + turn % kApart;
    if (first >= end) return;
    const std::uint32_t task = first + warp::lane() * kApart;
    const Extent<std::uint32_t> list = task < end ? graph.out_list(queue.tasks[task].x) : Extent<std::uint32_t>{0, 0};
    std::uint32_t total = 0;
    const std::uint32_t begin = warp::exclusive_scan(list.size(), total);
    for (std::uint32_t done = 0; done < total;) {  // elements; lists stay whole
      const bool fits = list.size() != 0 && begin >= done && begin + list.size() <= done + ShortLists::kElements;
      const unsigned taken = __ballot_sync(kFullMask, fits ? 1 : 0);
      count_short_lists_of<kFilter>(graph, fits ? list : Extent<std::uint32_t>{0, 0}, starts, index, candidates);
      done = __shfl_sync(kFullMask, begin + list.size(), kWarpSize - 1 - __clz(static_cast<int>(taken)));
    }
  }
}

}  // namespace warpbench::common_neighbors
