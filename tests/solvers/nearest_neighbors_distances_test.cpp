// The vectorized distances, the float space and the heap of the k nearest, against plain loops in double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "solvers/nearest_neighbors/float_space.hpp"
#include "solvers/nearest_neighbors/top_k.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using testing::VectorSet;

constexpr std::uint64_t kSeed = 931;

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
  return testing::around_centres(count, 1, 5, 1, seed, 0);
}

double expected(Form form, std::span<const float> a, std::span<const float> b) {
  return form == Form::inner_product ? inner_product(a, b) : squared_distance(a, b);
}

/// The error that summing in float may make: some roundings of the sum of the terms' sizes.
double allowed(Form form, std::span<const float> a, std::span<const float> b) {
  double size = form == Form::squared_difference ? squared_distance(a, b) : 0;
  if (form == Form::inner_product) {
    for (std::size_t i = 0; i < a.size(); ++i) size += std::abs(static_cast<double>(a[i]) * static_cast<double>(b[i]));
  }
  return 1e-6 * size;
}

TEST(NearestNeighborsDistances, OfPairsAreRightInEveryDimension) {
  std::vector<std::size_t> dimensions(140);
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{1});
  dimensions.insert(dimensions.end(), {200, 255, 256, 420, 783, 784, 785, 960});
  for (const Form form : {Form::squared_difference, Form::inner_product}) {
    for (const std::size_t dimension : dimensions) {
      const std::vector<float> a = random_values(dimension, kSeed);
      const std::vector<float> b = random_values(dimension, kSeed + 1);
      EXPECT_NEAR(pair_function(form)(a.data(), b.data(), static_cast<std::int64_t>(dimension)), expected(form, a, b),
                  allowed(form, a, b))
          << dimension << " on " << instruction_set();
    }
  }
}

void expect_blocks(std::int64_t dimension, std::int64_t queries, std::int64_t points) {
  const auto width = static_cast<std::size_t>(dimension);
  const std::vector<float> q = random_values(static_cast<std::size_t>(queries) * width, kSeed);
  const std::vector<float> p = random_values(static_cast<std::size_t>(points) * width, kSeed + 1);
  for (const Form form : {Form::squared_difference, Form::inner_product}) {
    std::vector<float> out(static_cast<std::size_t>(queries * points) + 1, -77);
    block_distances(form, VectorBlock{q.data(), queries, dimension}, VectorBlock{p.data(), points, dimension},
                    out.data());
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
      const std::span<const float> a = std::span(q).subspan(i / static_cast<std::size_t>(points) * width, width);
      const std::span<const float> b = std::span(p).subspan(i % static_cast<std::size_t>(points) * width, width);
      ASSERT_NEAR(static_cast<double>(out[i]), expected(form, a, b), allowed(form, a, b))
          << queries << " x " << points << " x " << dimension << ", " << i;
    }
    EXPECT_EQ(out.back(), -77) << "written beyond the block";
  }
}

TEST(NearestNeighborsDistances, OfBlocksAreRightInEveryShape) {
  for (const std::int64_t dimension : {1, 2, 3, 7, 8, 9, 31, 128, 200}) {
    for (std::int64_t queries = 1; queries <= 5; ++queries) {
      for (std::int64_t points = 1; points <= 9; ++points) {
        expect_blocks(dimension, queries, points);
      }
    }
  }
}

TEST(NearestNeighborsDistances, OfEqualPointsAreEqualWhereverTheyStand) {
  for (const std::int64_t dimension : {1, 3, 17, 128, 961}) {
    const auto width = static_cast<std::size_t>(dimension);
    const std::vector<float> point = random_values(width, kSeed);
    const std::vector<float> query = random_values(width, kSeed + 1);
    for (const Form form : {Form::squared_difference, Form::inner_product}) {
      std::vector<float> values;
      for (const std::int64_t points : {1, 3, 7}) {
        for (const std::int64_t queries : {1, 2, 5}) {
          std::vector<float> p;
          std::vector<float> q;
          for (std::int64_t i = 0; i < points; ++i) p.insert(p.end(), point.begin(), point.end());
          for (std::int64_t i = 0; i < queries; ++i) q.insert(q.end(), query.begin(), query.end());
          std::vector<float> out(static_cast<std::size_t>(points * queries));
          block_distances(form, VectorBlock{q.data(), queries, dimension}, VectorBlock{p.data(), points, dimension},
                          out.data());
          values.insert(values.end(), out.begin(), out.end());
        }
      }
      EXPECT_EQ(values, std::vector<float>(values.size(), values[0])) << dimension;
    }
  }
}

TEST(NearestNeighborsFloatSpace, BringsCosineVectorsToLengthOne) {
  const VectorSet set = testing::vectors_of(2, {3, 4, 0, 0, 0x1p-70F, 0, 0x3p100F, 0x4p100F}, {0, -5, 0, 0});
  const FloatSpace space({&set, datasets::Metric::cosine, 1});
  EXPECT_EQ(space.form(), Form::inner_product);
  EXPECT_EQ(std::vector<float>(space.point(0), space.point(4)),
            (std::vector<float>{0.6F, 0.8F, 0, 0, 1, 0, 0.6F, 0.8F}));
  EXPECT_EQ(std::vector<float>(space.query(0), space.query(2)), (std::vector<float>{0, -1, 0, 0}));
}

TEST(NearestNeighborsFloatSpace, LeavesOtherVectorsAlone) {
  const VectorSet set = testing::vectors_of(2, {3, 4, 0, 0}, {0, -5});
  for (const auto& [metric, form] : {std::pair(datasets::Metric::euclidean, Form::squared_difference),
                                     std::pair(datasets::Metric::inner_product, Form::inner_product)}) {
    const FloatSpace space({&set, metric, 1});
    EXPECT_EQ(space.form(), form);
    EXPECT_EQ(space.points().values, set.points.data());
    EXPECT_EQ(space.queries().values, set.queries.data());
    EXPECT_EQ(space.points().count, 2);
    EXPECT_EQ(space.queries().count, 1);
  }
}

TEST(NearestNeighborsFloatSpace, KeysOrderAsDistancesDo) {
  const VectorSet set = testing::clustered(60, 10, 9, kSeed);
  const std::vector<std::uint32_t> identity;
  for (const datasets::Metric metric : testing::kMetrics) {
    const NearestNeighbors::Input input{&set, metric, 60};
    const FloatSpace space(input);
    const NearestNeighbors::Reference sorted = testing::sorted_by_distance(input);
    for (std::int64_t q = 0; q < 10; ++q) {
      const KeysFrom key(space, space.query(q), identity);
      for (std::size_t i = 1; i < 60; ++i) {
        const std::size_t at = static_cast<std::size_t>(q) * 60 + i;
        EXPECT_LE(key(sorted.neighbors[at - 1]), key(sorted.neighbors[at]) + 1e-5F) << to_string(metric);
      }
    }
  }
}

TEST(NearestNeighborsFloatSpace, KeysGoThroughTheMapOfVertices) {
  const VectorSet set = testing::vectors_of(1, {10, 20, 30}, {10});
  const FloatSpace space({&set, datasets::Metric::euclidean, 1});
  const std::vector<std::uint32_t> point_of = {2, 0, 1};
  const KeysFrom key(space, space.query(0), point_of);
  EXPECT_EQ(key(0), 400);
  EXPECT_EQ(key(1), 0);
  EXPECT_EQ(key(2), 100);
}

TEST(NearestNeighborsTopK, KeepsTheFirstOfASort) {
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const std::size_t offered = random() % 60;
    const std::size_t k = random() % 20;
    std::vector<std::pair<float, std::uint32_t>> all;
    TopK best(static_cast<std::int64_t>(k));
    for (std::uint32_t id = 0; id < offered; ++id) {
      all.emplace_back(static_cast<float>(random() % 8), id);  // many ties
    }
    std::ranges::shuffle(all, random);
    for (int again = 0; again < 2; ++again) {
      best.clear();
      for (const auto& [distance, id] : all) best.offer(distance, id);
      std::vector<std::pair<float, std::uint32_t>> found;
      for (const auto& [distance, id] : best.sorted()) found.emplace_back(distance, id);
      auto sorted = all;
      std::ranges::sort(sorted);
      sorted.resize(std::min(k, offered));
      ASSERT_EQ(found, sorted) << "round " << round << " of seed " << kSeed;
    }
  }
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
