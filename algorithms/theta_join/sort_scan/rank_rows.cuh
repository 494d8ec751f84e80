// RankRows: the tuples of S under two orders, so that those in a range of places of the first order and in a range of
// ranks in the second are copied as a few runs: each level of a wavelet matrix has the tuples as they lie there. As
// IEJoin (Khayyat et al. 2015) it looks at no pair that is not in the result, but needs no bit array for each tuple.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/sort_scan/matches.cuh"
#include "algorithms/theta_join/sort_scan/two_orders.cuh"
#include "algorithms/theta_join/sort_scan/wavelet.cuh"
#include "device/buffer.hpp"

namespace warpbench::theta {

/// What a row has of S.
struct FieldsOfS {
  std::int32_t a;
  std::int32_t x;
};

struct RankRowsView {
  Wavelet wavelet;
  View<const std::int32_t> first;   ///< the keys of S by which places are found
  View<const std::int32_t> second;  ///< and ranks
  View<const FieldsOfS> fields;     ///< (bits + 1) x size

  [[nodiscard]] __device__ __forceinline__ View<const FieldsOfS> level(int number) const {
    return {fields.data() + number * wavelet.size, wavelet.size};
  }

  /// body(level, places) for the tuples that match `keys` in both conditions. O(log size).
  template <typename Body>
  __device__ __forceinline__ void for_each_run(const Predicate& theta, const Keys& keys, const Body& body) const {
    const Matches places = matches_of(theta.first.comparison, keys.first, first);
    const Matches ranks = matches_of(theta.second.comparison, keys.second, second);
    const auto in_both_ranges = [&](Wavelet::Places range) {
      if (!ranks.all_others) return wavelet.within(range, ranks.range, body);
      wavelet.within(range, {0, ranks.range.begin}, body);
      wavelet.within(range, {ranks.range.end, wavelet.size}, body);
    };
    if (!places.all_others) return in_both_ranges(places.range);
    in_both_ranges({0, places.range.begin});
    in_both_ranges({places.range.end, wavelet.size});
  }
};

class RankRows {
 public:
  RankRows() = default;
  /// Takes the memory, some 12 size log2(size) bytes. Throws OutOfDeviceMemory.
  RankRows(std::int64_t size, Stream& stream);

  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Of tuples with these keys and fields, in any order. O(n log n).
  void build(View<const std::int32_t> first, View<const std::int32_t> second, View<const FieldsOfS> fields,
             Stream& stream);

  [[nodiscard]] RankRowsView view() const {
    return {{size_, bits_, zeros_.view()}, orders_.first.view(), orders_.second.view(), fields_.view()};
  }

 private:
  std::int64_t size_ = 0;
  int bits_ = 0;
  Buffer<std::uint32_t> zeros_;
  Buffer<FieldsOfS> fields_;
  TwoOrders orders_;
  Buffer<std::uint32_t> next_ranks_;
};

}  // namespace warpbench::theta
