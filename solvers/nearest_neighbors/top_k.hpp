// The k nearest of a stream of points: a heap whose front is the farthest that is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace warpbench::nearest_neighbors {

/// Ordered by distance, then by id.
struct Neighbor {
  float distance = 0;
  std::uint32_t id = 0;

  friend bool operator<(const Neighbor& a, const Neighbor& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
  }
};

class TopK {
 public:
  explicit TopK(std::int64_t k) : k_(static_cast<std::size_t>(k)) { heap_.reserve(k_); }

  /// O(1) for what is too far, O(log k) else.
  void offer(float distance, std::uint32_t id) {
    const Neighbor candidate{distance, id};
    if (heap_.size() < k_) {
      heap_.push_back(candidate);
      std::ranges::push_heap(heap_, std::less{});
    } else if (k_ > 0 && candidate < heap_.front()) {
      std::ranges::pop_heap(heap_, std::less{});
      heap_.back() = candidate;
      std::ranges::push_heap(heap_, std::less{});
    }
  }

  /// The k nearest, the nearest first; nothing may be offered until clear().
  std::span<const Neighbor> sorted() {
    std::ranges::sort_heap(heap_, std::less{});
    return heap_;
  }
  void clear() { heap_.clear(); }

 private:
  std::size_t k_;
  std::vector<Neighbor> heap_;
};

}  // namespace warpbench::nearest_neighbors
