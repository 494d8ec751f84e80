// Many sets, like the collections of multi-instance set intersection and containment (bellas2022 Table 6.1).
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// sets, universe, mean_size, max_size, min_size, size_exponent, largest_share, token_exponent, token_order,
/// contained, scale.
[[nodiscard]] std::vector<ParameterDeclaration> set_collection_parameters();

/// `set_collection`: sets of about mean_size tokens on average, drawn one after the other until so many are distinct.
///
/// Sizes: without max_size all alike; with it the largest `largest_share` of the sets have max_size and the others fall
/// by a power law, size(rank) = max_size × (1 + rank / shift)^(-1 / (size_exponent - 1)), shift such that the mean
/// comes out. The sets come in random order. Tokens: P(token of rank r) ~ (r + 1)^-token_exponent, ranks as ids or in
/// random order; after 32 draws a token wanted, the most frequent ones that are not in the set yet complete it.
/// `contained` sets are random subsets of an earlier, larger set; property planted_pairs counts them.
/// `scale` shrinks the number of sets and of contained ones, nothing else.
/// O(tokens × draws a token / threads); memory beside the result: universe / 8 bytes or 8 bytes a token of the largest
/// set per thread, 4 bytes a token of the universe in random order.
[[nodiscard]] Content generate_set_collection(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
