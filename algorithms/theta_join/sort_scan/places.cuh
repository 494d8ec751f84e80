// Where the rows of each tuple of R begin: an exclusive scan of the tuples' numbers of matches. Counting and scanning
// take three short launches and no temporary memory. A library's scan is slower here: starting it takes longer than the
// scan itself.
#pragma once

#include <cstdint>

#include "device/block.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/view.hpp"

namespace warpbench::theta {

struct PlacesTuning {
  /// A block of threads counts for as many tuples.
  static constexpr int kThreads = 256;
  /// Of the one block that scans the other blocks' totals.
  static constexpr int kThreadsOfTotals = 1024;

  [[nodiscard]] static constexpr std::int64_t blocks(std::int64_t places) { return ceil_div(places, kThreads); }
};

/// places[r]: the matches of the tuples before r in its block; totals: those of each block. `matches_of_tuple(r)`
/// counts those of tuple r; the last place is that of no tuple, so that it ends as the total.
template <typename Count>
__global__ void __launch_bounds__(PlacesTuning::kThreads)
    place_in_block_kernel(Count matches_of_tuple, View<std::int64_t> places, View<std::int64_t> totals) {
  const std::int64_t r = grid::index();
  const std::int64_t count = r < places.size() - 1 ? matches_of_tuple(r) : 0;
  std::int64_t total = 0;
  const std::int64_t place = block::exclusive_scan(count, total);
  if (r < places.size()) places[r] = place;
  if (block::rank() == 0) totals[block::index()] = total;
}

/// Turns each total into the sum of those before it. One block. O(totals).
__global__ void __launch_bounds__(PlacesTuning::kThreadsOfTotals) scan_totals_kernel(View<std::int64_t> totals) {
  std::int64_t before = 0;
  for (const auto [i, inside] : block::rounds(totals.size())) {
    const std::int64_t value = inside ? totals[i] : 0;
    std::int64_t total = 0;
    const std::int64_t place = block::exclusive_scan(value, total);
    if (inside) totals[i] = before + place;
    before += total;
  }
}

/// Makes places in all of R from those in a block.
__global__ void __launch_bounds__(PlacesTuning::kThreads)
    add_totals_kernel(View<const std::int64_t> totals, View<std::int64_t> places) {
  const std::int64_t r = grid::index();
  if (r < places.size()) places[r] += totals[block::index()];
}

}  // namespace warpbench::theta
