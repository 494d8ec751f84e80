// RankSums: weights of the tuples of a relation under two orders, to be summed over a range of places in the first
// order and a range of ranks in the second. A wavelet matrix (Claude, Navarro and Ordóñez 2015): the ranks are
// partitioned stably by each of their bits, highest first, and each level keeps how many zeros precede a place, and
// prefix sums of the weights as they lie below it. O(n log n) time and memory to build, O(log n) time for a sum.
#pragma once

#include <cstdint>
#include <utility>

#include "device/buffer.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::theta {

/// Level 0 has the first order; level l + 1 comes from level l by bit `bits - 1 - l` of the ranks.
struct RankSumsView {
  std::int64_t size;
  int bits;                           ///< 2^bits > size
  View<const std::uint32_t> zeros;    ///< bits x (size + 1): ranks before a place whose bit is 0
  View<const std::int64_t> prefixes;  ///< (bits + 1) x (size + 1): the sum of the weights before a place

  /// The sum over places `range` of a level.
  __device__ __forceinline__ std::int64_t sum(int level, Extent<std::int64_t> range) const {
    const std::int64_t first = level * (size + 1);
    return prefixes[first + range.end] - prefixes[first + range.begin];
  }

  /// The sum over places `range` of the first order whose rank is below `rank`, which is at most size.
  __device__ __forceinline__ std::int64_t sum_below(Extent<std::int64_t> range, std::int64_t rank) const {
    std::int64_t total = 0;
    for (int level = 0; level < bits && !range.empty(); ++level) {
      const std::int64_t first = level * (size + 1);
      const Extent<std::int64_t> zero{zeros[first + range.begin], zeros[first + range.end]};
      if ((rank >> (bits - 1 - level) & 1) == 0) {
        range = zero;
        continue;
      }
      total += sum(level + 1, zero);
      const std::int64_t ones = zeros[first + size];
      range = {ones + range.begin - zero.begin, ones + range.end - zero.end};
    }
    return total;
  }
};

class RankSums {
 public:
  /// Of `weights` in the first order, whose ranks in the second are a permutation of 0 to size - 1. Throws
  /// OutOfDeviceMemory.
  RankSums(Buffer<std::uint32_t> ranks, Buffer<std::int32_t> weights, Stream& stream);

  [[nodiscard]] RankSumsView view() const { return {size_, bits_, zeros_.view(), prefixes_.view()}; }

 private:
  std::int64_t size_;
  int bits_;
  Buffer<std::uint32_t> zeros_;
  Buffer<std::int64_t> prefixes_;
};

}  // namespace warpbench::theta
