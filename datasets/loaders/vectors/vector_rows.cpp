#include "datasets/loaders/vectors/vector_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {

OptionDeclaration metric_option() {
  return {"metric", metric_names(), "the distance that the points are for"};
}

Metric metric_of(const Options& options) {
  return metric_from_string(options.at("metric")).value_or(Metric::euclidean);
}

Content vectors_content(std::size_t dimension, Metric metric, std::vector<float> points, std::vector<float> queries) {
  VectorSet set;
  set.facts = std::vector<std::uint32_t>{static_cast<std::uint32_t>(dimension), static_cast<std::uint32_t>(metric)};
  set.points = std::move(points);
  set.queries = std::move(queries);
  return {std::move(set), {}, {}};
}

namespace {

/// The values of a column of points.
std::vector<float> column_of(std::span<const float> points, std::size_t dimension, std::size_t column) {
  std::vector<float> values;
  values.reserve(points.size() / dimension);
  for (std::size_t i = column; i < points.size(); i += dimension) values.push_back(points[i]);
  return values;
}

}  // namespace

std::string why_an_id(std::span<const float> points, std::size_t dimension, std::size_t column,
                      const RowNumbers& seen) {
  if (dimension <= 1) return "";
  if (seen.numbers_rows()) return "numbers of the rows";
  if (!seen.may_be_ids()) return "";
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();
  bool fractions = true;  // in each of the others
  bool repeats = true;
  for (std::size_t c = 0; c < dimension; ++c) {
    if (c == column) continue;
    std::vector<float> values = column_of(points, dimension, c);
    fractions = fractions && std::ranges::any_of(values, [](float value) { return value != std::floor(value); });
    std::ranges::sort(values);
    repeats = repeats && std::ranges::adjacent_find(values) != values.end();
    low = std::min(low, values.front());
    high = std::max(high, values.back());
  }
  const bool differs = fractions || repeats || seen.outside(low, high);
  return differs ? "whole numbers that only rise or fall, unlike the other columns" : "";
}

void check_rows(const Text& text, std::uint64_t offset, std::uint64_t rows) {
  constexpr std::uint64_t kMaxRows = std::numeric_limits<std::uint32_t>::max() - 1;
  if (rows == 0 || rows > kMaxRows) {
    throw InputError::at_byte(text.file, offset, "1 to " + std::to_string(kMaxRows) + " rows", std::to_string(rows));
  }
}

float finite_coordinate(const Text& text, std::uint64_t offset, double value, std::uint64_t row,
                        std::uint64_t coordinate) {
  if (std::abs(value) <= double{std::numeric_limits<float>::max()}) return static_cast<float>(value);
  const std::string what = std::isnan(value) ? "nan" : std::isinf(value) ? "inf" : to_string(Property{value});
  throw InputError::at_byte(text.file, offset, "a finite number that a float holds",
                            what + " in row " + std::to_string(row) + ", coordinate " + std::to_string(coordinate));
}

}  // namespace warpbench::datasets
