#include "algorithms/nearest_neighbors/graph_solver/usual_range.hpp"

#include <algorithm>
#include <cstddef>

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::int64_t kSampledCoordinates = 1 << 20;
constexpr double kOutliers = 1e-3;  ///< share of the coordinates on either side that 8 bits need not reach

}  // namespace

UsualRange::UsualRange(std::int64_t rows, std::int64_t dimension)
    : dimension_(dimension),
      step_(std::max<std::int64_t>(1, rows * dimension / kSampledCoordinates) | 1) {}  // odd: of all dimensions

void UsualRange::add(std::span<const float> rows, std::int64_t stride) {
  const std::int64_t end = begin_ + static_cast<std::int64_t>(rows.size()) / stride * dimension_;
  for (; next_ < end; next_ += step_) {
    const std::int64_t i = next_ - begin_;
    sample_.push_back(rows[static_cast<std::size_t>(i / dimension_ * stride + i % dimension_)]);
  }
  begin_ = end;
}

Range UsualRange::range() {
  if (sample_.empty()) return {0, 0};
  const auto cut = static_cast<std::ptrdiff_t>(kOutliers * static_cast<double>(sample_.size()));
  const auto low = sample_.begin() + cut;
  std::nth_element(sample_.begin(), low, sample_.end());
  const float least = *low;
  const auto high = sample_.end() - 1 - cut;
  std::nth_element(sample_.begin(), high, sample_.end());
  return {least, *high};
}

}  // namespace warpbench::nearest_neighbors
