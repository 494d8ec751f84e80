// Triples of ids: knowledge graphs as OpenKE's benchmark files keep them (train2id.txt of FB15K237, WN18RR, …).
//
//   COUNT                    optional, once, first: the lines that follow
//   HEAD TAIL RELATION       a triple a line, three whole numbers separated by blanks or tabs
//
// option `order`: head_tail_relation (OpenKE) or head_relation_tail. A triple becomes an undirected edge between head
// and tail, labelled by its relation: subgraph_matching's graphs have no directions (gsi2020 Definition 1). Several
// relations between two entities are one edge of several labels; self-loops and repeats are dropped and counted
// (self_loops_dropped, duplicates_merged; triples and relations count what
// the file has). Entities have no types here: every vertex gets label 0. Ids are kept, as
// edge lists' are (vertices = highest id + 1). Empty lines are skipped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `triples`. O(bytes / threads), 12 bytes a line plus build_labelled_graph's.
[[nodiscard]] Content parse_triples(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
