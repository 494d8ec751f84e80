// Searching onwards in an ascending list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpbench::cpu_sets {

/// The first index from `begin` on whose element is not less than `wanted`, or list.size(): steps of 1, 2, 4, … and a
/// binary search in the last. O(log distance).
[[nodiscard]] inline std::size_t gallop(std::span<const std::uint32_t> list, std::size_t begin, std::uint32_t wanted) {
  std::size_t high = begin;
  for (std::size_t step = 1; high < list.size() && list[high] < wanted; step *= 2) {
    begin = high + 1;
    high += step;
  }
  const auto within = list.subspan(begin, std::min(high, list.size()) - begin);
  return begin + static_cast<std::size_t>(std::ranges::lower_bound(within, wanted) - within.begin());
}

}  // namespace warpbench::cpu_sets
