// Bags of words in the format of the UCI Machine Learning Repository (docword.*.txt):
//
//   3430           number of documents (sets)
//   6906           number of words (the universe)
//   353160         number of lines that follow
//   1 61 2         document and word, counted from 1, and the word's occurrences there
//
// A document is the set of its words, numbered from 0. Occurrences only enter a total. Documents without a line are
// empty sets. Lines may come in any order.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `bag_of_words`. Properties: occurrences (the sum of the last column), duplicates_merged. O(bytes / threads).
[[nodiscard]] Content parse_bag_of_words(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
