// Many sets, like the collections of multi-instance set intersection, containment and similarity joins (bellas2022
// Tables 4.3, 5.2 and 6.1).
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// sets, universe, mean_size, max_size, min_size, size_exponent, largest_share, size_spread, token_exponent,
/// token_shift, token_order, contained, near_duplicates, replaced, scale.
[[nodiscard]] std::vector<ParameterDeclaration> set_collection_parameters();

/// `set_collection`: sets of about mean_size tokens on average. Tokens are drawn one by one until enough are distinct.
///
/// Sizes: without max_size all are equal. With it the largest `largest_share` of the sets have max_size, and the others
/// follow a power law, size(rank) = max_size × (1 + rank / shift)^(-1 / (size_exponent - 1)), where shift gives the
/// right mean. The sets come in random order. With size_spread, sizes are min_size plus a log-normal number of that
/// standard deviation of the logarithm, at most max_size. Tokens: P(token of rank r) ~ (r + 1 +
/// token_shift)^-token_exponent, where ids are ranks or in random order. After 32 draws per wanted token, the set is
/// completed with the most frequent tokens that it lacks. `contained` is the number of sets that are random subsets of
/// an earlier, larger set; the property planted_pairs counts them. `near_duplicates` is the share of sets that are
/// copies of an earlier one with some tokens replaced, see NearDuplicates. `scale` shrinks the numbers of sets and of
/// contained ones, nothing else. O(tokens × draws per token / threads). Memory besides the result: universe / 8 bytes
/// or 8 bytes per token of the largest set for each thread, and 4 bytes per token of a universe in random order.
[[nodiscard]] Content generate_set_collection(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
