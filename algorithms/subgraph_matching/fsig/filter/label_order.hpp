// The order of data vertices by label and class of degree (LabelOrderView).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// Degrees of a class differ by less than a factor of two, but for those of the first, which has all larger ones.
inline constexpr std::uint32_t kDegreeClasses = 16;

/// The first class of a label, numbered over all labels.
constexpr std::size_t first_class(Label label) {
  return std::size_t{label} * kDegreeClasses;
}
/// The class of a vertex: larger degrees come first.
constexpr std::size_t class_of(Label label, std::uint32_t degree) {
  const auto bits = static_cast<std::size_t>(std::bit_width(degree));
  return first_class(label) + kDegreeClasses - 1 - std::min<std::size_t>(bits, kDegreeClasses - 1);
}

}  // namespace warpbench::matching::fsig
