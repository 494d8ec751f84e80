// The division of HSGD*: as many bands as in the document, of as many ratings, with the GPUs' share.
#include "solvers/matrix_factorization/division.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace warpbench::matrix_factorization {
namespace {

using Counts = std::vector<std::int64_t>;

/// Example 5 of yu2023, and its default setting.
TEST(Division, HasTheBandsOfTheDocument) {
  const Division example{4, 2};
  EXPECT_EQ(example.columns(), 9);
  EXPECT_EQ(example.cpu_rows(), 6);
  EXPECT_EQ(example.gpu_rows(), 2 * 3);
  EXPECT_EQ(example.sub_rows(), 3);
  const Division usual{16, 1};
  EXPECT_EQ(usual.columns(), 19);
  EXPECT_EQ(usual.cpu_rows(), 17);
  EXPECT_EQ(usual.gpu_rows(), 17);
  EXPECT_EQ(Division(5, 3).sub_rows(), 3) << "8 / 3, rounded up";
}

TEST(Division, CutsBandsOfAsManyRatings) {
  EXPECT_EQ(weighted_bands(Counts{1, 1, 1, 1, 1, 1}, 3), (Counts{0, 2, 4, 6}));
  EXPECT_EQ(weighted_bands(Counts{3, 1, 1, 1}, 2), (Counts{0, 1, 4}));
  EXPECT_EQ(weighted_bands(Counts{0, 0, 8, 0}, 2), (Counts{0, 3, 4})) << "a row is never cut";
  EXPECT_EQ(weighted_bands(Counts{}, 2), (Counts{0, 0, 0}));
  EXPECT_EQ(weighted_bands(Counts{5}, 3), (Counts{0, 0, 1, 1}));
}

TEST(Division, GivesGpusTheirShareOfTheRatings) {
  const Division division{2, 1};  // 3 sub-rows, 3 rows
  const Counts ratings(30, 10);
  EXPECT_EQ(divided_users(ratings, division, 0.4), (Counts{0, 4, 8, 12, 18, 24, 30}));
  EXPECT_EQ(divided_users(ratings, division, 0), (Counts{0, 0, 0, 0, 10, 20, 30}));
  EXPECT_EQ(divided_users(ratings, division, 1), (Counts{0, 10, 20, 30, 30, 30, 30}));
  EXPECT_EQ(divided_users(Counts{100, 1, 1, 1}, division, 0.3), (Counts{0, 0, 0, 0, 0, 1, 4})) << "nearest whole rows";
}

TEST(Division, HasNoMoreBandsAndBlocksThanThereAreRows) {
  const auto fitted = [](const Division& wanted, std::int64_t users, std::int64_t items, std::int64_t ratings) {
    const Division division = fitting(wanted, users, items, ratings);
    return std::array{division.threads, division.cpu_factor};
  };
  using Fitted = std::array<std::int64_t, 2>;
  EXPECT_EQ(fitted({16, 1, 4}, 10'000, 10'000, 1'000'000), (Fitted{16, 4}));
  EXPECT_EQ(fitted({16, 1, 4}, 17 * 4, 10'000, 1'000'000), (Fitted{16, 3})) << "17 rows for the GPU, 51 for threads";
  EXPECT_EQ(fitted({600, 1, 16}, 600, 10'000, 1'000'000), (Fitted{299, 1})) << "300 rows each";
  EXPECT_EQ(fitted({600, 1, 16}, 10'000, 100, 1'000'000), (Fitted{97, 1})) << "100 columns";
  EXPECT_EQ(fitted({600, 1, 16}, 10'000, 10'000, 2 * 11 * 13), (Fitted{10, 1})) << "22 rows, 13 columns";
  EXPECT_EQ(fitted({600, 1, 16}, 1, 1, 1), (Fitted{1, 1}));
}

TEST(Division, CountsRatingsByPlace) {
  const std::array<std::uint32_t, 4> users{2, 0, 2, 1};
  const std::array<std::uint32_t, 3> places{1, 2, 0};
  EXPECT_EQ(ratings_of_places(users, places), (Counts{2, 1, 1}));
}

}  // namespace
}  // namespace warpbench::matrix_factorization
