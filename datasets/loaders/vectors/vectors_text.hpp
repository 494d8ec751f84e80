// Vectors as plain text: a point a line, its coordinates separated by blanks, tabs or commas, no header.
//
// Some collections append the object's id (NGT's samples): `last_column: drop` leaves the last column out.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `vectors_text`. The first line says the dimension, every other must agree. O(bytes).
[[nodiscard]] Content parse_vectors_text(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
