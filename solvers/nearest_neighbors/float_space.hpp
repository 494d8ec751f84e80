// FloatSpace: points and queries as searches in float see them. For cosine they are copies brought to length 1 (the
// zero vector stays what it is), so that two forms serve three metrics.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/cpu_distances.hpp"

namespace warpbench::nearest_neighbors {

/// |row|, by a sum in double precision.
[[nodiscard]] double length_of(std::span<const float> row);

class FloatSpace {
 public:
  FloatSpace() = default;
  /// `input` outlives the space. O(coordinates) for cosine, else O(1).
  explicit FloatSpace(const NearestNeighbors::Input& input);
  FloatSpace(FloatSpace&&) = default;
  FloatSpace& operator=(FloatSpace&&) = default;

  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] std::int64_t dimension() const { return points_.dimension; }
  [[nodiscard]] VectorBlock points() const { return points_; }
  [[nodiscard]] VectorBlock queries() const { return queries_; }
  [[nodiscard]] const float* point(std::int64_t i) const { return points_.values + i * points_.dimension; }
  [[nodiscard]] const float* query(std::int64_t i) const { return queries_.values + i * queries_.dimension; }

  /// A value of the form as a key that orders points as their distances do: |a - b|^2 or -a·b.
  [[nodiscard]] float key(float value) const { return form_ == Form::inner_product ? -value : value; }

 private:
  Form form_ = Form::squared_difference;
  std::vector<float> unit_points_;
  std::vector<float> unit_queries_;
  VectorBlock points_;
  VectorBlock queries_;
};

/// The keys of points as seen from one vector, for graph searches.
class KeysFrom {
 public:
  /// `point_of` maps vertices to points; empty: vertex i is point i.
  KeysFrom(const FloatSpace& space, const float* from, const std::vector<std::uint32_t>& point_of)
      : space_(space), from_(from), point_of_(point_of), function_(pair_function(space.form())) {}

  [[nodiscard]] float operator()(std::uint32_t vertex) const {
    return space_.key(function_(from_, coordinates(vertex), space_.dimension()));
  }
  void prefetch(std::uint32_t vertex) const { __builtin_prefetch(coordinates(vertex)); }

 private:
  [[nodiscard]] const float* coordinates(std::uint32_t vertex) const {
    return space_.point(point_of_.empty() ? vertex : point_of_[vertex]);
  }

  const FloatSpace& space_;
  const float* from_;
  const std::vector<std::uint32_t>& point_of_;
  PairFunction function_;
};

}  // namespace warpbench::nearest_neighbors
