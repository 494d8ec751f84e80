#include "solvers/nearest_neighbors/distinct_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "device/integers.hpp"
#include "device/mix64.hpp"
#include "solvers/nearest_neighbors/float_space.hpp"

namespace warpbench::nearest_neighbors {
namespace {

/// A point's shadow on a random line: points that are equal lie together there, others hardly ever.
struct Shadow {
  double at;
  std::uint32_t place;  ///< in the order
  double length;        ///< of the point; 1 where lengths matter

  friend bool operator<(const Shadow& a, const Shadow& b) { return std::tie(a.at, a.place) < std::tie(b.at, b.place); }
};

/// Finds equal points among the vectors in a given order.
class EqualPoints {
 public:
  EqualPoints(const datasets::VectorSet& vectors, datasets::Metric metric, const std::vector<std::uint32_t>& order)
      : vectors_(vectors),
        order_(order),
        by_direction_(metric == datasets::Metric::cosine),
        tolerance_(by_direction_ ? 0x1p-22 : 0) {}

  /// place → the place of the point that stands for all that are equal to it, itself among them.
  [[nodiscard]] std::vector<std::uint32_t> leaders() const {
    const std::vector<Shadow> shadows = sorted_shadows();
    std::vector<std::uint32_t> leaders(shadows.size());
    std::vector<Shadow> recent;  // leaders, the last ones behind
    for (const Shadow& shadow : shadows) {
      const auto end = recent.rbegin() + static_cast<std::ptrdiff_t>(std::min(recent.size(), kLookedAt));
      const auto near = std::find_if(recent.rbegin(), end, [&](const Shadow& leader) { return equal(leader, shadow); });
      const bool leads = near == end;
      if (leads) recent.push_back(shadow);
      leaders[shadow.place] = leads ? shadow.place : near->place;
    }
    return leaders;
  }

 private:
  static constexpr std::size_t kLookedAt = 16;  ///< leaders before a point: as many as may share its shadow

  [[nodiscard]] std::span<const float> point(const Shadow& shadow) const {
    return vectors_.point(order_[shadow.place]);
  }

  [[nodiscard]] std::vector<Shadow> sorted_shadows() const {
    std::vector<double> line(static_cast<std::size_t>(vectors_.dimension()));
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<double>(mix64(i)) * 0x1p-63 - 1;
    const double line_length = std::sqrt(std::transform_reduce(line.begin(), line.end(), line.begin(), 0.0));
    std::vector<Shadow> shadows(order_.size());
#pragma omp parallel for
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const std::span<const float> values = vectors_.point(order_[place]);
      const double length = by_direction_ ? length_of(values) : 1;
      const double along = std::transform_reduce(values.begin(), values.end(), line.begin(), 0.0);
      shadows[place] = {length == 0 ? 0 : along / line_length / length, static_cast<std::uint32_t>(place), length};
    }
    std::ranges::sort(shadows, std::less{});
    return shadows;
  }

  [[nodiscard]] bool equal(const Shadow& a, const Shadow& b) const {
    if (b.at - a.at > tolerance_) return false;  // shadows are no farther apart than the points
    if (a.length == 0 || b.length == 0) return a.length == b.length;
    const std::span<const float> of_a = point(a);
    const std::span<const float> of_b = point(b);
    double square = 0;
    for (std::size_t i = 0; i < of_a.size() && square <= tolerance_ * tolerance_; ++i) {
      const double difference = of_a[i] / a.length - of_b[i] / b.length;
      square += difference * difference;
    }
    return square <= tolerance_ * tolerance_;
  }

  const datasets::VectorSet& vectors_;
  const std::vector<std::uint32_t>& order_;
  bool by_direction_;
  double tolerance_;
};

}  // namespace

DistinctPoints distinct_points(const datasets::VectorSet& vectors, datasets::Metric metric,
                               std::vector<std::uint32_t> order) {
  const bool in_order = order.empty();
  if (in_order) {
    order.resize(static_cast<std::size_t>(vectors.count()));
    std::iota(order.begin(), order.end(), 0U);
  }
  const std::vector<std::uint32_t> leaders = EqualPoints(vectors, metric, order).leaders();
  DistinctPoints distinct{{}, std::vector<std::uint32_t>(order.size(), kNone<std::uint32_t>)};
  std::vector<std::uint32_t> last_of(order.size(), kNone<std::uint32_t>);  // leader → the last point so far
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::uint32_t& last = last_of[leaders[place]];
    if (last == kNone<std::uint32_t>) {
      distinct.point_of.push_back(order[place]);
    } else {
      distinct.next_equal[last] = order[place];
    }
    last = order[place];
  }
  if (distinct.point_of.size() < order.size()) return distinct;
  return {in_order ? std::vector<std::uint32_t>{} : std::move(order), {}};
}

}  // namespace warpbench::nearest_neighbors
