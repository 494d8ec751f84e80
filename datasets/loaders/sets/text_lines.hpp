// Sets as lines of text, the raw records of set similarity joins, tokenized as the program of Mann, Augsten and Bouros
// does it (An Empirical Evaluation of Set Similarity Join Techniques, VLDB 2016):
//
//   set similarity joins on gpus     a line is a record
//
// Its tokens are its words, between blanks and tabs; or its q-grams, all pieces of q adjacent characters (bytes), with
// # before and after the line, q - 1 times each: the 2-grams of abc are #a, ab, bc and c#. A token that a line repeats
// counts as another one each time: the second "a" of a line is equal to the second "a" of another. Or repeats are
// merged. Tokens are numbered from 0 in the order of their first appearance.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `text_lines`. Properties: duplicates_merged, blank_lines_skipped. Blank lines are skipped, or are empty sets.
/// O(bytes) on one thread; 50 to 100 bytes for each different token.
[[nodiscard]] Content parse_text_lines(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
