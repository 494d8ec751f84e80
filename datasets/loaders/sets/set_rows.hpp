// Shared by the loaders of sets: rows of tokens that become a SetCollection.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/row_numbers.hpp"

namespace warpbench::datasets {

/// The sets of a chunk of lines, in order.
struct SetRows {
  std::vector<std::uint64_t> sizes;
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;
  RowNumbers first_column;

  /// Makes a set of the tokens that were added since the last one.
  void end_set(std::size_t first_token) { sizes.push_back(tokens.size() - first_token); }
  /// The same of a line of tokens, whose first may be the set's number.
  void end_line(std::size_t first_token) {
    if (tokens.size() > first_token) first_column.see(tokens[first_token]);
    end_set(first_token);
  }
};

/// Option `first_column` of lines of tokens.
[[nodiscard]] OptionDeclaration first_column_option();

/// Throws InputError if the option is `ask` and the first tokens of the file's lines look like the sets' numbers: they
/// number the lines; or they only rise or fall and are of another range than the other tokens, or some of these occur
/// twice and the first is not always the smallest of its line, which lines in order would explain.
void refuse_ids(const std::string& file, std::span<const SetRows> chunks, const Options& options);

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
