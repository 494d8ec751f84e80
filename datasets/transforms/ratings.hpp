// The transform of ratings.
#pragma once

#include <cstdint>

#include "datasets/ratings.hpp"

namespace warpbench::datasets {

/// Moves a random `share` of the training ratings, rounded to a whole number, to the test ratings; both stay in order.
/// Throws InputError if there are test ratings already, or if none would be left to train or to test.
/// O(ratings) time.
[[nodiscard]] Ratings hold_out_ratings(const Ratings& ratings, double share, std::uint64_t seed);

}  // namespace warpbench::datasets
