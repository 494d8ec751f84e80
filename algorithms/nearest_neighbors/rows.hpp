// Points and queries as kernels read them: rows padded with zeros to whole 16-byte loads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/half.hpp"

namespace warpbench::nearest_neighbors {

/// The least multiple of `multiple` that holds `dimension` coordinates.
constexpr int padded_to(std::int64_t dimension, std::int64_t multiple) {
  return static_cast<int>((dimension + multiple - 1) / multiple * multiple);
}

/// Row i is row order[i] (i where `order` is empty) of `values`, times `scale`; of length `scale` (or 0) where
/// `normalised`. O(values), on all threads.
std::vector<float> padded_rows(std::span<const float> values, std::int64_t dimension, int stride, bool normalised,
                               float scale = 1, std::span<const std::uint32_t> order = {});

std::vector<Half> to_halves(std::span<const float> values);

/// The power of two that brings the largest magnitude among `values` to 8 to 16: sums of four squared differences are
/// then far from a half's limits, with room for what is not among the values (half_arithmetic.cuh).
float half_scale(std::span<const float> values);

}  // namespace warpbench::nearest_neighbors
