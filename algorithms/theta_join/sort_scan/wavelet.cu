#include "algorithms/theta_join/sort_scan/wavelet.cuh"

#include "device/primitives.hpp"

namespace warpbench::theta {
namespace {

__global__ void __launch_bounds__(kPartitionThreads)
    flag_zeros(View<const std::uint32_t> ranks, int bit, View<std::uint32_t> flags) {
  for (const std::int64_t i : grid::strided<kPartitionThreads>(ranks.size())) flags[i] = (ranks[i] >> bit & 1U) ^ 1U;
}

__global__ void __launch_bounds__(kPartitionThreads)
    invert(View<const std::int32_t> places, View<std::uint32_t> ranks) {
  for (const std::int64_t i : grid::strided<kPartitionThreads>(places.size()))
    ranks[places[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace

void ranks_of_places(View<const std::int32_t> places, View<std::uint32_t> ranks, Stream& stream) {
  launch(invert, grid_for(places.size(), kPartitionThreads), stream, places, ranks);
}

void count_zeros(View<const std::uint32_t> ranks, int bit, View<std::uint32_t> zeros, View<std::uint32_t> flags,
                 Stream& stream) {
  launch(flag_zeros, grid_for(ranks.size(), kPartitionThreads), stream, ranks, bit, flags);
  inclusive_scan(flags, zeros.subview(1, ranks.size()), stream);
}

}  // namespace warpbench::theta
