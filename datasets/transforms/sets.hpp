// Parts and orders of set collections: the largest or first sets, sets by size, tokens by frequency. The preprocessing
// of bellas2022 (§4.1.2: tokens by ascending frequency, sets by size) is a transform here, or part of a solver's
// preparation, so its time is never hidden.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/sets.hpp"

namespace warpbench::datasets {

enum class Order : std::uint8_t { ascending, descending };

/// The sets numbered in `old_of_new`, in that order. O(tokens taken / threads).
[[nodiscard]] SetCollection take_sets(const SetCollection& sets, std::span<const std::uint32_t> old_of_new,
                                      int threads = 0);

/// The first `count` sets; 0: all. Throws InputError if there are fewer. O(1): a view.
[[nodiscard]] SetCollection first_sets(const SetCollection& sets, std::int64_t count);

/// The numbers of the `count` largest sets, ascending; among equally large ones the lower numbers win. Throws
/// InputError if there are fewer. O(sets).
[[nodiscard]] std::vector<std::uint32_t> largest_sets(const SetCollection& sets, std::int64_t count);

/// The numbers of all sets by size; equally large sets in lexicographic order of their tokens, equal ones by number.
/// O(sets log sets × tokens compared).
[[nodiscard]] std::vector<std::uint32_t> sets_by_size(const SetCollection& sets, Order order);

/// The same sets with tokens renumbered 0 to distinct_tokens - 1 by the number of sets they are in; equally frequent
/// tokens keep their order. O(tokens log max_size / threads).
[[nodiscard]] SetCollection tokens_by_frequency(const SetCollection& sets, Order order, int threads = 0);

}  // namespace warpbench::datasets
