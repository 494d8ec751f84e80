#include "datasets/loaders/relations/csv.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/delimited/table.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// The options that choose the two columns.
const std::array<std::string, 2> kAsked{"a", "x"};

/// The values of the chosen columns.
using ColumnPair = std::array<std::vector<std::int32_t>, 2>;

std::int32_t integer_of(const Table& table, const LineReader& lines, std::string_view field, std::size_t column,
                        const std::string& option) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::int32_t value = 0;
  if (parse_whole(field, value)) return value;
  table.fail_field(lines,
                   "a whole number from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()),
                   field, column, option);
}

Relation joined_tuples(std::vector<ColumnPair>& chunks, int threads) {
  std::vector<std::size_t> starts{0};
  for (const ColumnPair& chunk : chunks) starts.push_back(starts.back() + chunk[0].size());
  ColumnPair all{std::vector<std::int32_t>(starts.back()), std::vector<std::int32_t>(starts.back())};
  for_chunks(chunks.size(), 1, threads, [&](std::size_t c, std::size_t, std::size_t) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::ranges::copy(chunks[c][i], all[i].begin() + static_cast<std::ptrdiff_t>(starts[c]));
    }
    chunks[c] = {};
  });
  return {std::move(all[0]), std::move(all[1])};
}

}  // namespace

std::vector<OptionDeclaration> csv_options() {
  std::vector<OptionDeclaration> all{
      {"a", {"0"}, "the column of the keys: its number, counted from 0, or with header: names its name", true},
      {"x", {"1"}, "the column of x, likewise", true}};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv(const Text& text, const Options& options, int threads) {
  const Table table(text, options, "tuple");
  const std::vector<std::size_t> columns = table.columns_of(options, kAsked);
  const std::vector<LineChunk> lines = chunks_of_lines(table.body(), table.first_line(), threads);
  std::vector<ColumnPair> chunks(lines.size());
  for_chunks(lines.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(lines[i].bytes, text.file, lines[i].first_line);
    table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        chunks[i][c].push_back(integer_of(table, reader, fields[c], columns[c], kAsked[c]));
      }
    });
  });
  Relation relation = joined_tuples(chunks, threads);
  if (relation.count() == 0) throw InputError(text.file, 0, "at least one tuple", "column names only");
  if (relation.count() > kMaxTuples) {
    throw InputError(text.file, 0, "at most " + std::to_string(kMaxTuples) + " tuples",
                     std::to_string(relation.count()));
  }
  return {Relations{relation, relation}, {}, {}};
}

}  // namespace warpbench::datasets
