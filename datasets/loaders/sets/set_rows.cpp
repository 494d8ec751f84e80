#include "datasets/loaders/sets/set_rows.hpp"

#include <utility>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {

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
