// RankSums: weights of the tuples of a relation under two orders, to be summed over a range of places in the first
// order and a range of ranks in the second. Each level of a wavelet matrix has prefix sums of the weights as they lie
// there. O(n log n) time and memory to build, O(log n) time for a sum.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/sort_scan/wavelet.cuh"
#include "device/buffer.hpp"

namespace warpbench::theta {

struct RankSumsView {
  Wavelet wavelet;
  View<const std::int64_t> prefixes;  ///< (bits + 1) x (size + 1): the sum of the weights before a place

  /// The sum over places of a level.
  __device__ __forceinline__ std::int64_t sum(int level, Wavelet::Places places) const {
    const std::int64_t first = level * (wavelet.size + 1);
    return prefixes[first + places.end] - prefixes[first + places.begin];
  }

  /// The sum over places `range` of the first order whose rank is in `ranks`.
  __device__ __forceinline__ std::int64_t sum_within(Wavelet::Places range, Wavelet::Places ranks) const {
    std::int64_t total = 0;
    wavelet.within(range, ranks, [&](int level, Wavelet::Places places) { total += sum(level, places); });
    return total;
  }
};

class RankSums {
 public:
  /// Of `weights` in the first order, whose ranks in the second are a permutation of 0 to size - 1. Throws
  /// OutOfDeviceMemory.
  RankSums(Buffer<std::uint32_t> ranks, Buffer<std::int32_t> weights, Stream& stream);

  [[nodiscard]] RankSumsView view() const { return {{size_, bits_, zeros_.view()}, prefixes_.view()}; }

 private:
  std::int64_t size_;
  int bits_;
  Buffer<std::uint32_t> zeros_;
  Buffer<std::int64_t> prefixes_;
};

}  // namespace warpbench::theta
