// The bitmap index of BMP (che2019, "BMP's Vertex-Centric Unit Computation"): a bit for each vertex of the graph says
// whether it is a neighbour of the indexed vertex. Over it lies a small bitmap with a bit for each range of ids, which
// stays in the L1 cache ("Optimization Techniques", Bitmap Range Filtering).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "baselines/common_neighbors/intersect.hpp"
#include "datasets/graphs/csr.hpp"
#include "device/integers.hpp"

namespace warpbench::common_neighbors {

class Bitmap {
 public:
  Bitmap() = default;
  /// All zero, for ids below `size`.
  explicit Bitmap(std::uint64_t size) : words_(ceil_div(size, 64)) {}

  void set(std::uint64_t id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }
  void clear_word(std::uint64_t id) { words_[id / 64] = 0; }
  [[nodiscard]] std::uint32_t test(std::uint64_t id) const {
    return static_cast<std::uint32_t>((words_[id / 64] >> (id % 64)) & 1U);
  }
  [[nodiscard]] std::uint64_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> words_;
};

/// Ids per bit of the range filter, a power of two: the filter takes at most 16 KiB, half of a usual L1 cache, so
/// that the list being looked up passes beside it. At least 16, below which the filter is hardly smaller than the
/// bitmap. (The published code shares out 32 KiB over the span of the indexed list.)
inline std::uint64_t automatic_range_size(std::uint64_t vertices) {
  constexpr std::uint64_t kFilterBits = 16 * 1024 * 8;
  return std::max<std::uint64_t>(16, std::bit_ceil(ceil_div(vertices, kFilterBits)));
}

/// One thread's index. Holds at most one vertex at a time; moving to another one costs O(both degrees).
class VertexIndex {
 public:
  /// `range_size`: ids per bit of the range filter, a power of two; 0: no filter.
  VertexIndex(std::uint64_t vertices, std::uint64_t range_size) : bitmap_(vertices) {
    if (range_size == 0) return;
    shift_ = std::countr_zero(range_size);
    ranges_ = Bitmap(ceil_div(vertices, range_size));
  }

  /// Forgets the old list by walking it again, then sets the bits of `list` (ComputeCntBMP's ClearBitmap and
  /// ConstructBitmap). The list must stay valid until the next call.
  void index(List list) {
    for (const std::uint32_t w : list_) bitmap_.clear_word(w);
    if (filtered()) {
      for (const std::uint32_t w : list_) ranges_.clear_word(w >> shift_);
      for (const std::uint32_t w : list) ranges_.set(w >> shift_);
    }
    for (const std::uint32_t w : list) bitmap_.set(w);
    list_ = list;
  }

  [[nodiscard]] bool filtered() const { return ranges_.bytes() != 0; }

  /// |list ∩ the indexed list|: one lookup an element. kFiltered must be filtered().
  template <bool kFiltered, bool kCounting>
  std::uint32_t count(List list, Meter<kCounting>& meter) const {
    meter.add(&Operations::lookups, list.size());
    std::uint32_t count = 0;
    for (const std::uint32_t w : list) {
      if constexpr (kFiltered) {
        if (ranges_.test(w >> shift_) == 0) continue;
      }
      meter.add(&Operations::bitmap_reads);
      count += bitmap_.test(w);
    }
    return count;
  }

  [[nodiscard]] std::uint64_t bytes() const { return bitmap_.bytes() + ranges_.bytes(); }

 private:
  Bitmap bitmap_;
  Bitmap ranges_;
  int shift_ = 0;
  List list_;
};

}  // namespace warpbench::common_neighbors
