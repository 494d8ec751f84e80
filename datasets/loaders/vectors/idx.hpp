// IDX, the format of MNIST: two zero bytes, a type, the number of sizes; the sizes as big-endian uint32; the values,
// big-endian, row by row.
//
// The first size is the number of points; the product of the others, such as 28 × 28 for an image, is their dimension.
// A file with one size (idx1, labels) has points of dimension 1.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `idx`: types 08 (uint8), 09 (int8), 0b (int16), 0c (int32), 0d (float32), 0e (float64). O(bytes / threads).
[[nodiscard]] Content parse_idx(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
