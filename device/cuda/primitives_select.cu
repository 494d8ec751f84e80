// Selections and operations on runs of equal elements on a GPU: CUB.
#include <cstdint>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "device/backend/primitives_instances.hpp"
#include "device/cuda/cub_call.cuh"
#include "device/primitives.hpp"
#include "device/warp.cuh"

namespace warpbench::detail {

template <typename Bits>
void select_flagged(View<const Bits> input, View<const std::uint8_t> flags, View<Bits> output,
                    View<std::int64_t> selected_count, Stream& stream) {
  cuda::call_cub("cub::DeviceSelect::Flagged", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
    return cub::DeviceSelect::Flagged(temporary, bytes, input.data(), flags.data(), output.data(),
                                      selected_count.data(), input.size(), s);
  });
}

template <typename Bits>
void unique(View<const Bits> input, View<Bits> output, View<std::int64_t> unique_count, Stream& stream) {
  cuda::call_cub("cub::DeviceSelect::Unique", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
    return cub::DeviceSelect::Unique(temporary, bytes, input.data(), output.data(), unique_count.data(), input.size(),
                                     s);
  });
}

template <typename Bits, typename V>
void reduce_by_key(View<const Bits> keys, View<const V> values, View<Bits> run_keys, View<V> run_sums,
                   View<std::int64_t> run_count, Stream& stream) {
  cuda::call_cub("cub::DeviceReduce::ReduceByKey", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
    return cub::DeviceReduce::ReduceByKey(temporary, bytes, keys.data(), run_keys.data(), values.data(),
                                          run_sums.data(), run_count.data(), op::Sum{}, keys.size(), s);
  });
}

template <typename Bits>
void run_length_encode(View<const Bits> input, View<Bits> run_values, View<std::int64_t> run_lengths,
                       View<std::int64_t> run_count, Stream& stream) {
  cuda::call_cub("cub::DeviceRunLengthEncode::Encode", stream,
                 [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
                   return cub::DeviceRunLengthEncode::Encode(temporary, bytes, input.data(), run_values.data(),
                                                             run_lengths.data(), run_count.data(), input.size(), s);
                 });
}

WARPBENCH_INSTANTIATE_SELECTIONS

}  // namespace warpbench::detail
