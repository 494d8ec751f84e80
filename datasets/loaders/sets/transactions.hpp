// Sets as lines of text, the format of the FIMI repository (retail.dat) and of most set collections:
//
//   39 48 110      a set a line, its tokens as whole numbers from 0 to 2^32 - 1, separated by blanks or tabs
//
// Lists of items by user (`user item item …`) have the user's number first: `first_column: drop` leaves it out, and a
// line with nothing else is an empty set. Blank lines are no sets (they are counted as blank_lines_skipped) unless
// `blank_lines: empty_set` says so. Lines may end in \r\n.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `transactions`. Repeats within a line are merged and counted. O(bytes / threads).
[[nodiscard]] Content parse_transactions(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
