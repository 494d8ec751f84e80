#include "datasets/loaders/vectors/vector_rows.hpp"

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
