// One large set of exactly so many tokens, ascending as it is made and by many threads at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/sets.hpp"

namespace warpbench::datasets {

/// Fills `set`. A token of probability p is in it as often as it is among draws that are repeated until enough are
/// distinct: with 1 - e^(-draws p), where the draws are those that give set.size() on average. Each cell gets its
/// expected number of tokens, rounded so that the sum is exact, and random ones of that number, in pieces of about
/// 1,000. Takes streams `stream` and `stream` + 1 of the seed, and 32 bytes per 1,000 tokens besides the set. O(size
/// log 1000 / threads + 64 × cells). Throws InputError(where) where the cells cannot give so many.
void make_large_set(const std::string& where, std::span<const TokenCell> cells, std::uint64_t seed,
                    std::uint64_t stream, std::span<Token> set, int threads);

}  // namespace warpbench::datasets
