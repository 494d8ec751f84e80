// Sets as lines of text, the format of the FIMI repository (retail.dat) and of most set collections:
//
//   39 48 110      one set per line; tokens are whole numbers from 0 to 2^32 - 1, separated by blanks or tabs
//
// Lists of items by user (LightGCN's `user item item …`) begin with the user's number: `first_column: drop` drops it,
// and a line with nothing else is an empty set. A first column that numbers the lines is refused until `first_column`
// says what it is. Blank lines are skipped and counted (blank_lines_skipped), or are empty sets with
// `blank_lines: empty_set`. Lines may end in \r\n.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `transactions`. Repeats within a line are merged and counted. O(bytes / threads).
[[nodiscard]] Content parse_transactions(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
