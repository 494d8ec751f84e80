// VectorSet: points of a metric space and query points, the input of nearest_neighbors (yu2023 §4.1.1).
//
// Coordinates are float32, row by row, all finite. Bytes and integers of formats such as bvecs and IDX are widened.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/array.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

/// The distance of two points; a lower value is nearer.
enum class Metric : std::uint32_t {
  euclidean,     ///< |a - b|
  cosine,        ///< 1 - a·b / (|a| |b|); 1 where a or b is the zero vector
  inner_product  ///< -a·b
};
[[nodiscard]] std::string_view to_string(Metric metric) noexcept;
[[nodiscard]] std::optional<Metric> metric_from_string(std::string_view name) noexcept;
/// euclidean, cosine, inner_product: the choices of options and parameters, with the default first.
[[nodiscard]] std::vector<std::string> metric_names();

struct VectorSet {
  static constexpr Kind kKind = Kind::Vectors;

  Array<std::uint32_t> facts;  // dimension, and the metric the set is published with
  Array<float> points;         // count × dimension
  Array<float> queries;        // query_count × dimension

  [[nodiscard]] std::int64_t dimension() const noexcept { return facts.empty() ? 0 : facts[0]; }
  [[nodiscard]] Metric metric() const noexcept { return facts.empty() ? Metric::euclidean : Metric{facts[1]}; }
  [[nodiscard]] std::int64_t count() const noexcept { return rows(points); }
  [[nodiscard]] std::int64_t query_count() const noexcept { return rows(queries); }
  [[nodiscard]] std::span<const float> point(std::int64_t i) const noexcept { return row(points, i); }
  [[nodiscard]] std::span<const float> query(std::int64_t i) const noexcept { return row(queries, i); }

  /// Checks that the dimension is 1 to kMaxDimension, rows are whole, there are fewer than 2^32 - 1 points, the metric
  /// is known and every coordinate is finite. Throws InputError("vectors", …) that names the row. O(coordinates).
  void validate() const;

  /// points, queries, dimension, metric, and, for 1,000 points or more:
  /// intrinsic_dimension, the maximum-likelihood estimate of the local intrinsic dimension (Amsaleg et al. 2015) over
  /// the 100 nearest neighbours of up to 200 points spread over the set; O(200 × points × dimension);
  /// hubness, the skewness of the number of points that have a point among their 10 nearest (Radovanović et al. 2010),
  /// within up to 2,000 points spread over the set, so that it does not grow with the set; O(2000² × dimension).
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    visit("facts", self.facts);
    visit("points", self.points);
    visit("queries", self.queries);
  }

  friend bool operator==(const VectorSet&, const VectorSet&) = default;

 private:
  [[nodiscard]] std::int64_t rows(const Array<float>& values) const noexcept {
    const std::int64_t width = dimension();
    return width == 0 ? 0 : static_cast<std::int64_t>(values.size()) / width;
  }
  [[nodiscard]] std::span<const float> row(const Array<float>& values, std::int64_t i) const noexcept {
    return values.span().subspan(static_cast<std::size_t>(i * dimension()), static_cast<std::size_t>(dimension()));
  }
};

/// The largest dimension a file or generator may have; the published sets reach 960.
inline constexpr std::int64_t kMaxDimension = 65'536;

}  // namespace warpbench::datasets
