// Shared by the loaders of sets: rows of tokens that become a SetCollection.
#pragma once

#include <vector>

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Sets as a file gives them, in any order and with repeats; counts those as property duplicates_merged.
[[nodiscard]] Content sets_content(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads);

/// How many sets a file may claim beside its `tokens`: empty ones cost a file nothing, and 8 bytes each here.
[[nodiscard]] constexpr std::uint64_t most_sets(std::uint64_t tokens) noexcept {
  constexpr std::uint64_t kSetsPerToken = 64;
  constexpr std::uint64_t kSetsAlways = 4096;
  return kSetsPerToken * tokens + kSetsAlways;
}

}  // namespace warpbench::datasets
