// The kernel of shared-memory (bellas2022 §3.3.3, Algorithm 3.2, Fig 3.2).
#pragma once

#include <cstdint>

#include "algorithms/theta_join/aggregate/block_shape.hpp"
#include "algorithms/theta_join/aggregate/total.cuh"
#include "device/kernel.hpp"
#include "solvers/theta_join/tuples.hpp"

namespace warpbench::theta {

inline constexpr int kGroup = 4;  ///< neighbouring tuples of the walked relation that are loaded together

/// The sum of x over this thread's walked tuples that match `held`: groups y, y + B.y, … of four tuples, and of the
/// rest after the last group tuple y, y + B.y, …. At most 2^31 terms of |x| <= 2^31, so 64 bits hold it.
template <typename Theta, typename Tuples>
__device__ __forceinline__ std::int64_t sum_of_walk(const Theta& theta, const Keys& held, const Tuples& walked) {
  const auto size = static_cast<std::uint32_t>(walked.size());
  const std::uint32_t groups = size / kGroup;
  std::int64_t sum = 0;
  for (std::uint32_t group = threadIdx.y; group < groups; group += blockDim.y) {
    KeysAndX four[kGroup];
    walked.load_four(group, four);
    for (const KeysAndX& tuple : four) {
      if (theta(held, tuple.keys)) sum += tuple.x;
    }
  }
  for (std::uint32_t i = groups * kGroup + threadIdx.y; i < size; i += blockDim.y) {
    if (theta(held, walked.keys(i))) sum += walked.x(i);
  }
  return sum;
}

/// A 1D grid of blocks of BlockShape::kColumns x B.y threads. Thread (x, y) holds the tuple of the larger relation
/// `held` in registers that its block and x name, and walks the other one from y with stride B.y. Its private sum goes
/// to its cell of shared memory, the block's cells are reduced, and sums[block] is written once. `counts`: the walked
/// relation is R, whose x are all 1, and each match counts x of `held`.
template <typename Theta, typename Tuples>
__global__ void __launch_bounds__(BlockShape::kMaxThreads, 2)
    walk_other_relation(Theta theta, Tuples held, Tuples walked, bool counts, View<Int128> sums) {
  Int128* cells = dynamic_shared<Int128>();
  const std::int64_t i = block::index() * BlockShape::kColumns + threadIdx.x;
  std::int64_t sum = 0;
  if (i < held.size()) {
    sum = sum_of_walk(theta, held.keys(i), walked);
    if (counts) sum *= held.x(i);
  }
  const Int128 total = sum_of_block(sum, cells);
  if (block::rank() == 0) sums[block::index()] = total;
}

}  // namespace warpbench::theta
