#include "solvers/nearest_neighbors/distinct_points.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "device/integers.hpp"

namespace warpbench::nearest_neighbors {
namespace {

/// A point's coordinates, with a hash that tells most points apart.
struct HashedPoint {
  std::size_t hash;
  std::uint32_t place;  ///< in the order
  std::string_view bytes;

  [[nodiscard]] bool equals(const HashedPoint& other) const { return hash == other.hash && bytes == other.bytes; }
  friend bool operator<(const HashedPoint& a, const HashedPoint& b) {
    return std::tie(a.hash, a.bytes, a.place) < std::tie(b.hash, b.bytes, b.place);
  }
};

std::vector<HashedPoint> sorted_points(const datasets::VectorSet& vectors, const std::vector<std::uint32_t>& order) {
  std::vector<HashedPoint> points(order.size());
#pragma omp parallel for
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto row = std::as_bytes(vectors.point(order[place]));
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size());
    points[place] = {std::hash<std::string_view>{}(bytes), static_cast<std::uint32_t>(place), bytes};
  }
  std::ranges::sort(points, std::less{});
  return points;
}

}  // namespace

DistinctPoints distinct_points(const datasets::VectorSet& vectors, std::vector<std::uint32_t> order) {
  const bool in_order = order.empty();
  if (in_order) {
    order.resize(static_cast<std::size_t>(vectors.count()));
    std::iota(order.begin(), order.end(), 0U);
  }
  const std::vector<HashedPoint> points = sorted_points(vectors, order);
  std::vector<std::uint32_t> next_equal(order.size(), kNone<std::uint32_t>);
  std::vector<bool> is_first(order.size(), true);  // by place
  std::size_t repeated = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!points[i].equals(points[i - 1])) continue;
    next_equal[order[points[i - 1].place]] = order[points[i].place];
    is_first[points[i].place] = false;
    ++repeated;
  }
  if (repeated == 0) return {in_order ? std::vector<std::uint32_t>{} : std::move(order), {}};
  DistinctPoints distinct{{}, std::move(next_equal)};
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (is_first[place]) distinct.point_of.push_back(order[place]);
  }
  return distinct;
}

}  // namespace warpbench::nearest_neighbors
