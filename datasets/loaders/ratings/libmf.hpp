// Ratings as LIBMF and most programs for matrix factorization read them:
//
//   0 1505 3.5      row (user), column (item), value, separated by blanks or tabs
//
// With `header: counts` a first line `rows columns entries` declares the shape; ids beyond it are refused, and so is a
// file with another number of entries.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `libmf`. O(bytes / threads), and O(ratings log ratings) to compact ids.
[[nodiscard]] Content parse_libmf(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
