// `.graph` files: labelled graphs of the in-memory subgraph matching study (Sun and Luo, SIGMOD 2020),
// the data and query graphs of gsi2020 and yu2023 §5.
//
//   t V E                 once, first
//   v ID LABEL DEGREE     V lines, ids 0, 1, 2, … in order
//   e U V [LABEL]         E lines; either all or none have an edge label
//
// Unlike in the study's files, a vertex may have several labels (`v 0 3,7,9 2`). Parallel edges with different labels
// (`e 0 1 4`, `e 0 1 5`), adjacent or not, become one edge with several labels (gsi2020 §VII-B). E counts lines; a
// degree counts distinct neighbours.
//
// The format says everything twice, so everything is checked: both counts, the ids, and each degree against the edges.
// Self-loops and repeated edges (with the same label, if edges have labels) are refused. Empty lines are skipped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `graph`. O(bytes + edges log edges).
[[nodiscard]] Content parse_labelled_graph(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
