// Sets as 32-bit little-endian words, as programs for set similarity joins read them:
//
//   number, size, token, token, …   per set, one set after the other, no header
//
// The number only counts the sets and is left out; files without it are `record_id: absent`. Tokens may come in any
// order.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `sets_binary`. Repeats within a set are merged and counted. O(bytes / threads) but for one pass over sizes.
[[nodiscard]] Content parse_sets_binary(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
