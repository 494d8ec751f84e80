// Shared by the loaders of sets: rows of tokens that become a SetCollection.
#pragma once

#include <string>
#include <vector>

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// The sets of a chunk of lines, in order.
struct SetRows {
  std::vector<std::uint64_t> sizes;
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;

  /// Makes a set of the tokens that were added since the last one.
  void end_set(std::size_t first_token) { sizes.push_back(tokens.size() - first_token); }
};

/// Builds sets from rows in any order and with repeats; the property duplicates_merged counts the repeats.
[[nodiscard]] Content sets_content(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads);

/// The same of a file's chunks; the property blank_lines_skipped counts their blank lines. Throws InputError with `fix`
/// if the file has no sets.
[[nodiscard]] Content sets_content(const std::string& file, std::vector<SetRows> chunks, const std::string& fix,
                                   int threads);

/// The maximum number of sets that a file with `tokens` tokens may claim: an empty set costs a file nothing, but 8
/// bytes here.
[[nodiscard]] constexpr std::uint64_t max_sets(std::uint64_t tokens) noexcept {
  constexpr std::uint64_t kSetsPerToken = 64;
  constexpr std::uint64_t kSetsAlways = 4096;
  return kSetsPerToken * tokens + kSetsAlways;
}

}  // namespace warpbench::datasets
