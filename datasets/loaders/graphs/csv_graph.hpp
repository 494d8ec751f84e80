// Graphs as delimited text with any columns, of which two are read:
//
//   source,target,weight      an edge a line, between commas, semicolons, tabs or blanks
//   0,17,2.5
//
// Options `source` and `target` choose the columns of the ids. A table of two columns needs no choice; one of more is
// refused without. Ids are whole numbers.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

[[nodiscard]] std::vector<OptionDeclaration> csv_graph_options();

/// Format `csv_graph`. Self-loops and repeats are dropped and counted. O(bytes / threads).
[[nodiscard]] Content parse_csv_graph(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
