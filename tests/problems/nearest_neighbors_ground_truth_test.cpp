// The reference of nearest_neighbors in all shapes of its tiles, and the sample of it that is searched again: a
// neighbour that it misses is noticed.
#include "problems/nearest_neighbors/ground_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "problems/nearest_neighbors/distance.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using datasets::Metric;
using datasets::VectorSet;
using testing::kMetrics;
using Input = NearestNeighbors::Input;
using Reference = NearestNeighbors::Reference;

constexpr std::uint64_t kSeed = 20261121;

TEST(GroundTruth, IsAFullSortInAllShapesOfTiles) {
  for (const std::size_t points : {1, 15, 16, 17, 32, 33, 65}) {
    for (const std::size_t queries : {1, 2, 3, 64, 65, 700}) {
      const VectorSet set = testing::clustered(points, queries, 3, kSeed);
      for (const Metric metric : kMetrics) {
        const Input input{&set, metric, 5};
        const Reference expected = testing::sorted_by_distance(input);
        const Reference found = ground_truth(input);
        EXPECT_EQ(found.neighbors, expected.neighbors) << points << " x " << queries << ", " << to_string(metric);
        EXPECT_EQ(found.distances, expected.distances) << points << " x " << queries << ", " << to_string(metric);
      }
    }
  }
}

VectorSet times(VectorSet set, float factor) {
  const auto scaled = [factor](const datasets::Array<float>& values) {
    std::vector<float> result(values.begin(), values.end());
    for (float& x : result) x *= factor;
    return result;
  };
  set.points = scaled(set.points);
  set.queries = scaled(set.queries);
  return set;
}

/// Sums in float pass over most points, but never over a near one, however far their rounding goes.
TEST(GroundTruth, IsThatOfDoublesWhereFloatsAreInexact) {
  // Seen from 0, lengths that differ by less than a float tells, in no order.
  constexpr std::uint32_t kDimension = 100;
  std::vector<float> points = testing::around_centres(900, kDimension, 1, 1, kSeed, 3);
  for (std::size_t p = 0; p < points.size(); p += kDimension) {
    const std::span<float> row(&points[p], kDimension);
    const double length = std::sqrt(inner_product(row, row));
    for (float& x : row) x = static_cast<float>(x / length);
  }
  const VectorSet sphere =
      testing::vectors_of(kDimension, points, std::vector<float>(std::size_t{3} * kDimension, 0.0F));
  const VectorSet clusters = testing::clustered(900, 3, kDimension, kSeed);
  for (const VectorSet& set : {sphere, clusters}) {
    // Squares beyond floats on either side, and in between.
    for (const float factor : {1e-30F, 1e-20F, 1.0F, 1e18F, 1e25F}) {
      const VectorSet scaled = times(set, factor);
      const Input input{&scaled, Metric::euclidean, 10};
      EXPECT_EQ(ground_truth(input).neighbors, testing::sorted_by_distance(input).neighbors) << factor;
    }
  }
}

/// Memory of this size lies at 16 bytes beside a page's begin, where instructions that ask for 32 would fail.
TEST(GroundTruth, TakesTilesAtAnyAddress) {
  const VectorSet set = testing::clustered(20, 3, 1100, kSeed);
  for (const Metric metric : kMetrics) {
    const Input input{&set, metric, 5};
    EXPECT_EQ(ground_truth(input).neighbors, testing::sorted_by_distance(input).neighbors) << to_string(metric);
  }
}

/// It costs the trial; an exception that left a parallel region would end the process.
TEST(GroundTruth, ThrowsWhereTheHostHasNoMemory) {
  const VectorSet set = testing::clustered(33, 9, 3, kSeed);
  const Input input{&set, Metric::cosine, 5};
  const Reference right = ground_truth(input);
  EXPECT_GT(testing::fail_each_allocation([&] { EXPECT_EQ(ground_truth(input).neighbors, right.neighbors); }), 10);
  std::vector<std::uint32_t> ids = right.neighbors;
  EXPECT_GT(testing::fail_each_allocation(
                [&] { EXPECT_EQ(NearestNeighbors::judge(input, {ids}, right).verdict, Verdict::exact); }),
            10);
}

/// `reference` with the nearest neighbour of `query` missing.
Reference without_the_nearest_of(const Input& input, std::int64_t query, const Reference& reference) {
  Input wider = input;
  wider.k = input.k + 1;
  const Reference more = testing::sorted_by_distance(wider);
  const std::int64_t width = input.k;
  Reference spoilt = reference;
  std::copy_n(more.distances.begin() + query * wider.k + 1, width, spoilt.distances.begin() + query * width);
  std::copy_n(more.neighbors.begin() + query * wider.k + 1, width, spoilt.neighbors.begin() + query * width);
  return spoilt;
}

TEST(GroundTruth, IsSearchedAgainForRandomQueriesAndTheLast) {
  const VectorSet set = testing::clustered(100, 20, 8, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const Reference right = ground_truth(input);
  constexpr int kSeeds = 12;
  const auto notices = [&](std::int64_t query, int seed) {
    try {
      check_sample(input, without_the_nearest_of(input, query, right), static_cast<std::uint64_t>(seed));
    } catch (const std::logic_error& error) {
      EXPECT_EQ(error.what(), "the reference of nearest_neighbors misses neighbours of query " + std::to_string(query) +
                                  " (of a sample by seed " + std::to_string(seed) + ")");
      return true;
    }
    return false;
  };
  for (std::int64_t query = 0; query < 20; ++query) {
    int times = 0;
    for (int seed = 0; seed < kSeeds; ++seed) times += notices(query, seed) ? 1 : 0;
    EXPECT_GT(times, 0) << "query " << query << " is in no sample";
    EXPECT_EQ(times == kSeeds, query == 19) << "query " << query << " is in " << times << " samples";
  }
  for (int seed = 0; seed < kSeeds; ++seed)
    EXPECT_NO_THROW(check_sample(input, right, static_cast<std::uint64_t>(seed)));
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
