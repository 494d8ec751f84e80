// Shared by the loaders of sets: rows of tokens that become a SetCollection.
#pragma once

#include <vector>

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Builds sets from rows in any order and with repeats; the property duplicates_merged counts the repeats.
[[nodiscard]] Content sets_content(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads);

/// The maximum number of sets that a file with `tokens` tokens may claim: an empty set costs a file nothing, but 8
/// bytes here.
[[nodiscard]] constexpr std::uint64_t max_sets(std::uint64_t tokens) noexcept {
  constexpr std::uint64_t kSetsPerToken = 64;
  constexpr std::uint64_t kSetsAlways = 4096;
  return kSetsPerToken * tokens + kSetsAlways;
}

}  // namespace warpbench::datasets
