// `.igraph`: labelled graphs as lines t, v and e, without degrees (gSpan's form, which many programs for subgraph
// matching and mining read):
//
//   t # 0                 once, first; or `t`, `t ID`, or `t V E …` with the numbers of v and e lines
//   3 2 5 4               optional: the numbers of v lines, e lines and labels (GSI)
//   v ID LABEL            ids 0, 1, 2, … in order
//   e U V [LABEL]         after all vertices; either all or none have an edge label
//   t # -1                optional end
//
// Option `labels: several` takes more numbers of a v line for labels. They may be a degree instead (format `graph`), so
// they are refused without. One graph a file. Blank lines are skipped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `igraph`. Edges are undirected; self-loops and repeats are dropped and counted. O(bytes + edges log edges).
[[nodiscard]] Content parse_igraph(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
