#include "solvers/nearest_neighbors/float_space.hpp"

#include <cmath>
#include <functional>
#include <numeric>

namespace warpbench::nearest_neighbors {
namespace {

std::vector<float> units(std::span<const float> values, std::int64_t dimension) {
  std::vector<float> result(values.size());
  const auto width = static_cast<std::size_t>(dimension);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a vector set has a dimension
  const auto count = static_cast<std::int64_t>(values.size() / width);
#pragma omp parallel for
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t first = static_cast<std::size_t>(i) * width;
    const std::span<const float> row = values.subspan(first, width);
    const double length = length_of(row);
    if (length == 0) continue;
    for (std::size_t j = 0; j < width; ++j) result[first + j] = static_cast<float>(row[j] / length);
  }
  return result;
}

}  // namespace

double length_of(std::span<const float> row) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(std::transform_reduce(row.begin(), row.end(), 0.0, std::plus{}, square));
}

FloatSpace::FloatSpace(const NearestNeighbors::Input& input)
    : form_(input.metric == datasets::Metric::euclidean ? Form::squared_difference : Form::inner_product) {
  const datasets::VectorSet& vectors = *input.vectors;
  points_ = {vectors.points.data(), input.points(), input.dimension()};
  queries_ = {vectors.queries.data(), input.queries(), input.dimension()};
  if (input.metric == datasets::Metric::cosine) {
    unit_points_ = units(vectors.points.span(), input.dimension());
    unit_queries_ = units(vectors.queries.span(), input.dimension());
    points_.values = unit_points_.data();
    queries_.values = unit_queries_.data();
  }
}

}  // namespace warpbench::nearest_neighbors
