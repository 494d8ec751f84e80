// The order of data vertices by label and class of degree (LabelOrderView).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "device/kernel.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// Degrees of one class differ by less than a factor of two; the last class has all that are larger.
inline constexpr std::uint32_t kDegreeClasses = 16;

/// The first class of a label, numbered over all labels.
WARPBENCH_HOST_DEVICE constexpr std::size_t first_class(Label label) {
  return std::size_t{label} * kDegreeClasses;
}
/// The class of a vertex: larger degrees come first.
WARPBENCH_HOST_DEVICE constexpr std::size_t class_of(Label label, std::uint32_t degree) {
  std::uint32_t bits = 0;
  while (bits + 1 < kDegreeClasses && degree >> bits != 0) ++bits;
  return first_class(label) + kDegreeClasses - 1 - bits;
}

}  // namespace warpbench::matching::fsig
