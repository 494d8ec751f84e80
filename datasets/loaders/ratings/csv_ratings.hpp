// Ratings as delimited text with any columns, of which three are read:
//
//   user;book;stars;day       a rating a line, between commas, semicolons, tabs or blanks
//   276725;34;5;2004-01-02
//
// Options `user`, `item` and `rating` choose the columns. A table of three columns needs no choice; one of more is
// refused without. Ids are whole numbers.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

[[nodiscard]] std::vector<OptionDeclaration> csv_ratings_options();

/// Format `csv_ratings`. O(bytes / threads).
[[nodiscard]] Content parse_csv_ratings(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
