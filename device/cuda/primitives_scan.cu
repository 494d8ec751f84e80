// Scans, reductions, searches and the like on a GPU: CUB, and two kernels of our own.
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "device/backend/primitives_instances.hpp"
#include "device/cuda/cub_call.cuh"
#include "device/kernel.hpp"
#include "device/primitives.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::detail {
namespace {

/// Reads In as T, so that a sum of narrow elements is formed in T.
template <typename In, typename T>
struct Convert {
  __host__ __device__ T operator()(In value) const { return static_cast<T>(value); }
};

template <typename In, typename T>
auto as(View<const In> input) {
  return thrust::make_transform_iterator(input.data(), Convert<In, T>{});
}

template <typename T>
__global__ void lower_bound_kernel(View<const T> sorted, View<const T> queries, View<std::int64_t> positions) {
  for (const std::int64_t i : grid::strided(queries.size())) {
    positions[i] = warpbench::lower_bound(sorted, queries[i]);
  }
}

template <typename T>
__global__ void iota_kernel(View<T> output, T first) {
  for (const std::int64_t i : grid::strided(output.size())) {
    output[i] = static_cast<T>(first + static_cast<T>(i));
  }
}

Grid strided_grid(std::int64_t count) {
  return grid_for(count, 256, 65536);
}

}  // namespace

template <typename In, typename T>
void exclusive_scan(View<const In> input, View<T> output, T initial, Stream& stream) {
  warpbench::cuda::call_cub("cub::DeviceScan::ExclusiveScan", stream,
                            [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
                              return cub::DeviceScan::ExclusiveScan(temporary, bytes, as<In, T>(input), output.data(),
                                                                    op::Sum{}, initial, input.size(), s);
                            });
}

template <typename In, typename T>
void inclusive_scan(View<const In> input, View<T> output, Stream& stream) {
  warpbench::cuda::call_cub("cub::DeviceScan::InclusiveScan", stream,
                            [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
                              return cub::DeviceScan::InclusiveScan(temporary, bytes, as<In, T>(input), output.data(),
                                                                    op::Sum{}, input.size(), s);
                            });
}

template <typename In, typename T>
void reduce(Reduction reduction, View<const In> input, View<T> result, Stream& stream) {
  warpbench::cuda::call_cub(
      "cub::DeviceReduce::Reduce", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
        const auto values = as<In, T>(input);
        switch (reduction) {
          case Reduction::kMin:
            return cub::DeviceReduce::Reduce(temporary, bytes, values, result.data(), input.size(), op::Min{},
                                             std::numeric_limits<T>::max(), s);
          case Reduction::kMax:
            return cub::DeviceReduce::Reduce(temporary, bytes, values, result.data(), input.size(), op::Max{},
                                             std::numeric_limits<T>::lowest(), s);
          default:
            return cub::DeviceReduce::Reduce(temporary, bytes, values, result.data(), input.size(), op::Sum{}, T{}, s);
        }
      });
}

template <typename T>
void histogram_even(View<const T> input, View<std::int64_t> counts, T lower, T upper, Stream& stream) {
  // CUB counts with unsigned atomics; the bits are the same.
  auto* counters = reinterpret_cast<unsigned long long*>(counts.data());
  warpbench::cuda::call_cub(
      "cub::DeviceHistogram::HistogramEven", stream, [&](void* temporary, std::size_t& bytes, cudaStream_t s) {
        return cub::DeviceHistogram::HistogramEven(temporary, bytes, input.data(), counters,
                                                   static_cast<int>(counts.size()) + 1, lower, upper, input.size(), s);
      });
}

template <typename T>
void lower_bound(View<const T> sorted, View<const T> queries, View<std::int64_t> positions, Stream& stream) {
  launch(lower_bound_kernel<T>, strided_grid(queries.size()), stream, sorted, queries, positions);
}

template <typename T>
void iota(View<T> output, T first, Stream& stream) {
  launch(iota_kernel<T>, strided_grid(output.size()), stream, output, first);
}

WARPBENCH_INSTANTIATE_SCANS

}  // namespace warpbench::detail
