// Parts, orders and enlargements of set collections: the largest, first or different sets, sets by size, tokens by
// frequency, shifted copies. The preprocessing of bellas2022 (§4.1.2: tokens by ascending frequency, sets by size) is a
// transform here, or part of a solver's preparation, so its time is never hidden.
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

/// The numbers of the sets that equal no earlier one, ascending. O(tokens / threads + sets log sets).
[[nodiscard]] std::vector<std::uint32_t> distinct_sets(const SetCollection& sets, int threads = 0);

/// The sets `times` times over, as Vernica, Carey and Li enlarge collections ("Efficient parallel set-similarity joins
/// using MapReduce", SIGMOD 2010) and bellas2022 §5.2.4 after them: tokens are ordered by ascending frequency, equally
/// frequent ones by number, and copy c (from 0) has in the place of each token the one that is c places after it.
/// Places after the last are taken by times - 1 new tokens, from universe() on. Pairs within a copy are as similar as
/// in the original, so the number of similar pairs grows about linearly. Throws InputError if there are more than
/// kMaxSets sets or 2^32 tokens then. O(times × tokens log max_size / threads).
[[nodiscard]] SetCollection enlarged_sets(const SetCollection& sets, std::int64_t times, int threads = 0);

/// The numbers of all sets by size; equally large sets in lexicographic order of their tokens, equal ones by number.
/// O(sets log sets × tokens compared).
[[nodiscard]] std::vector<std::uint32_t> sets_by_size(const SetCollection& sets, Order order);

/// The same sets with tokens renumbered 0 to distinct_tokens - 1 by the number of sets they are in; equally frequent
/// tokens keep their order. O(tokens log max_size / threads).
[[nodiscard]] SetCollection tokens_by_frequency(const SetCollection& sets, Order order, int threads = 0);

}  // namespace warpbench::datasets
