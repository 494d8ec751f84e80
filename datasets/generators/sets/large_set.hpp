// Makes one large set of an exact size, in ascending order and on many threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/sets.hpp"

namespace warpbench::datasets {

/// Fills `set` as if tokens were drawn until enough are distinct: a token of probability p is in it with probability 1
/// - e^(-draws p), where `draws` is the number that gives set.size() distinct tokens on average. Each cell gets its
/// expected number of tokens, rounded so that the sum is exact; these are drawn at random, in pieces of about 1,000.
/// Uses streams `stream` and `stream` + 1 of the seed, and 32 bytes per 1,000 tokens besides the set. O(size log 1000 /
/// threads + 64 × cells). Throws InputError(where) if the cells have too few tokens.
void make_large_set(const std::string& where, std::span<const TokenCell> cells, std::uint64_t seed,
                    std::uint64_t stream, std::span<Token> set, int threads);

}  // namespace warpbench::datasets
