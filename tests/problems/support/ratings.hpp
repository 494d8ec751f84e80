// Ratings for the tests of matrix_factorization: small ones that are awkward, and random ones of a known rank by seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "problems/matrix_factorization/problem.hpp"

namespace warpbench::testing {

using datasets::RatingList;
using datasets::Ratings;

struct OneRating {
  std::uint32_t user;
  std::uint32_t item;
  float value;
};

inline RatingList list_of(const std::vector<OneRating>& ratings) {
  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> items;
  std::vector<float> values;
  for (const OneRating& rating : ratings) {
    users.push_back(rating.user);
    items.push_back(rating.item);
    values.push_back(rating.value);
  }
  return {std::move(users), std::move(items), std::move(values)};
}

inline Ratings ratings_of(std::uint64_t users, std::uint64_t items, const std::vector<OneRating>& train,
                          const std::vector<OneRating>& test) {
  return {std::vector<std::uint64_t>{users, items}, list_of(train), list_of(test)};
}

/// `count` ratings of random users and items for training and a fifth as many for testing, around 3: the product of
/// `rank` factors of each, and noise of deviation `noise`.
inline Ratings planted(std::uint32_t users, std::uint32_t items, std::size_t count, std::uint64_t seed,
                       std::size_t rank = 3, float noise = 0.1F) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto factors = [&](std::size_t rows) {
    std::vector<float> all(rows * rank);
    for (float& x : all) x = 0.7F * normal(random);
    return all;
  };
  const std::vector<float> p = factors(users);
  const std::vector<float> q = factors(items);
  const auto some = [&](std::size_t ratings) {
    std::vector<OneRating> list;
    for (std::size_t i = 0; i < ratings; ++i) {
      const auto user = static_cast<std::uint32_t>(random() % users);
      const auto item = static_cast<std::uint32_t>(random() % items);
      const float product = std::inner_product(&p[user * rank], &p[user * rank] + rank, &q[item * rank], 0.0F);
      list.push_back({user, item, 3 + product + noise * normal(random)});
    }
    return list;
  };
  const std::vector<OneRating> train = some(count);
  return ratings_of(users, items, train, some(count / 5));
}

struct NamedRatings {
  std::string name;
  Ratings ratings;
};

inline std::vector<NamedRatings> awkward_ratings() {
  std::vector<NamedRatings> all;
  all.push_back({"one rating", ratings_of(1, 1, {{0, 0, 4}}, {{0, 0, 3}})});
  all.push_back({"one rating of many users and items", ratings_of(40, 30, {{17, 5, 4}}, {{17, 5, 3}, {1, 2, 5}})});
  all.push_back({"one pair rated often", ratings_of(2, 2, std::vector<OneRating>(50, {1, 1, 3}), {{1, 1, 3}})});
  all.push_back({"ratings of 0", ratings_of(3, 2, {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}}, {{0, 1, 0}})});
  all.push_back({"negative ratings", ratings_of(3, 2, {{0, 0, -4}, {1, 1, -2}, {2, 0, -3}}, {{0, 1, -3}})});
  all.push_back({"one user", planted(1, 50, 100, 1)});
  all.push_back({"one item", planted(50, 1, 100, 2)});
  all.push_back({"users and items without ratings", planted(5, 5, 60, 3)});
  all.back().ratings.shape = std::vector<std::uint64_t>{90, 70};
  return all;
}

}  // namespace warpbench::testing
