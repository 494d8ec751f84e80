// Ratings as GroupLens publishes MovieLens, in three forms that the first line tells apart:
//
//   1::122::5::838985046                  ratings.dat
//   1,122,5.0,838985046                   ratings.csv, after the line userId,movieId,rating,timestamp
//   1<tab>122<tab>5<tab>838985046         u.data
//
// A line is a user, an item, a rating and the time of the rating, which is checked and dropped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `movielens`. O(bytes / threads), and O(ratings log ratings) to compact ids.
[[nodiscard]] Content parse_movielens(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
