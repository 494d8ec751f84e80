// Vectors as plain text: one point per line, its coordinates separated by blanks, tabs or commas, no header.
//
// Some collections append the object's id (NGT's samples), or begin with it: `last_column: drop` and
// `first_column: drop` drop it. One of these columns that numbers the points is refused until its option says what it
// is.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `vectors_text`. The first line sets the dimension; all others must have the same. O(bytes).
[[nodiscard]] Content parse_vectors_text(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
