#include "datasets/loaders/relations/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

using Limits = std::numeric_limits<std::int32_t>;

std::string limits() {
  return std::to_string(Limits::min()) + " to " + std::to_string(Limits::max());
}

std::int32_t integer_of(const Table& table, const LineReader& lines, std::string_view field, std::size_t column,
                        const std::string& option) {
  std::int32_t value = 0;
  if (parse_whole(field, value)) return value;
  double real = 0;
  const bool decimal = parse_whole(field, real) && std::isfinite(real);
  table.fail_field(lines, "a whole number from " + limits(), field, column, option,
                   decimal ? "set scale: 1e7 to read decimals times 1e7" : "");
}

/// A decimal times the scale, rounded.
std::int32_t scaled_of(const Table& table, const LineReader& lines, std::string_view field, std::size_t column,
                       const std::string& option, double scale) {
  double value = 0;
  if (!parse_whole(field, value) || !std::isfinite(value))
    table.fail_field(lines, "a finite number", field, column, option);
  const double scaled = std::round(value * scale);
  if (scaled >= Limits::min() && scaled <= Limits::max()) return static_cast<std::int32_t>(scaled);
  table.fail_field(lines, "a number that times the scale is from " + limits(), field, column, option,
                   "set a smaller scale");
}

double scale_of(const std::string& file, const std::string& text) {
  double scale = 0;
  if (parse_whole(std::string_view(text), scale) && scale > 0 && std::isfinite(scale)) return scale;
  throw InputError(file, 0, "a number above 0 as option scale", quoted(std::string_view(text)));
}

/// The columns of options `a` and `x`. Of two columns they are the first and the second; where only one of the options
/// is said, the other is its place as of two, unless that is taken or an id by its name.
std::vector<std::size_t> columns_of(const Table& table, const std::string& file, Options options) {
  const auto said = [&](const std::string& option) { return options.at(option) != "ask"; };
  if (said(kAsked[0]) != said(kAsked[1])) {
    const std::size_t unsaid = said(kAsked[0]) ? 1 : 0;
    const std::string& told = kAsked[1 - unsaid];
    const std::size_t column = table.column(kAsked[unsaid], std::to_string(unsaid));
    const std::string fix = "name the column as option " + kAsked[unsaid];
    if (table.column(told, options.at(told)) == column) {
      throw InputError(file, 0, "a word on option " + kAsked[unsaid],
                       "none, and column " + std::to_string(column) + " is that of option " + told, fix);
    }
    if (!table.names().empty() && names_an_id(table.names()[column])) {
      throw InputError(file, 0, "a word on column " + std::to_string(column) + ", which looks like an id",
                       quoted(table.names()[column]) + " as its name", fix);
    }
    options[kAsked[unsaid]] = std::to_string(unsaid);
  }
  return table.columns_of(options, kAsked);
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
      {"a",
       {"ask"},
       "the column of the keys: its number, counted from 0, or with header: names its name; ask: the first of two",
       true},
      {"x", {"ask"}, "the column of x, likewise", true},
      {"scale", {"1"}, "what decimals are multiplied by before they are rounded: 1e7 for degrees", true}};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv(const Text& text, const Options& options, int threads) {
  const Table table(text, options, "tuple");
  const std::vector<std::size_t> columns = columns_of(table, text.file, options);
  const double scale = scale_of(text.file, options.at("scale"));
  const std::vector<LineChunk> lines = chunks_of_lines(table.body(), table.first_line(), threads);
  std::vector<ColumnPair> chunks(lines.size());
  for_chunks(lines.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(lines[i].bytes, text.file, lines[i].first_line);
    table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        chunks[i][c].push_back(scale == 1 ? integer_of(table, reader, fields[c], columns[c], kAsked[c])
                                          : scaled_of(table, reader, fields[c], columns[c], kAsked[c], scale));
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
