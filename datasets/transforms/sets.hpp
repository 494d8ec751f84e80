// Parts and orders of set collections: the largest or first sets, sets by size, tokens by frequency. What bellas2022
// does to its data beforehand (§4.1.2: tokens by ascending frequency, sets by size) is a transform here, or part of a
// solver's preparation; its time is never hidden.
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

/// The first `count` sets; 0: all. Throws InputError when there are fewer. O(1): a view.
[[nodiscard]] SetCollection first_sets(const SetCollection& sets, std::int64_t count);

/// The numbers of the `count` largest sets, ascending; of equally large ones those with the lower numbers. Throws
/// InputError when there are fewer. O(sets).
[[nodiscard]] std::vector<std::uint32_t> largest_sets(const SetCollection& sets, std::int64_t count);

/// The numbers of all sets by size; equally large ones by their tokens (lexicographically), equal ones by number.
/// O(sets log sets × tokens compared).
[[nodiscard]] std::vector<std::uint32_t> sets_by_size(const SetCollection& sets, Order order);

/// The same sets with tokens 0 to distinct_tokens - 1 by how many sets they are in; equally frequent ones keep their
/// order. O(tokens log max_size / threads).
[[nodiscard]] SetCollection tokens_by_frequency(const SetCollection& sets, Order order, int threads = 0);

}  // namespace warpbench::datasets
