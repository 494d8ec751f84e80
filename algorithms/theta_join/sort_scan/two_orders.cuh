// TwoOrders: the tuples of S in the order of one key, and their ranks in that of another. Both structures for two
// conditions, RankSums and RankRows, are built upon it.
#pragma once

#include <cstdint>

#include "device/buffer.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::theta {

struct TwoOrders {
  TwoOrders() = default;
  /// Takes the memory, 28 size bytes. Throws OutOfDeviceMemory.
  TwoOrders(std::int64_t size, Stream& stream);

  /// Of tuples with these keys. O(n log n).
  void sort(View<const std::int32_t> first_keys, View<const std::int32_t> second_keys, Stream& stream);

  Buffer<std::int32_t> first;   ///< the first keys, ascending
  Buffer<std::int32_t> second;  ///< the second keys, ascending
  Buffer<std::int32_t> places;  ///< for each place of the first order, the tuple
  Buffer<std::uint32_t> ranks;  ///< for each place of the first order, the tuple's place in the second

 private:
  Buffer<std::int32_t> numbers_;
  Buffer<std::int32_t> unsorted_;
  Buffer<std::int32_t> places_of_ranks_;
};

inline constexpr int kGatherThreads = 256;

template <typename T>
__global__ void __launch_bounds__(kGatherThreads)
    gather_kernel(View<const std::int32_t> places, View<const T> source, View<T> gathered) {
  for (const std::int64_t i : grid::strided<kGatherThreads>(places.size())) gathered[i] = source[places[i]];
}

/// gathered[i] = source[places[i]].
template <typename T>
void gather(View<const std::int32_t> places, View<const T> source, View<T> gathered, Stream& stream) {
  launch(gather_kernel<T>, grid_for(places.size(), kGatherThreads), stream, places, source, gathered);
}

}  // namespace warpbench::theta
