// What solvers on the CPU share: the grid of ratings, rows of factors, and the vectorized update against double
// precision.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "tests/problems/support/ratings.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20232;

using testing::planted;

GridPlan plan_of(std::int64_t users, std::int64_t items, std::int64_t rows, std::int64_t columns) {
  return {random_places(users, kSeed), random_places(items, kSeed + 1), even_bands(users, rows),
          even_bands(items, columns)};
}

// ---- grid ----

TEST(RatingGrid, CutsRowsEvenly) {
  EXPECT_EQ(even_bands(10, 3), (std::vector<std::int64_t>{0, 3, 6, 10}));
  EXPECT_EQ(even_bands(2, 4), (std::vector<std::int64_t>{0, 0, 1, 1, 2}));
  EXPECT_EQ(even_bands(7, 1), (std::vector<std::int64_t>{0, 7}));
}

TEST(RatingGrid, PlacesArePermutations) {
  std::vector<std::uint32_t> places = random_places(1000, kSeed);
  EXPECT_EQ(places, random_places(1000, kSeed));
  EXPECT_NE(places, random_places(1000, kSeed + 1));
  std::ranges::sort(places);
  EXPECT_EQ(places, same_places(1000));
}

TEST(RatingGrid, HoldsEachRatingOnceInItsBlock) {
  const testing::Ratings ratings = planted(50, 30, 2000, kSeed);
  const GridPlan plan = plan_of(50, 30, 7, 4);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> expected;
  for (std::size_t i = 0; i < ratings.train.values.size(); ++i) {
    expected.emplace_back(plan.user_places[ratings.train.users[i]], plan.item_places[ratings.train.items[i]],
                          ratings.train.values[i]);
  }
  std::ranges::sort(expected);
  for (const RatingOrder order :
       {RatingOrder::file, RatingOrder::user, RatingOrder::random, RatingOrder::user_and_random}) {
    const RatingGrid grid(ratings.train, plan, order, kSeed);
    const std::vector<std::int64_t> counts = grid.counts();
    ASSERT_EQ(counts.size(), 28U);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> found;
    for (std::int64_t row = 0; row < 7; ++row) {
      for (std::int64_t column = 0; column < 4; ++column) {
        const auto block = grid.ratings({row, column});
        EXPECT_EQ(std::ssize(block), counts[static_cast<std::size_t>(row * 4 + column)]);
        for (const Rating& rating : block) {
          EXPECT_TRUE(rating.user >= plan.user_bands[static_cast<std::size_t>(row)] &&
                      rating.user < plan.user_bands[static_cast<std::size_t>(row) + 1]);
          EXPECT_TRUE(rating.item >= plan.item_bands[static_cast<std::size_t>(column)] &&
                      rating.item < plan.item_bands[static_cast<std::size_t>(column) + 1]);
          found.emplace_back(rating.user, rating.item, rating.value);
        }
        if (order == RatingOrder::user) {
          EXPECT_TRUE(std::ranges::is_sorted(block, {}, &Rating::user));
        }
      }
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << "seed " << kSeed;
  }
}

TEST(RatingGrid, KeepsTheOrderOfTheFileOrShufflesBySeed) {
  const testing::Ratings ratings = planted(50, 30, 500, kSeed);
  const GridPlan plan{same_places(50), same_places(30), even_bands(50, 1), even_bands(30, 1)};
  const auto values = [&](RatingOrder order, std::uint64_t seed) {
    const RatingGrid grid(ratings.train, plan, order, seed);
    std::vector<float> all;
    for (const Rating& rating : grid.all()) all.push_back(rating.value);
    return all;
  };
  const std::vector<float> of_file(ratings.train.values.begin(), ratings.train.values.end());
  EXPECT_EQ(values(RatingOrder::file, 1), of_file);
  EXPECT_NE(values(RatingOrder::random, 1), of_file);
  EXPECT_EQ(values(RatingOrder::random, 1), values(RatingOrder::random, 1));
  EXPECT_NE(values(RatingOrder::random, 1), values(RatingOrder::random, 2));
}

TEST(RatingGrid, GroupsABlockByUserAndShufflesAUsersRatings) {
  const testing::Ratings ratings = planted(50, 30, 2000, kSeed);
  const GridPlan plan = plan_of(50, 30, 3, 2);
  const auto users_and_items = [&](RatingOrder order) {
    const RatingGrid grid(ratings.train, plan, order, kSeed);
    std::vector<std::uint32_t> users;
    std::vector<std::uint32_t> items;
    for (const Rating& rating : grid.all()) {
      users.push_back(rating.user);
      items.push_back(rating.item);
    }
    return std::pair(users, items);
  };
  const auto [users, items] = users_and_items(RatingOrder::user);
  const auto [same_users, other_items] = users_and_items(RatingOrder::user_and_random);
  EXPECT_EQ(users, same_users);
  EXPECT_NE(items, other_items) << "seed " << kSeed;
}

TEST(RatingGrid, IsTheSameOnAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  const testing::Ratings ratings = planted(50, 30, 2000, kSeed);
  for (const RatingOrder order :
       {RatingOrder::file, RatingOrder::user, RatingOrder::random, RatingOrder::user_and_random}) {
    for (const std::int64_t bands : {1, 4}) {
      std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> of_one_thread;
      std::vector<std::int64_t> counts_of_one_thread;
      for (const int count : {1, 2, 7}) {
        omp_set_num_threads(count);
        const RatingGrid grid(ratings.train, plan_of(50, 30, bands, bands), order, kSeed);
        std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> all;
        for (const Rating& rating : grid.all()) all.emplace_back(rating.user, rating.item, rating.value);
        if (count == 1) {
          of_one_thread = all;
          counts_of_one_thread = grid.counts();
        }
        EXPECT_EQ(all, of_one_thread) << count << " threads, seed " << kSeed;
        EXPECT_EQ(grid.counts(), counts_of_one_thread) << count << " threads, seed " << kSeed;
      }
    }
  }
  omp_set_num_threads(threads);
}

TEST(RatingGrid, TakesFewerRatingsThanBlocks) {
  const testing::Ratings ratings = testing::ratings_of(3, 2, {{2, 1, 5}}, {});
  const RatingGrid grid(ratings.train, plan_of(3, 2, 6, 6), RatingOrder::user, kSeed);
  const std::vector<std::int64_t> counts = grid.counts();
  EXPECT_EQ(std::ranges::count(counts, 1), 1);
  EXPECT_EQ(std::ranges::count(counts, 0), 35);
}

// ---- rows of factors ----

TEST(FactorRows, KeepsRowsOfFactorsAtTheirPlaces) {
  const testing::Ratings ratings = planted(20, 10, 100, kSeed);
  MatrixFactorization::Input input;
  input.ratings = &ratings;
  input.mean = 3;
  for (const std::int64_t k : {1, 15, 16, 17, 128}) {
    input.k = k;
    const std::vector<std::uint32_t> places = random_places(20, kSeed);
    FactorRows rows(20, k);
    rows.begin(input, 1, places);
    EXPECT_EQ(rows.stride() % 16, 0);
    EXPECT_TRUE(rows.stride() >= k && rows.stride() < k + 16);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.all().data()) % 64, 0U);
    std::vector<float> copied(static_cast<std::size_t>(20 * k));
    rows.copy_to(copied, places);
    for (std::size_t i = 0; i < copied.size(); ++i) ASSERT_EQ(copied[i], initial_factor(input, 1, i)) << "k " << k;
    EXPECT_EQ(rows.all()[places[3] * static_cast<std::size_t>(rows.stride())],
              initial_factor(input, 1, static_cast<std::uint64_t>(3 * k)));
    EXPECT_EQ(std::ranges::count(rows.all(), 0.0F), 20 * (rows.stride() - k)) << "filled up with zeros";
  }
}

// ---- update ----

/// The rule in double precision, on rows of `stride`.
void update_in_double(std::span<const Rating> ratings, std::vector<double>& p, std::vector<double>& q,
                      std::size_t stride, const UpdateRule& rule) {
  for (const Rating& rating : ratings) {
    double* const row = &p[rating.user * stride];
    double* const column = &q[rating.item * stride];
    double e = static_cast<double>(rating.value);
    for (std::size_t f = 0; f < stride; ++f) e -= row[f] * column[f];
    for (std::size_t f = 0; f < stride; ++f) {
      const double old = row[f];
      row[f] += static_cast<double>(rule.gamma) * (e * column[f] - static_cast<double>(rule.lambda_p) * old);
      column[f] += static_cast<double>(rule.gamma) * (e * old - static_cast<double>(rule.lambda_q) * column[f]);
    }
  }
}

/// In random order and by user, whose row may then stay in registers from one rating to the next.
class CpuUpdate : public ::testing::TestWithParam<RatingOrder> {};

TEST_P(CpuUpdate, FollowsTheRuleWithAllVectorInstructions) {
  const testing::Ratings ratings = planted(12, 9, 300, kSeed);
  const GridPlan plan = plan_of(12, 9, 1, 1);
  const RatingGrid grid(ratings.train, plan, GetParam(), kSeed);
  const UpdateRule rule{0.03F, 0.05F, 0.2F};
  MatrixFactorization::Input input;
  input.ratings = &ratings;
  input.mean = 3;
  std::vector<Simd> all = supported_simd();
  all.push_back(kNoSimd);
  for (const Simd simd : all) {
    for (const std::int64_t k : {1, 3, 16, 40, 64, 100, 128, 200}) {
      input.k = k;
      FactorRows p(12, k);
      FactorRows q(9, k);
      p.begin(input, 0, plan.user_places);
      q.begin(input, 1, plan.item_places);
      std::vector<double> expected_p(p.all().begin(), p.all().end());
      std::vector<double> expected_q(q.all().begin(), q.all().end());
      const FactorView factors{p.all().data(), q.all().data(), p.stride()};
      update_function(simd)({}, factors, rule);
      update_function(simd)(grid.all(), factors, rule);
      update_in_double(grid.all(), expected_p, expected_q, static_cast<std::size_t>(p.stride()), rule);
      for (std::size_t i = 0; i < expected_p.size(); ++i) {
        ASSERT_NEAR(p.all()[i], expected_p[i], 2e-4) << to_string(simd) << ", k " << k;
      }
      for (std::size_t i = 0; i < expected_q.size(); ++i) {
        ASSERT_NEAR(q.all()[i], expected_q[i], 2e-4) << to_string(simd) << ", k " << k;
      }
      EXPECT_GE(std::ranges::count(p.all(), 0.0F), 12 * (p.stride() - k)) << "zeros beyond k stay zeros";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, CpuUpdate, ::testing::Values(RatingOrder::random, RatingOrder::user));

}  // namespace
}  // namespace warpbench::matrix_factorization
