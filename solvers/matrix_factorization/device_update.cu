#include "solvers/matrix_factorization/device_update.hpp"

#include <algorithm>
#include <stdexcept>

#include "device/integers.hpp"
#include "solvers/matrix_factorization/device_update_kernels.cuh"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::int64_t kWarpsPerBlock = 4;
constexpr std::int64_t kRatingsPerWorker = kWarpSize;
constexpr std::int64_t kMaxRatingsPerWorker = std::int64_t{1} << 30;
constexpr std::int64_t kRowsPerWorker = 8;
constexpr int kConvertThreads = 256;
constexpr std::int64_t kConvertBlocks = 4096;

template <typename Factor>
using Kernel = void (*)(View<const Rating>, DeviceFactors<Factor>, UpdateRule);

/// A lane loads 16 bytes at a time, 8 where that suffices.
template <typename Factor, bool kAhead>
Kernel<Factor> kernel_for(std::int64_t stride) {
  if (stride > 1024) throw std::invalid_argument("an update on a device takes at most 1024 factors");
  if constexpr (sizeof(Factor) == sizeof(float)) {
    if (stride > 512) return hogwild_kernel<Factor, 4, 8, kAhead>;
    if (stride > 256) return hogwild_kernel<Factor, 4, 4, kAhead>;
    if (stride > 128) return hogwild_kernel<Factor, 4, 2, kAhead>;
  } else {
    if (stride > 512) return hogwild_kernel<Factor, 8, 4, kAhead>;
    if (stride > 256) return hogwild_kernel<Factor, 8, 2, kAhead>;
    if (stride > 128) return hogwild_kernel<Factor, 8, 1, kAhead>;
  }
  return hogwild_kernel<Factor, 4, 1, kAhead>;
}

}  // namespace

template <typename Factor>
std::int64_t resident_workers(std::int64_t stride) {
  return max_resident_blocks(kernel_for<Factor, true>(stride), kWarpsPerBlock * kWarpSize) * kWarpsPerBlock;
}

template <typename Factor>
std::int64_t useful_workers(std::int64_t workers, std::int64_t stride, std::int64_t users, std::int64_t items,
                            std::int64_t ratings) {
  const std::int64_t resident = resident_workers<Factor>(stride);
  const std::int64_t wanted = workers == 0 ? resident : std::min(workers, resident);
  return std::max<std::int64_t>(
      1, std::min({wanted, users / kRowsPerWorker, items / kRowsPerWorker, ceil_div(ratings, kRatingsPerWorker)}));
}

template <typename Factor>
void update_on_device(View<const Rating> ratings, const DeviceFactors<Factor>& factors, const UpdateRule& rule,
                      std::int64_t workers, Stream& stream) {
  // Many warps hide the latency of loads by themselves, and lose fewer updates where rows are not loaded ahead. Few are
  // blocks of their own, which spread over the multiprocessors.
  const bool few = workers < kWarpsPerBlock || 2 * workers <= resident_workers<Factor>(factors.stride);
  const Kernel<Factor> kernel =
      few ? kernel_for<Factor, true>(factors.stride) : kernel_for<Factor, false>(factors.stride);
  const Grid grid = few ? Grid{workers, kWarpSize} : Grid{workers / kWarpsPerBlock, kWarpsPerBlock * kWarpSize};
  const std::int64_t piece = grid.blocks.count() * kMaxRatingsPerWorker;
  for (std::int64_t first = 0; first < ratings.size(); first += piece) {
    launch(kernel, grid, stream, ratings.subview(first, std::min(piece, ratings.size() - first)), factors, rule);
  }
}

template std::int64_t resident_workers<float>(std::int64_t stride);
template std::int64_t resident_workers<Half>(std::int64_t stride);
template std::int64_t useful_workers<float>(std::int64_t workers, std::int64_t stride, std::int64_t users,
                                            std::int64_t items, std::int64_t ratings);
template std::int64_t useful_workers<Half>(std::int64_t workers, std::int64_t stride, std::int64_t users,
                                           std::int64_t items, std::int64_t ratings);
template void update_on_device(View<const Rating> ratings, const DeviceFactors<float>& factors, const UpdateRule& rule,
                               std::int64_t workers, Stream& stream);
template void update_on_device(View<const Rating> ratings, const DeviceFactors<Half>& factors, const UpdateRule& rule,
                               std::int64_t workers, Stream& stream);

void convert(View<const float> from, View<Half> to, Stream& stream) {
  if (from.size() != to.size()) throw std::invalid_argument("convert: sizes differ");
  launch(halves_kernel, grid_for(from.size(), kConvertThreads, kConvertBlocks), stream, from, to);
}
void convert(View<const Half> from, View<float> to, Stream& stream) {
  if (from.size() != to.size()) throw std::invalid_argument("convert: sizes differ");
  launch(singles_kernel, grid_for(from.size(), kConvertThreads, kConvertBlocks), stream, from, to);
}

}  // namespace warpbench::matrix_factorization
