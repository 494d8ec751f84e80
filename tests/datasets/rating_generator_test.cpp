// planted_ratings: its counts, its popularity, and that a factorization can learn what was planted.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/generators.hpp"
#include "datasets/ratings.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

Ratings planted(Properties parameters, std::uint64_t seed = 1, int threads = 2) {
  parameters.insert({{"users", 3'000}, {"items", 1'000}, {"train_ratings", 90'000}, {"test_ratings", 10'000}});
  const Content content = generate("planted_ratings", parameters, seed, threads);
  validate(content.data);
  return std::get<Ratings>(content.data);
}

// If the digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(PlantedRatings, DependOnTheSeedAndNotOnThreadsOrMachine) {
  const std::string digest = "3b0195d268ce6172f58bd421c710918a";
  EXPECT_EQ(digest_of(planted({}, 7, 1)), digest);
  EXPECT_EQ(digest_of(planted({}, 7, 4)), digest);
  EXPECT_NE(digest_of(planted({}, 8, 2)), digest);
}

TEST(PlantedRatings, HaveTheirCountsAndNoPairTwice) {
  const Ratings ratings = planted({});
  EXPECT_EQ(ratings.users(), 3'000);
  EXPECT_EQ(ratings.items(), 1'000);
  EXPECT_EQ(ratings.train.count(), 90'000);
  EXPECT_EQ(ratings.test.count(), 10'000);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const RatingList* list : {&ratings.train, &ratings.test}) {
    for (std::size_t i = 0; i < list->values.size(); ++i) pairs.emplace(list->users[i], list->items[i]);
    EXPECT_FALSE(std::ranges::is_sorted(list->users)) << "random order";
  }
  EXPECT_EQ(pairs.size(), 100'000u);
  EXPECT_EQ(planted({{"test_ratings", 0}}).test.count(), 0);
}

TEST(PlantedRatings, KeepToRangeAndStep) {
  for (const auto& [low, high, step] : {std::array{1.0, 5.0, 1.0}, std::array{0.5, 5.0, 0.5},
                                        std::array{0.0, 10.0, 3.0}, std::array{-100.0, 100.0, 0.0}}) {
    SCOPED_TRACE(high);
    const Ratings ratings = planted({{"low", low}, {"high", high}, {"step", step}});
    const auto [least, most] = std::ranges::minmax(ratings.train.values.span());
    EXPECT_EQ(least, low);
    EXPECT_EQ(most, high == 10 ? 9 : high);
    for (const float value : ratings.train.values) {
      if (step > 0) {
        ASSERT_EQ(std::fmod(value - low, step), 0.0) << value;
      }
    }
    EXPECT_NEAR(ratings.mean(), (low + high) / 2, (high - low) / 20);
    EXPECT_NEAR(std::get<double>(ratings.describe().at("mean_rmse")), (high - low) / 5, (high - low) / 40);
  }
}

TEST(PlantedRatings, PopularityFallsByZipfsLaw) {
  const Properties zipf = planted({{"items", 20'000}}).describe();
  // The sum of i^-0.5 to 30 over that to 3,000; of i^-0.6 to 200 over that to 20,000, less the repeats avoided.
  EXPECT_NEAR(std::get<double>(zipf.at("top_users_share")), 0.089, 0.004);
  EXPECT_NEAR(std::get<double>(zipf.at("top_items_share")), 0.14, 0.015);
  // Zipf's exponent s gives s / (2 - s); chance adds to that where items have but 4.5 ratings each.
  EXPECT_NEAR(std::get<double>(zipf.at("users_gini")), 0.5 / 1.5, 0.01);
  EXPECT_NEAR(std::get<double>(zipf.at("items_gini")), 0.6 / 1.4 + 0.04, 0.02);
  const Properties flat = planted({{"user_exponent", 0.0}, {"item_exponent", 0.0}}).describe();
  EXPECT_LT(std::get<double>(flat.at("top_users_share")), 0.012);
  EXPECT_LT(std::get<double>(flat.at("top_items_share")), 0.015);
}

TEST(PlantedRatings, ShiftsFlattenTheMostPopular) {
  // The sum of (i + 100)^-0.5 to 30 over that to 3,000; of (i + 100)^-0.8 to 200 over that to 20,000.
  const Properties shifted =
      planted({{"items", 20'000}, {"item_exponent", 0.8}, {"user_shift", 100}, {"item_shift", 100}}).describe();
  EXPECT_NEAR(std::get<double>(shifted.at("top_users_share")), 0.030, 0.004);
  EXPECT_NEAR(std::get<double>(shifted.at("top_items_share")), 0.129, 0.005);
  // A scale keeps the shape, so that a shift shrinks with it.
  const Properties large = planted({{"users", 30'000},
                                    {"items", 200'000},
                                    {"item_exponent", 0.8},
                                    {"user_shift", 1'000},
                                    {"item_shift", 1'000},
                                    {"train_ratings", 900'000},
                                    {"test_ratings", 100'000},
                                    {"scale", 0.1}})
                               .describe();
  EXPECT_EQ(large, shifted);
}

TEST(PlantedRatings, LeaveItemsWithoutRatings) {
  const Ratings ratings = planted({{"items", 4'000}, {"rated_items", 500}, {"scale", 0.5}});
  EXPECT_EQ(ratings.items(), 2'000);
  std::set<std::uint32_t> rated;
  for (const RatingList* list : {&ratings.train, &ratings.test}) rated.insert(list->items.begin(), list->items.end());
  EXPECT_EQ(rated.size(), 250u);
  EXPECT_GT(*rated.rbegin(), 1'500u) << "rated items are spread over all ids";
  EXPECT_EQ(digest_of(planted({{"rated_items", 5'000}})), digest_of(planted({}))) << "no more than there are";
}

TEST(PlantedRatings, WithoutNoiseHaveThePlantedRank) {
  // Less the middle, ratings of rank 1 are a user's number times an item's, so that a 2 x 2 minor vanishes.
  const Ratings ratings = planted({{"users", 60},
                                   {"items", 60},
                                   {"train_ratings", 1'500},
                                   {"test_ratings", 100},
                                   {"rank", 1},
                                   {"noise", 0.0},
                                   {"low", -100.0},
                                   {"high", 100.0},
                                   {"step", 0.0}});
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> at;
  for (const RatingList* list : {&ratings.train, &ratings.test}) {
    for (std::size_t i = 0; i < list->values.size(); ++i) {
      if (std::abs(list->values[i]) < 100) at[{list->users[i], list->items[i]}] = list->values[i];
    }
  }
  int minors = 0;
  for (const auto& [pair, a] : at) {
    for (const auto& [other, d] : at) {
      const auto b = at.find({pair.first, other.second});
      const auto c = at.find({other.first, pair.second});
      if (pair.first >= other.first || pair.second == other.second || b == at.end() || c == at.end()) continue;
      ASSERT_NEAR(a * d, b->second * c->second, 0.01);
      ++minors;
    }
  }
  EXPECT_GT(minors, 1'000);
}

/// The test RMSE after some epochs of SGD on rows of `k` factors beside the mean.
double rmse_of_sgd(const Ratings& ratings, std::size_t k) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> start(0.0F, 0.3F);
  std::vector<float> p(static_cast<std::size_t>(ratings.users()) * k);
  std::vector<float> q(static_cast<std::size_t>(ratings.items()) * k);
  for (auto* factors : {&p, &q}) std::ranges::generate(*factors, [&] { return start(random); });
  const auto mean = static_cast<float>(ratings.mean());
  const auto predict = [&](std::uint32_t user, std::uint32_t item) {
    float sum = mean;
    for (std::size_t f = 0; f < k; ++f) sum += p[user * k + f] * q[item * k + f];
    return sum;
  };
  for (int epoch = 0; epoch < 60; ++epoch) {
    for (std::size_t i = 0; i < ratings.train.values.size(); ++i) {
      const std::uint32_t user = ratings.train.users[i];
      const std::uint32_t item = ratings.train.items[i];
      const float error = ratings.train.values[i] - predict(user, item);
      for (std::size_t f = 0; f < k; ++f) {
        const float old = p[user * k + f];
        p[user * k + f] += 0.02F * (error * q[item * k + f] - 0.05F * old);
        q[item * k + f] += 0.02F * (error * old - 0.05F * q[item * k + f]);
      }
    }
  }
  double squares = 0;
  for (std::size_t i = 0; i < ratings.test.values.size(); ++i) {
    const double error = ratings.test.values[i] - predict(ratings.test.users[i], ratings.test.items[i]);
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(ratings.test.count()));
}

TEST(PlantedRatings, CanBeLearnt) {
  const Ratings ratings = planted({{"users", 1'000}, {"items", 500}, {"rank", 4}});
  const double of_mean = std::get<double>(ratings.describe().at("mean_rmse"));
  EXPECT_LT(rmse_of_sgd(ratings, 4), 0.75 * of_mean);
  const Ratings noise = planted({{"users", 1'000}, {"items", 500}, {"rank", 4}, {"noise", 20.0}});
  EXPECT_GT(rmse_of_sgd(noise, 4), 0.95 * std::get<double>(noise.describe().at("mean_rmse")));
}

TEST(PlantedRatings, ScaleShrinksBothSidesAndTheRatings) {
  const Ratings ratings = planted({{"scale", 0.1}, {"train_ratings", 20'000}, {"test_ratings", 2'000}});
  EXPECT_EQ(ratings.users(), 300);
  EXPECT_EQ(ratings.items(), 100);
  EXPECT_EQ(ratings.train.count(), 2'000);
  EXPECT_EQ(ratings.test.count(), 200);
}

TEST(PlantedRatings, FillTheLastPairs) {
  // Every user rates half of the items, so that popular ones are drawn again and again.
  const Ratings ratings = planted({{"users", 50},
                                   {"items", 80},
                                   {"train_ratings", 1'900},
                                   {"test_ratings", 100},
                                   {"item_exponent", 8.0},
                                   {"user_exponent", 8.0}});
  EXPECT_EQ(ratings.train.count() + ratings.test.count(), 2'000);
  EXPECT_EQ(planted({{"users", 1}, {"items", 1}, {"train_ratings", 1}, {"test_ratings", 0}}).train.count(), 1);
}

TEST(PlantedRatings, RefuseWhatCannotBeMade) {
  const auto fails = [](Properties parameters) {
    parameters.insert({{"users", 10}, {"items", 10}, {"train_ratings", 40}, {"test_ratings", 0}});
    const auto error = error_of([&] { return generate("planted_ratings", parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails({{"train_ratings", 51}}),
            "planted_ratings: expected ratings for at most half of all pairs of 10 users and 10 rated items, found 51");
  EXPECT_EQ(fails({{"train_ratings", 31}, {"rated_items", 5}}),
            "planted_ratings: expected ratings for at most half of all pairs of 10 users and 5 rated items, found 31");
  EXPECT_EQ(fails({{"scale", 0.01}}),
            "planted_ratings: expected 1 to 4294967295 users and items after scaling, found 0 and 0");
  EXPECT_EQ(fails({{"train_ratings", 1}, {"scale", 0.4}}),
            "planted_ratings: expected at least one training rating after scaling, found 0");
  EXPECT_EQ(fails({{"low", 5.0}}), "planted_ratings: expected a high above low: 5, found 5");
}

}  // namespace
}  // namespace warpbench::datasets::testing
