// Sorts few tuples in one launch, where a radix sort of several passes takes longer to start than to work.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/sort_scan/rank_rows.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"

namespace warpbench::theta {

struct RankSortTuning {
  static constexpr int kThreads = 256;
  /// A warp looks at up to 512 keys a lane.
  static constexpr std::int64_t kMostTuples = 16'384;
};

/// A warp a tuple: its place is the number of tuples with a smaller key, or with the same one and before it. Stable.
/// O(n^2) comparisons.
__global__ void __launch_bounds__(RankSortTuning::kThreads)
    rank_sort_kernel(View<const std::int32_t> keys, View<const FieldsOfS> fields, View<std::int32_t> sorted_keys,
                     View<FieldsOfS> sorted) {
  const auto size = static_cast<std::int32_t>(keys.size());
  for (const std::int32_t tuple : grid::per_warp(size)) {
    const std::int32_t key = keys[tuple];
    std::int32_t before = 0;
    for (const std::int32_t other : warp::strided(size)) {
      before += keys[other] < key || (keys[other] == key && other < tuple) ? 1 : 0;
    }
    const std::int32_t place = warp::reduce_sum(before);
    if (warp::lane() == 0) {
      sorted_keys[place] = key;
      sorted[place] = fields[tuple];
    }
  }
}

}  // namespace warpbench::theta
