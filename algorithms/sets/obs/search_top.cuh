// Looking tokens up in a set by binary search whose first steps are in shared memory (bellas2022 §6.2.1, OBS).
#pragma once

#include <cstdint>

#include "algorithms/sets/engine/pair_tile.cuh"

namespace warpbench::sets {

/// A set and, in shared memory, equally spaced tokens of it: the nodes of the first levels of its search tree, in
/// ascending order. A set that is no longer than that is in shared memory whole.
class SearchTop {
 public:
  static constexpr int kNodes = 4096;
  static constexpr std::size_t kBytes = kNodes * sizeof(std::uint32_t);

  /// All threads of a block, which wait for each other before and after.
  __device__ SearchTop(DeviceSet set, std::uint32_t* nodes) : set_(set), nodes_(nodes) {
    step_ = ceil_div(set.size(), kNodes);
    count_ = step_ == 0 ? 0 : static_cast<int>(ceil_div(set.size(), step_));
    __syncthreads();
    for (const int i : block::strided(count_)) nodes_[i] = set[i * step_];
    __syncthreads();
  }

  __device__ bool holds(std::uint32_t token) const {
    const int node = lower_bound(nodes_, count_, token);
    if (node < count_ && nodes_[node] == token) return true;
    if (node == 0 || step_ == 1) return false;
    // Between the node before, which is less, and this one, which is greater.
    const std::int64_t begin = (node - 1) * step_ + 1;
    const std::int64_t end = node * step_ < set_.size() ? node * step_ : set_.size();
    return binary_search(set_.subview(begin, end - begin), token);
  }

 private:
  DeviceSet set_;
  std::uint32_t* nodes_;
  std::int64_t step_;
  int count_;
};

}  // namespace warpbench::sets
