// Triples of ids: knowledge graphs in the format of OpenKE's benchmark files (train2id.txt of FB15K237, WN18RR, …).
//
//   COUNT                    optional first line: the number of lines that follow
//   HEAD TAIL RELATION       one triple per line, three whole numbers separated by blanks or tabs
//
// Option `order`: head_tail_relation or head_relation_tail. Only a file with a count, which is OpenKE's, needs no word
// on it. Option `ids: names`: entities and relations have names (CoDEx, FB15k), between tabs or, in lines without one,
// blanks; they are numbered in the order of their first appearance.
//
// A triple becomes an undirected edge between head
// and tail, labelled by its relation: subgraph_matching's graphs have no directions (gsi2020 Definition 1). Several
// relations between two entities are one edge with several labels. Self-loops and repeats are dropped and counted
// (self_loops_dropped, duplicates_merged); triples and relations count those of the file. Entities have no types here:
// every vertex gets label 0. Numbers are kept (vertices = highest id + 1). Empty lines are skipped.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `triples`. O(bytes / threads), 12 bytes per line plus build_labelled_graph's.
[[nodiscard]] Content parse_triples(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
