// Edge lists: the plain text of SNAP, LAW exports, Network Repository, NetworkX and csv files.
//
// Accepted: `u v` per line, separated by blanks or by one comma, lines ending in \n or \r\n, empty lines, and comment
// lines (# or %) anywhere. Nothing is guessed: a first line that is not an edge needs option `header`, because `36692
// 367662` (email-Enron) looks like an edge.
//   header: counts   `V M`: V vertices (ids below V), M = the edge lines that follow
//   header: names    column names (csv); must not be two numbers
// Ids are kept: vertices = highest id + 1, as the published sizes count them (che2019 Table 1 gives 124,836,180
// vertices for com-friendster, of which 65,608,366 occur in an edge). A file whose ids are too sparse for that (more
// than 64 ids per edge) is refused with the advice `relabel: compact`. Real files list both directions, self-loops and
// repeats; these are dropped and counted (self_loops_dropped; duplicates_merged counts each repeat of {u, v}, so in a
// file with both directions it equals the number of edges). `strict: true` refuses them and names the line.
//
// A comment `# Nodes: 36692 Edges: 367662` before the first edge is SNAP's header: a file with fewer edge lines is cut,
// and refused.
//
// Two passes over the bytes: the first checks every line and counts, the second fills an array of
// exactly that size. A bad file costs no memory beyond its own bytes.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Formats `snap` and `edgelist`. O(bytes / threads), 8 bytes per edge line plus build_csr's.
[[nodiscard]] Content parse_edge_list(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
