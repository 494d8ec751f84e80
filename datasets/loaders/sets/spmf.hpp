// Sets in the formats of SPMF, the library of pattern mining:
//
//   @CONVERTED_FROM_TEXT      lines that begin with @, # or % are skipped
//   1 5 -1 2 -1 3 -1 -2       a sequence of the itemsets {1, 5}, {2} and {3}; -1 ends an itemset, -2 the sequence
//   1 2 5                     a transaction, in files that have no -1 and no -2
//
// Option `set`: a whole sequence becomes a set, or each of its itemsets does. Where every itemset has one item, the
// sequence does; otherwise the file is refused until `set` says which. A transaction is a set in any case.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `spmf`. A file has sequences or transactions, never both. Repeats within a set are merged and counted. Blank
/// lines are skipped and counted (blank_lines_skipped). O(bytes / threads).
[[nodiscard]] Content parse_spmf(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
