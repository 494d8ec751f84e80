// The references of set_similarity_join: brute force; and, for more pairs than it compares in seconds, an index of
// prefixes. What a threshold demands of sizes, overlaps and prefixes is found by search with similar() alone.
#pragma once

#include <cstdint>
#include <span>

#include "problems/set_similarity_join/problem.hpp"

namespace warpbench::similarity {

/// The number of common tokens. O(a + b), or O(min log max) where one is far larger.
[[nodiscard]] std::uint32_t overlap_of(std::span<const datasets::Token> a, std::span<const datasets::Token> b);

/// The tokens of all pairs that are joined: what brute force compares.
[[nodiscard]] double compared_tokens(const SetSimilarityJoin::Input& input);

/// Compares all pairs that are joined. O(compared_tokens()), in parallel.
[[nodiscard]] SetSimilarityJoin::Reference by_brute_force(const SetSimilarityJoin::Input& input);

/// Compares pairs whose prefixes, of the rarest tokens, share one. The pairs of a sample of sets are found by brute
/// force, too: random ones, and random ones among those that are similar to some set; throws std::logic_error where
/// they differ. 4 bytes a set and thread; in parallel.
[[nodiscard]] SetSimilarityJoin::Reference by_prefixes(const SetSimilarityJoin::Input& input);

}  // namespace warpbench::similarity
