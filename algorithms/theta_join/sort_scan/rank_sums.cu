#include "algorithms/theta_join/sort_scan/rank_sums.cuh"

#include <bit>
#include <utility>

#include "device/primitives.hpp"

namespace warpbench::theta {

RankSums::RankSums(Buffer<std::uint32_t> ranks, Buffer<std::int32_t> weights, Stream& stream)
    : size_(ranks.size()),
      bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size_)))),
      zeros_(bits_ * (size_ + 1), stream),
      prefixes_((bits_ + 1) * (size_ + 1), stream) {
  const std::int64_t stride = size_ + 1;
  Buffer<std::uint32_t> next_ranks(size_, stream);
  Buffer<std::int32_t> next_weights(size_, stream);
  zeros_.fill(0, stream);
  prefixes_.fill(0, stream);
  for (int level = 0; level <= bits_; ++level) {
    inclusive_scan(weights.view(), prefixes_.view().subview(level * stride + 1, size_), stream);
    if (level == bits_) break;
    partition_by_bit<std::int32_t>(ranks.view(), weights.view(), bits_ - 1 - level,
                                   zeros_.view().subview(level * stride, stride), next_ranks.view(),
                                   next_weights.view(), stream);
    std::swap(ranks, next_ranks);
    std::swap(weights, next_weights);
  }
}

}  // namespace warpbench::theta
