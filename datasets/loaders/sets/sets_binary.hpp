// Sets as 32-bit little-endian words, the input format of programs for set similarity joins:
//
//   number, size, token, token, …   for each set; no header
//
// The number only counts the sets and is dropped; files without it need `record_id: absent`. Tokens may come in any
// order.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `sets_binary`. Repeats within a set are merged and counted. O(bytes / threads) plus one pass over the sizes.
[[nodiscard]] Content parse_sets_binary(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
