// Ratings that a factorization can learn: each user and each item has `rank` random factors, and a rating is the middle
// of the range plus the product of the two rows plus noise.
//
// Popularity falls by the law of Zipf and Mandelbrot on both sides: the user, or item, of rank i = 0, 1, … has a share
// of the ratings in proportion to (i + 1 + shift)^-exponent; ranks are in random order. A user rates at most half of
// the rated items, rounded up, and none twice, so that no test rating is a training rating, too. All ratings are in
// random order, the first ones for training.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// users, items, train_ratings, test_ratings, rank, noise, low, high, step, user_exponent, item_exponent, user_shift,
/// item_shift, rated_items, scale.
[[nodiscard]] std::vector<ParameterDeclaration> planted_ratings_parameters();

/// Ratings have a standard deviation of a fifth of the range before they are cut to it. `noise` is the noise's standard
/// deviation over that of the product: by default no prediction's RMSE can be below about half of that of the mean.
/// O(ratings × rank / threads + users). Throws InputError if there are more ratings than half of all pairs.
[[nodiscard]] Content generate_planted_ratings(const Properties& resolved, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
