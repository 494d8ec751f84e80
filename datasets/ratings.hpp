// Ratings: a sparse matrix of users' ratings of items, the input of matrix_factorization (yu2023 §3.1). Split into
// training ratings, from which factors are learnt, and test ratings, by which they are judged.
#pragma once

#include <cstdint>
#include <limits>

#include "datasets/array.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

/// The maximum number of users, and of items: their ids are 32 bits wide, and 2^32 - 1 is left as "none".
inline constexpr std::int64_t kMaxRatingIds = std::numeric_limits<std::uint32_t>::max();

/// Coordinates: rating i is values[i], given by users[i] to items[i]. In the order of the file; a pair of user and item
/// may occur more than once.
struct RatingList {
  Array<std::uint32_t> users;
  Array<std::uint32_t> items;
  Array<float> values;

  [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(values.size()); }

  friend bool operator==(const RatingList&, const RatingList&) = default;
};

struct Ratings {
  static constexpr Kind kKind = Kind::Ratings;

  Array<std::uint64_t> shape;  // users, items
  RatingList train;
  RatingList test;

  /// Rows m of the matrix; some may have no ratings.
  [[nodiscard]] std::int64_t users() const noexcept { return shape.empty() ? 0 : static_cast<std::int64_t>(shape[0]); }
  /// Columns n of the matrix.
  [[nodiscard]] std::int64_t items() const noexcept {
    return shape.size() < 2 ? 0 : static_cast<std::int64_t>(shape[1]);
  }
  /// The mean of the training ratings, 0 if there are none. The same on any number of threads. O(training ratings).
  [[nodiscard]] double mean() const;

  /// Checks that there are two sizes of at most kMaxRatingIds, that each list's arrays have one length, that ids are
  /// below the sizes, and that values are finite. Throws InputError("ratings", …) that names the rating. O(ratings).
  void validate() const;

  /// users, items, train_ratings, test_ratings; mean, smallest and largest of the training ratings; mean_rmse (the test
  /// RMSE of predicting the mean), idle_users and idle_items (without training ratings), top_users_share and
  /// top_items_share: of the training ratings, those of the 1 % users or items that have most.
  /// O(ratings + users + items).
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    visit("shape", self.shape);
    visit("train_users", self.train.users);
    visit("train_items", self.train.items);
    visit("train_values", self.train.values);
    visit("test_users", self.test.users);
    visit("test_items", self.test.items);
    visit("test_values", self.test.values);
  }

  friend bool operator==(const Ratings&, const Ratings&) = default;
};

}  // namespace warpbench::datasets
