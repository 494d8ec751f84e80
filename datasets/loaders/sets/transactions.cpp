#include "datasets/loaders/sets/transactions.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxToken = std::numeric_limits<Token>::max();

struct LineRules {
  bool drops_first = false;
  bool keeps_blank = false;
};

/// The sets of a chunk of lines.
struct Part {
  std::vector<std::uint64_t> sizes;
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;
};

void read_line(LineReader& reader, const LineRules& rules, Part& part) {
  const bool blank = reader.at_end();
  if (blank && !rules.keeps_blank) {
    ++part.blank_lines;
    return;
  }
  if (rules.drops_first && !blank) static_cast<void>(reader.number_field("a first column to drop", 0, kMaxToken));
  const std::size_t before = part.tokens.size();
  while (!reader.at_end()) part.tokens.push_back(static_cast<Token>(reader.number_field("a token", 0, kMaxToken)));
  part.sizes.push_back(part.tokens.size() - before);
}

Part read_chunk(const LineChunk& chunk, const std::string& file, const LineRules& rules) {
  Part part;
  LineReader reader(chunk.bytes, file, chunk.first_line);
  while (reader.next()) read_line(reader, rules, part);
  return part;
}

}  // namespace

Content parse_transactions(const Text& text, const Options& options, int threads) {
  const LineRules rules{options.at("first_column") == "drop", options.at("blank_lines") == "empty_set"};
  const std::vector<LineChunk> chunks = chunks_of_lines(text.bytes, 1, threads);
  std::vector<Part> parts(chunks.size());
  for_chunks(chunks.size(), 1, threads,
             [&](std::size_t i, std::size_t, std::size_t) { parts[i] = read_chunk(chunks[i], text.file, rules); });
  std::vector<std::uint64_t> offsets{0};
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;
  for (Part& part : parts) {
    for (const std::uint64_t size : part.sizes) offsets.push_back(offsets.back() + size);
    tokens.insert(tokens.end(), part.tokens.begin(), part.tokens.end());
    blank_lines += part.blank_lines;
    part = {};
  }
  const auto sets = static_cast<std::int64_t>(offsets.size() - 1);
  if (sets == 0 || sets > kMaxSets) {
    throw InputError(text.file, 0, "1 to " + std::to_string(kMaxSets) + " lines with a set", std::to_string(sets),
                     sets == 0 ? "blank lines are sets only with blank_lines: empty_set" : "");
  }
  Content content = sets_content(std::move(offsets), std::move(tokens), threads);
  content.properties["blank_lines_skipped"] = blank_lines;
  return content;
}

}  // namespace warpbench::datasets
