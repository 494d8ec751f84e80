// Looking tokens up in a set by binary search whose first steps are in shared memory (bellas2022 §6.2.1, OBS).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/sets/engine/pair_table.cuh"
#include "device/warp.cuh"

namespace warpbench::sets {

/// A set and, in shared memory, equally spaced tokens of it: the nodes of the first levels of its search tree, in
/// ascending order. A set that is no longer than that is in shared memory whole.
class SearchTop {
 public:
  static constexpr int kNodes = 4096;
  static constexpr std::size_t kBytes = kNodes * sizeof(std::uint32_t);

  /// All threads of a block, which wait for each other before and after.
  __device__ SearchTop(DeviceSet set, std::uint32_t* nodes) : set_(set), nodes_(nodes) {
    step_ = (set.size + kNodes - 1) / kNodes;
    count_ = step_ == 0 ? 0 : static_cast<int>((set.size + step_ - 1) / step_);
    __syncthreads();
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    const int tid = warp::thread_rank();
    for (int i = tid; i < count_; i += threads) nodes_[i] = set.tokens[i * step_];
    __syncthreads();
  }

  __device__ bool holds(std::uint32_t token) const {
    const int node = lower_bound(nodes_, count_, token);
    if (node < count_ && nodes_[node] == token) return true;
    if (node == 0 || step_ == 1) return false;
    // Between the node before, which is less, and this one, which is greater.
    const std::int64_t begin = (node - 1) * step_ + 1;
    const std::int64_t end = node * step_ < set_.size ? node * step_ : set_.size;
    const std::int64_t at = begin + lower_bound(set_.tokens + begin, end - begin, token);
    return at < end && set_.tokens[at] == token;
  }

 private:
  DeviceSet set_;
  std::uint32_t* nodes_;
  std::int64_t step_;
  int count_;
};

/// How many tokens of `set` the other holds: a lane a lookup, 32 at a time. A whole warp; in all lanes.
__device__ inline std::uint32_t count_by_warp(const SearchTop& top, DeviceSet set) {
  std::uint32_t common = 0;
  for (std::int64_t i = warp::lane(); i < set.size; i += kWarpSize) common += top.holds(set.tokens[i]) ? 1 : 0;
  return warp::reduce_sum(common);
}

}  // namespace warpbench::sets
