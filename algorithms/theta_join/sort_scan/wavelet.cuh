// Wavelet: the places of a relation under two orders, so that those in a range of the first order and in a range of the
// second are a few ranges of places. A wavelet matrix (Claude, Navarro and Ordóñez 2015): the ranks in the second order
// are partitioned stably by each of their bits, highest first, and each level keeps how many zeros precede a place.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::theta {

/// Level 0 has the first order; level l + 1 comes from level l by bit `bits - 1 - l` of the ranks. A walk takes a range
/// of places of a level to its two children on the next one.
struct Wavelet {
  using Places = Extent<std::int64_t>;
  struct Children {
    Places zero;
    Places one;
  };

  std::int64_t size;
  int bits;                         ///< 2^bits > size
  View<const std::uint32_t> zeros;  ///< bits x (size + 1): ranks before a place whose bit is 0

  [[nodiscard]] __device__ __forceinline__ bool bit(int level, std::int64_t rank) const {
    return (rank >> (bits - 1 - level) & 1) != 0;
  }

  [[nodiscard]] __device__ __forceinline__ Children children(int level, Places range) const {
    const std::int64_t first = level * (size + 1);
    const Places zero{zeros[first + range.begin], zeros[first + range.end]};
    const std::int64_t ones = zeros[first + size];
    return {zero, {ones + range.begin - zero.begin, ones + range.end - zero.end}};
  }

  /// body(level, places) for the places below `range` of a level whose rank is below `rank`, which is at most size.
  template <typename Body>
  __device__ __forceinline__ void below(int level, Places range, std::int64_t rank, const Body& body) const {
    for (; level < bits && !range.empty(); ++level) {
      const Children next = children(level, range);
      if (bit(level, rank)) body(level + 1, next.zero);
      range = bit(level, rank) ? next.one : next.zero;
    }
  }

  /// The same for ranks that are not below `rank`.
  template <typename Body>
  __device__ __forceinline__ void from(int level, Places range, std::int64_t rank, const Body& body) const {
    for (; level < bits && !range.empty(); ++level) {
      const Children next = children(level, range);
      if (!bit(level, rank)) body(level + 1, next.one);
      range = bit(level, rank) ? next.one : next.zero;
    }
    body(bits, range);  // of `rank` itself
  }

  /// body(level, places) for the places `range` of the first order whose rank is in `ranks`; some may be empty.
  /// O(bits).
  template <typename Body>
  __device__ __forceinline__ void within(Places range, Places ranks, const Body& body) const {
    if (ranks.empty()) return;
    if (ranks.begin == 0) return below(0, range, ranks.end, body);
    if (ranks.end == size) return from(0, range, ranks.begin, body);
    int level = 0;
    for (; bit(level, ranks.begin) == bit(level, ranks.end) && !range.empty(); ++level) {
      const Children next = children(level, range);
      range = bit(level, ranks.begin) ? next.one : next.zero;
    }
    if (range.empty()) return;
    const Children next = children(level, range);
    from(level + 1, next.zero, ranks.begin, body);
    below(level + 1, next.one, ranks.end, body);
  }
};

/// ranks[places[i]] = i: the ranks in an order that has these places.
void ranks_of_places(View<const std::int32_t> places, View<std::uint32_t> ranks, Stream& stream);

/// zeros[i + 1] = ranks up to i whose bit is 0; zeros[0] stays 0. `flags` has room for as many.
void count_zeros(View<const std::uint32_t> ranks, int bit, View<std::uint32_t> zeros, View<std::uint32_t> flags,
                 Stream& stream);

constexpr int kPartitionThreads = 256;

/// Moves zeros to the front, in order, and ones behind them; `zeros` as by count_zeros().
template <typename Value>
__global__ void __launch_bounds__(kPartitionThreads)
    partition_kernel(View<const std::uint32_t> ranks, View<const Value> values, int bit,
                     View<const std::uint32_t> zeros, View<std::uint32_t> next_ranks, View<Value> next_values) {
  for (const std::int64_t i : grid::strided<kPartitionThreads>(ranks.size())) {
    const std::int64_t before = zeros[i];
    const bool is_one = (ranks[i] >> bit & 1U) != 0;
    const std::int64_t to = is_one ? zeros[ranks.size()] + i - before : before;
    next_ranks[to] = ranks[i];
    next_values[to] = values[i];
  }
}

/// Makes a level of a wavelet from the one before it: its `zeros`, and what lies at its places. O(n).
template <typename Value>
void partition_by_bit(View<const std::uint32_t> ranks, View<const Value> values, int bit, View<std::uint32_t> zeros,
                      View<std::uint32_t> next_ranks, View<Value> next_values, Stream& stream) {
  count_zeros(ranks, bit, zeros, next_ranks, stream);
  launch(partition_kernel<Value>, grid_for(ranks.size(), kPartitionThreads), stream, ranks, values, bit,
         View<const std::uint32_t>(zeros), next_ranks, next_values);
}

}  // namespace warpbench::theta
