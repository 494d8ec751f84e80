// How many bits rows of bits have in common: what references count the common tokens of sets by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpbench::pairs {

/// A row has a multiple of so many words, 512 bits.
inline constexpr std::size_t kWordsOfBlock = 8;

/// counts[i * C + j]: how many bits row i and column j of C both have. Rows and columns have `words` words each, one
/// after the other; `words` is a multiple of kWordsOfBlock, and not 0. O(rows · columns · words), with the widest
/// instructions of the CPU.
void count_common_bits(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> columns, std::size_t words,
                       std::span<std::uint32_t> counts);

}  // namespace warpbench::pairs
