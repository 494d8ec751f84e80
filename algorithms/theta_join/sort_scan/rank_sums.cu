#include "algorithms/theta_join/sort_scan/rank_sums.cuh"

#include <bit>

#include "device/primitives.hpp"

namespace warpbench::theta {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    flag_zeros(View<const std::uint32_t> ranks, int bit, View<std::uint32_t> flags) {
  for (const std::int64_t i : grid::strided<kThreads>(ranks.size())) flags[i] = (ranks[i] >> bit & 1U) ^ 1U;
}

/// Moves zeros to the front, in order, and ones behind them; `zeros` has those before each place and, last, all.
__global__ void __launch_bounds__(kThreads)
    partition(View<const std::uint32_t> ranks, View<const std::int32_t> weights, int bit,
              View<const std::uint32_t> zeros, View<std::uint32_t> next_ranks, View<std::int32_t> next_weights) {
  for (const std::int64_t i : grid::strided<kThreads>(ranks.size())) {
    const std::int64_t before = zeros[i];
    const bool is_one = (ranks[i] >> bit & 1U) != 0;
    const std::int64_t to = is_one ? zeros[ranks.size()] + i - before : before;
    next_ranks[to] = ranks[i];
    next_weights[to] = weights[i];
  }
}

}  // namespace

RankSums::RankSums(Buffer<std::uint32_t> ranks, Buffer<std::int32_t> weights, Stream& stream)
    : size_(ranks.size()),
      bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size_)))),
      zeros_(bits_ * (size_ + 1), stream),
      prefixes_((bits_ + 1) * (size_ + 1), stream) {
  const std::int64_t stride = size_ + 1;
  const Grid grid = grid_for(size_, kThreads);
  Buffer<std::uint32_t> next_ranks(size_, stream);
  Buffer<std::int32_t> next_weights(size_, stream);
  zeros_.fill(0, stream);
  prefixes_.fill(0, stream);
  for (int level = 0; level <= bits_; ++level) {
    inclusive_scan(weights.view(), prefixes_.view().subview(level * stride + 1, size_), stream);
    if (level == bits_) break;
    const int bit = bits_ - 1 - level;
    const View<std::uint32_t> zeros = zeros_.view().subview(level * stride, stride);
    launch(flag_zeros, grid, stream, ranks.view(), bit, next_ranks.view());
    inclusive_scan(next_ranks.view(), zeros.subview(1, size_), stream);
    launch(partition, grid, stream, ranks.view(), weights.view(), bit, zeros, next_ranks.view(), next_weights.view());
    std::swap(ranks, next_ranks);
    std::swap(weights, next_weights);
  }
}

}  // namespace warpbench::theta
