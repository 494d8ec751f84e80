// Vector sets for the tests of nearest_neighbors: small ones that are awkward, and random ones by seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "problems/nearest_neighbors/distance.hpp"
#include "problems/nearest_neighbors/problem.hpp"

namespace warpbench::testing {

using datasets::Metric;
using datasets::VectorSet;

inline constexpr Metric kMetrics[] = {Metric::euclidean, Metric::cosine, Metric::inner_product};

inline VectorSet vectors_of(std::uint32_t dimension, std::vector<float> points, std::vector<float> queries,
                            Metric metric = Metric::euclidean) {
  VectorSet set;
  set.facts = std::vector<std::uint32_t>{dimension, static_cast<std::uint32_t>(metric)};
  set.points = std::move(points);
  set.queries = std::move(queries);
  return set;
}

/// `count` vectors around `centres` Gaussian centres, `spread` wide; the same centres for the same seed.
inline std::vector<float> around_centres(std::size_t count, std::size_t dimension, std::size_t centres, float spread,
                                         std::uint64_t seed, std::uint64_t stream) {
  std::normal_distribution<float> normal;
  std::mt19937_64 of_centres(seed);
  std::vector<float> middle(centres * dimension);
  for (float& x : middle) x = normal(of_centres);
  std::mt19937_64 random(seed * 1000 + stream);
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t centre = random() % centres;
    for (std::size_t j = 0; j < dimension; ++j) {
      values.push_back(middle[centre * dimension + j] + spread * normal(random));
    }
  }
  return values;
}

inline VectorSet clustered(std::size_t points, std::size_t queries, std::uint32_t dimension, std::uint64_t seed) {
  return vectors_of(dimension, around_centres(points, dimension, 20, 0.7F, seed, 1),
                    around_centres(queries, dimension, 20, 0.7F, seed, 2));
}

/// `set` with its coordinates times `scale` and rounded: all sums are exact in float, in any order, so that every
/// search on a CPU and on a GPU must find the same.
inline VectorSet whole_numbers(VectorSet set, float scale) {
  const auto rounded = [scale](const datasets::Array<float>& values) {
    std::vector<float> whole(values.begin(), values.end());
    for (float& x : whole) x = std::round(scale * x);
    return whole;
  };
  set.points = rounded(set.points);
  set.queries = rounded(set.queries);
  return set;
}

/// Coordinates among -2, -1, 0, 1, 2: many ties, many duplicates, zero vectors.
inline VectorSet on_a_grid(std::size_t points, std::size_t queries, std::uint32_t dimension, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> coordinate(-2, 2);
  std::vector<float> p(points * dimension);
  std::vector<float> q(queries * dimension);
  for (float& x : p) x = static_cast<float>(coordinate(random));
  for (float& x : q) x = static_cast<float>(coordinate(random));
  return vectors_of(dimension, std::move(p), std::move(q));
}

/// Each point of `set` `copies` times, one copy after the other: copy c is `factor`^c times as long. Products of floats
/// are rounded, so that copies differ a little in direction, too.
inline VectorSet with_copies(VectorSet set, int copies, float factor = 1) {
  std::vector<float> points;
  for (int copy = 0; copy < copies; ++copy) {
    const float length = std::pow(factor, static_cast<float>(copy));
    std::ranges::transform(set.points, std::back_inserter(points), [length](float x) { return length * x; });
  }
  set.points = std::move(points);
  return set;
}

struct NamedVectors {
  std::string name;
  VectorSet set;
};

inline std::vector<NamedVectors> adversarial_vectors() {
  std::vector<NamedVectors> all;
  all.push_back({"one point", vectors_of(2, {3, 4}, {1, 1, 0, 0})});
  all.push_back({"two points, dimension 1", vectors_of(1, {3, -4}, {1, -1, 0})});
  all.push_back({"a line", vectors_of(1, {5, 1, 4, 2, 3, 0, 6, 9, 7, 8}, {3.2F, -10, 20})});
  all.push_back({"all points equal", vectors_of(3, std::vector<float>(3 * 100, 2.5F), {2.5F, 2.5F, 2.5F, 0, 0, 1})});
  all.push_back({"all points zero", vectors_of(3, std::vector<float>(3 * 40, 0.0F), {0, 0, 0, 0, 0, 1})});
  all.push_back({"grid of dimension 3", on_a_grid(150, 20, 3, 1)});
  all.push_back({"grid of dimension 1", on_a_grid(150, 20, 1, 2)});
  all.push_back({"fewer points than k", clustered(7, 9, 5, 3)});
  all.push_back({"dimension 3", clustered(200, 20, 3, 4)});
  all.push_back({"dimension 17", clustered(130, 33, 17, 5)});
  all.push_back({"dimension 960", clustered(60, 6, 960, 6)});
  all.push_back({"every point twice", with_copies(clustered(60, 10, 8, 7), 2)});
  all.push_back({"eight points, each 26 times", with_copies(clustered(8, 8, 6, 9), 26)});
  VectorSet found = clustered(90, 1, 12, 8);
  found.queries = found.points;
  all.push_back({"queries are points", found});
  return all;
}

/// Full sort by distance() in double, the second oracle.
inline NearestNeighbors::Reference sorted_by_distance(const NearestNeighbors::Input& input) {
  NearestNeighbors::Reference result;
  const auto count = static_cast<std::size_t>(std::min(input.k, input.points()));
  for (std::int64_t q = 0; q < input.queries(); ++q) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::int64_t p = 0; p < input.points(); ++p) {
      all.emplace_back(nearest_neighbors::distance(input.metric, input.vectors->query(q), input.vectors->point(p)), p);
    }
    std::ranges::sort(all);
    for (std::size_t i = 0; i < count; ++i) {
      result.distances.push_back(all[i].first);
      result.neighbors.push_back(all[i].second);
    }
  }
  return result;
}

/// The reference as an answer: rows filled up with kNone.
inline std::vector<std::uint32_t> as_answer(const NearestNeighbors::Input& input,
                                            const NearestNeighbors::Reference& reference) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(input.queries() * input.k), kNone<std::uint32_t>);
  const auto width = static_cast<std::size_t>(std::min(input.k, input.points()));
  for (std::size_t i = 0; i < reference.neighbors.size(); ++i) {
    ids[i / width * static_cast<std::size_t>(input.k) + i % width] = reference.neighbors[i];
  }
  return ids;
}

}  // namespace warpbench::testing
