#include "datasets/loaders/sets/set_rows.hpp"

#include <algorithm>
#include <utility>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {

namespace {

/// Beyond so many lines no order of them explains first tokens that all differ while others repeat.
constexpr std::uint64_t kLinesThatTell = 20;

/// Whether first tokens that only rise or fall are unlike the others.
bool differs_from_others(const RowNumbers& first_column, std::span<const SetRows> chunks) {
  std::vector<Token> others;
  bool first_is_smallest = true;
  for (const SetRows& chunk : chunks) {
    std::size_t at = 0;
    for (const std::uint64_t size : chunk.sizes) {
      const std::span<const Token> line(chunk.tokens.data() + at, size);
      at += size;
      if (line.size() < 2) continue;
      others.insert(others.end(), line.begin() + 1, line.end());
      first_is_smallest = first_is_smallest && std::ranges::min(line) == line.front();
    }
  }
  if (others.empty()) return false;
  std::ranges::sort(others);
  if (first_column.outside(others.front(), others.back())) return true;
  const bool repeats = std::ranges::adjacent_find(others) != others.end();
  return repeats && (!first_is_smallest || first_column.rows() >= kLinesThatTell);
}

}  // namespace

OptionDeclaration first_column_option() {
  return {"first_column",
          {"ask", "keep", "drop"},
          "drop: it is the set's number, no token; ask: keep, but refuse one that looks like it"};
}

void refuse_ids(const std::string& file, std::span<const SetRows> chunks, const Options& options) {
  if (options.at("first_column") != "ask") return;
  RowNumbers first_column;
  for (const SetRows& chunk : chunks) first_column.append(chunk.first_column);
  const bool numbers = first_column.numbers_rows();
  if (!numbers && !(first_column.may_be_ids() && differs_from_others(first_column, chunks))) return;
  throw InputError(file, 0,
                   numbers ? "a word on the first column, which numbers the lines"
                           : "a word on the first column, which only rises or falls, unlike the others",
                   "none", "set first_column: drop if it is the set's id, or first_column: keep if it is a token");
}

Content sets_content(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads) {
  std::int64_t duplicates = 0;
  SetCollection sets = build_sets(std::move(offsets), std::move(tokens), threads, &duplicates);
  return {std::move(sets), {{"duplicates_merged", duplicates}}, {}};
}

Content sets_content(const std::string& file, std::vector<SetRows> chunks, const std::string& fix, int threads) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;
  for (SetRows& chunk : chunks) {
    for (const std::uint64_t size : chunk.sizes) offsets.push_back(offsets.back() + size);
    tokens.insert(tokens.end(), chunk.tokens.begin(), chunk.tokens.end());
    blank_lines += chunk.blank_lines;
    chunk = {};
  }
  const auto sets = static_cast<std::int64_t>(offsets.size() - 1);
  if (sets == 0 || sets > kMaxSets) {
    throw InputError(file, 0, "1 to " + std::to_string(kMaxSets) + " lines with a set", std::to_string(sets),
                     sets == 0 ? fix : "");
  }
  Content content = sets_content(std::move(offsets), std::move(tokens), threads);
  content.properties["blank_lines_skipped"] = blank_lines;
  return content;
}

}  // namespace warpbench::datasets
