// Relations as delimited text, a tuple a line, of whole numbers or of decimals that a scale makes such:
//
//   39, State-gov, 77516, 13        fields between commas, semicolons, tabs or runs of blanks
//   39;"State; gov";77516;13        a field may stand in double quotes, and "" is one of them in it
//
// Two columns are read, `a` and `x`; all others may hold anything, but every line has as many fields as the first.
// Blanks around a field do not belong to it. Blank lines and lines that begin with # or % are skipped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

[[nodiscard]] std::vector<OptionDeclaration> csv_options();

/// Format `csv`: the file's tuples are R and, as long as no second file is named, S. O(bytes / threads).
[[nodiscard]] Content parse_csv(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
