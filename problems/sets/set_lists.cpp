#include "problems/sets/set_lists.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace warpbench::cpu_sets {

InvertedIndex::InvertedIndex(const SetLists& lists)
    : offsets_(static_cast<std::size_t>(lists.universe()) + 1), sets_(static_cast<std::size_t>(lists.total())) {
  const std::int64_t count = lists.count();
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t i = 0; i < count; ++i) {
    for (const Token token : lists[i]) {
      std::atomic_ref(offsets_[token + 1]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t i = 0; i < count; ++i) {
    for (const Token token : lists[i]) {
      sets_[std::atomic_ref(next[token]).fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(i);
    }
  }
  // Threads came in any order.
  const auto all = static_cast<std::int64_t>(tokens());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t t = 0; t < all; ++t) std::ranges::sort(list(static_cast<Token>(t)));
}

}  // namespace warpbench::cpu_sets
