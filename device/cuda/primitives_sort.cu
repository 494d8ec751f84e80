// Sorts on a GPU: CUB's radix and segmented sorts.
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "device/backend/primitives_instances.hpp"
#include "device/cuda/cub_call.cuh"
#include "device/primitives.hpp"

namespace warpbench::detail {
namespace {

template <typename K>
int last_bit(int end_bit) {
  constexpr int kBits = static_cast<int>(sizeof(K)) * 8;
  return end_bit < 0 || end_bit > kBits ? kBits : end_bit;
}

}  // namespace

template <typename K>
void sort_keys(View<const K> keys, View<K> sorted, int begin_bit, int end_bit, Stream& stream) {
  cuda::call_cub("cub::DeviceRadixSort::SortKeys", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
    return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys.data(), sorted.data(), keys.size(), begin_bit,
                                          last_bit<K>(end_bit), s);
  });
}

template <typename K, typename Bits>
void sort_pairs(bool descending, View<const K> keys, View<K> sorted_keys, View<const Bits> values,
                View<Bits> sorted_values, int begin_bit, int end_bit, Stream& stream) {
  cuda::call_cub("cub::DeviceRadixSort::SortPairs", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
    if (descending) {
      return cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, keys.data(), sorted_keys.data(), values.data(),
                                                       sorted_values.data(), keys.size(), begin_bit,
                                                       last_bit<K>(end_bit), s);
    }
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys.data(), sorted_keys.data(), values.data(),
                                           sorted_values.data(), keys.size(), begin_bit, last_bit<K>(end_bit), s);
  });
}

template <typename K>
void sort_segments(View<const K> keys, View<K> sorted, View<const std::int64_t> offsets, Stream& stream) {
  if (offsets.size() < 2 || keys.empty()) return;
  cuda::call_cub("cub::DeviceSegmentedSort::SortKeys", stream,
                 [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
                   return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, keys.data(), sorted.data(), keys.size(),
                                                             offsets.size() - 1, offsets.data(), offsets.data() + 1, s);
                 });
}

WARPBENCH_INSTANTIATE_SORTS

}  // namespace warpbench::detail
