// Ratings as the Netflix Prize published them (mv_*.txt, and the same one after another):
//
//   1:                        a movie; the lines up to the next movie are its ratings
//   1488844,3,2005-09-06      customer, rating, day; the day is checked for its form and dropped
//
// Customers are the users, movies the items. A movie may have no ratings.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `netflix`. O(bytes / threads), and O(ratings log ratings) to compact ids.
[[nodiscard]] Content parse_netflix(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
