// Points and queries as kernels read them: rows padded with zeros to whole 16-byte loads.
#pragma once

#include <cstdint>
#include <span>

#include "device/buffer.hpp"
#include "device/integers.hpp"

namespace warpbench::nearest_neighbors {

/// `dimension` coordinates, rounded up to a multiple of `multiple`.
constexpr int padded_to(std::int64_t dimension, std::int64_t multiple) {
  return static_cast<int>(round_up(dimension, multiple));
}

/// Row i is row order[i] (i where `order` is empty) of `values`; of length 1 (or 0) where `normalised`. In pinned
/// memory, ready for the device. O(values), on all threads.
PinnedBuffer<float> padded_rows(std::span<const float> values, std::int64_t dimension, int stride, bool normalised,
                                std::span<const std::uint32_t> order = {});

/// The same for rows first … first + rows.size() / stride - 1, into memory of the caller.
void pad_rows(std::span<const float> values, std::int64_t dimension, int stride, bool normalised,
              std::span<const std::uint32_t> order, std::int64_t first, std::span<float> rows);

/// The power of two that brings the largest magnitude among `values` to 8 to 16. Sums of four squared differences are
/// then far from a half's limits (ganns/half_arithmetic.cuh).
float half_scale(std::span<const float> values);

}  // namespace warpbench::nearest_neighbors
