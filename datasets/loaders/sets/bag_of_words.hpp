// Bags of words, as the UCI Machine Learning Repository has them (docword.*.txt):
//
//   3430           documents: sets
//   6906           words: the universe
//   353160         lines that follow
//   1 61 2         document and word, counted from 1, and how often it occurs there
//
// A document is the set of its words, numbered from 0; the numbers of occurrences are only added up. Documents without
// a line are empty sets. Lines may come in any order.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `bag_of_words`. Properties: occurrences (the sum of the last column), duplicates_merged. O(bytes / threads).
[[nodiscard]] Content parse_bag_of_words(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
