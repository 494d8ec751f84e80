#include "datasets/loaders/sets/transactions.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/row_numbers.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxToken = std::numeric_limits<Token>::max();

struct LineRules {
  bool drops_first = false;
  bool keeps_blank = false;
};

void read_line(LineReader& reader, const LineRules& rules, SetRows& rows, RowNumbers& first_column) {
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
  if (rows.tokens.size() > before) first_column.see(rows.tokens[before]);
  rows.end_set(before);
}

}  // namespace

Content parse_transactions(const Text& text, const Options& options, int threads) {
  const LineRules rules{options.at("first_column") == "drop", options.at("blank_lines") == "empty_set"};
  const std::vector<LineChunk> chunks = chunks_of_lines(text.bytes, 1, threads);
  std::vector<SetRows> rows(chunks.size());
  std::vector<RowNumbers> first_columns(chunks.size());
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(chunks[i].bytes, text.file, chunks[i].first_line);
    while (reader.next()) read_line(reader, rules, rows[i], first_columns[i]);
  });
  RowNumbers first_column;
  for (const RowNumbers& one : first_columns) first_column.append(one);
  if (options.at("first_column") == "ask" && first_column.numbers_rows()) {
    throw InputError(text.file, 0, "a word on the first column, which numbers the lines", "none",
                     "set first_column: drop if it is the set's id, or first_column: keep if it is a token");
  }
  return sets_content(text.file, std::move(rows), "blank lines are sets only with blank_lines: empty_set", threads);
}

}  // namespace warpbench::datasets
