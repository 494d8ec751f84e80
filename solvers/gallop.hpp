// Searching onwards in an ascending list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace warpbench {

/// The first index from `begin` on whose element is not less than `pivot`, or list.size(). Steps of 1, 2, 4, … until
/// the pivot is passed, then a binary search in the last step: O(log distance). probe() is called for each element that
/// is compared with the pivot.
template <typename T, typename Probe>
[[nodiscard]] std::size_t gallop(std::span<const T> list, std::size_t begin, T pivot, const Probe& probe) {
  std::size_t low = begin;  // everything before it is less than the pivot
  std::size_t high = begin;
  for (std::size_t step = 1; high < list.size(); step *= 2) {
    probe();
    if (list[high] >= pivot) break;
    low = high + 1;
    high += step;
  }
  high = std::min(high, list.size());
  while (low < high) {
    probe();
    const std::size_t middle = low + (high - low) / 2;
    if (list[middle] < pivot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
template <typename T>
[[nodiscard]] std::size_t gallop(std::span<const T> list, std::size_t begin, T pivot) {
  return gallop(list, begin, pivot, [] {});
}

}  // namespace warpbench
