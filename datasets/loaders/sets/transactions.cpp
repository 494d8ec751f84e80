#include "datasets/loaders/sets/transactions.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

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

void read_line(LineReader& reader, const LineRules& rules, SetRows& rows) {
  const bool blank = reader.at_end();
  if (blank && !rules.keeps_blank) {
    ++rows.blank_lines;
    return;
  }
  if (rules.drops_first && !blank) static_cast<void>(reader.number_field("a first column to drop", 0, kMaxToken));
  const std::size_t before = rows.tokens.size();
  while (!reader.at_end()) {
    if (reader.line().starts_with("-1") || reader.line().starts_with("-2")) {
      reader.fail("a token from 0 to " + std::to_string(kMaxToken), quoted(reader.field()),
                  "a file of SPMF's sequences is read with format: spmf");
    }
    rows.tokens.push_back(static_cast<Token>(reader.number_field("a token", 0, kMaxToken)));
  }
  rows.end_line(before);
}

}  // namespace

Content parse_transactions(const Text& text, const Options& options, int threads) {
  const LineRules rules{options.at("first_column") == "drop", options.at("blank_lines") == "empty_set"};
  const std::vector<LineChunk> chunks = chunks_of_lines(text.bytes, 1, threads);
  std::vector<SetRows> rows(chunks.size());
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(chunks[i].bytes, text.file, chunks[i].first_line);
    while (reader.next()) read_line(reader, rules, rows[i]);
  });
  refuse_ids(text.file, rows, options);
  return sets_content(text.file, std::move(rows), "blank lines are sets only with blank_lines: empty_set", threads);
}

}  // namespace warpbench::datasets
