#include "algorithms/nearest_neighbors/padded_rows.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/nearest_neighbors/float_space.hpp"

namespace warpbench::nearest_neighbors {

PinnedBuffer<float> padded_rows(std::span<const float> values, std::int64_t dimension, int stride, bool normalised,
                                std::span<const std::uint32_t> order) {
  const std::int64_t count = order.empty() ? std::ssize(values) / dimension : std::ssize(order);
  PinnedBuffer<float> rows(count * stride);
  pad_rows(values, dimension, stride, normalised, order, 0, rows.span());
  return rows;
}

void pad_rows(std::span<const float> values, std::int64_t dimension, int stride, bool normalised,
              std::span<const std::uint32_t> order, std::int64_t first, std::span<float> rows) {
  const std::int64_t count = std::ssize(rows) / stride;
#pragma omp parallel for
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t source =
        order.empty() ? first + row : std::int64_t{order[static_cast<std::size_t>(first + row)]};
    const auto from = values.subspan(static_cast<std::size_t>(source * dimension), static_cast<std::size_t>(dimension));
    double length = normalised ? length_of(from) : 1.0;
    if (length == 0) length = 1;
    const auto to = rows.subspan(static_cast<std::size_t>(row * stride), static_cast<std::size_t>(stride));
    const auto rest = std::ranges::transform(
        from, to.begin(), [&](float value) { return static_cast<float>(static_cast<double>(value) / length); });
    std::fill(rest.out, to.end(), 0.0F);
  }
}

float half_scale(std::span<const float> values) {
  float largest = 0;
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for reduction(max : largest)
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[static_cast<std::size_t>(i)]));
  constexpr float kMaxExponent = 127;
  return largest == 0 ? 1.0F : std::exp2(std::min(kMaxExponent, 4.0F - std::ceil(std::log2(largest))));
}

}  // namespace warpbench::nearest_neighbors
