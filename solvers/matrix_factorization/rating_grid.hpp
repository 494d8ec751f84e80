// The training ratings, cut into a grid of blocks: a band of users by a band of items each, the ratings of a block one
// after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/ratings.hpp"
#include "solvers/matrix_factorization/block_scheduler.hpp"

namespace warpbench::matrix_factorization {

/// A rating, by the rows of P and Q that it updates.
struct Rating {
  std::uint32_t user = 0;
  std::uint32_t item = 0;
  float value = 0;
};

/// The numbers 0 to count - 1, in an order that `seed` decides. count <= kMaxRatingIds. O(count).
[[nodiscard]] std::vector<std::uint32_t> random_places(std::int64_t count, std::uint64_t seed);
/// The same in their own order.
[[nodiscard]] std::vector<std::uint32_t> same_places(std::int64_t count);

/// Where the bands begin that cut `count` rows into `bands` parts which differ by one row at most, and `count`: bands +
/// 1 numbers. Bands are empty where there are fewer rows.
[[nodiscard]] std::vector<std::int64_t> even_bands(std::int64_t count, std::int64_t bands);

/// The rows of P and Q in which users and items are kept, and where the bands of these rows begin (as even_bands()).
struct GridPlan {
  std::vector<std::uint32_t> user_places;
  std::vector<std::uint32_t> item_places;
  std::vector<std::int64_t> user_bands;
  std::vector<std::int64_t> item_bands;
};

/// The order of a block's ratings: that of the file, by user and item, one that a seed decides, or by user and a user's
/// as a seed decides.
enum class RatingOrder { file, user, random, user_and_random };

class RatingGrid {
 public:
  RatingGrid() = default;
  /// The same on any number of threads. O(ratings / threads + users + items + blocks × threads); to order blocks by
  /// user and item, O(ratings log(ratings of a block) / threads).
  RatingGrid(const datasets::RatingList& list, const GridPlan& plan, RatingOrder order, std::uint64_t seed);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  /// The ratings of each block, row by row.
  [[nodiscard]] std::vector<std::int64_t> counts() const;
  [[nodiscard]] std::span<const Rating> ratings(Block block) const;
  [[nodiscard]] std::span<const Rating> all() const { return ratings_; }

 private:
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<std::int64_t> offsets_;  // of blocks in ratings_
  std::vector<Rating> ratings_;
};

}  // namespace warpbench::matrix_factorization
