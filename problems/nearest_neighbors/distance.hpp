// The three distances in double precision: what the reference, the judge and the tests agree on.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "datasets/vectors.hpp"

namespace warpbench::nearest_neighbors {

inline double inner_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// |a - b|^2, which orders points as |a - b| does.
inline double squared_distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

/// As datasets::Metric says; Euclidean distances are squared. O(dimension).
inline double distance(datasets::Metric metric, std::span<const float> a, std::span<const float> b) {
  switch (metric) {
    case datasets::Metric::euclidean:
      return squared_distance(a, b);
    case datasets::Metric::cosine: {
      const double lengths = std::sqrt(inner_product(a, a) * inner_product(b, b));
      return lengths == 0 ? 1.0 : 1.0 - inner_product(a, b) / lengths;
    }
    case datasets::Metric::inner_product:
      return -inner_product(a, b);
  }
  return 0;
}

/// How much farther than the k-th nearest point a neighbour may be, as a share of its distance (Euclidean) or of
/// |q| |x|: float arithmetic may confuse such distances.
inline constexpr double kTolerance = 1e-6;

/// `tolerance` of point `x` at `query`, for a distance near `kth`. O(dimension).
inline double slack(datasets::Metric metric, std::span<const float> query, std::span<const float> x, double kth,
                    double tolerance = kTolerance) {
  switch (metric) {
    case datasets::Metric::euclidean:
      return tolerance * kth;
    case datasets::Metric::cosine:
      return tolerance;
    case datasets::Metric::inner_product:
      return tolerance * std::sqrt(inner_product(query, query) * inner_product(x, x));
  }
  return 0;
}

}  // namespace warpbench::nearest_neighbors
