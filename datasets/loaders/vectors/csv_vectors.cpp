#include "datasets/loaders/vectors/csv_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/delimited/table.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"

namespace warpbench::datasets {
namespace {

constexpr const char* kSayColumns =
    "name the columns of the coordinates as option columns, such as columns: 1..3, or set columns: all";

/// `2..5`, both ends inclusive; false if it is no range.
bool parse_range(std::string_view choice, std::size_t& first, std::size_t& last) {
  const std::size_t dots = choice.find("..");
  return dots != std::string_view::npos && parse_whole(choice.substr(0, dots), first) &&
         parse_whole(choice.substr(dots + 2), last);
}

/// The columns that option `columns` lists, between commas or, if it has none, blanks.
std::vector<std::size_t> listed_columns(const Table& table, const std::string& file, std::string_view list) {
  std::vector<std::size_t> columns;
  const char separator = list.find(',') == std::string_view::npos ? ' ' : ',';
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    std::string_view choice = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    while (choice.starts_with(' ')) choice.remove_prefix(1);
    while (choice.ends_with(' ')) choice.remove_suffix(1);
    if (choice.empty()) continue;
    std::size_t first = 0;
    std::size_t last = 0;
    if (!parse_range(choice, first, last)) {
      columns.push_back(table.column("columns", choice));
      continue;
    }
    static_cast<void>(table.column("columns", std::to_string(last)));
    if (first > last) throw InputError(file, 0, "a range of columns that rises", quoted(choice));
    for (; first <= last; ++first) columns.push_back(first);
  }
  std::vector<std::size_t> sorted = columns;
  std::ranges::sort(sorted);
  if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw InputError(file, 0, "different columns as option columns", sorted.empty() ? "none" : "one of them twice");
  }
  return columns;
}

/// Refuses a table whose columns are all taken for coordinates although one looks like an id.
void refuse_ids(const std::string& file, const Table& table, std::span<const RowNumbers> seen,
                std::span<const float> points) {
  if (table.columns() == 1) return;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const bool named = !table.names().empty() && names_an_id(table.names()[c]);
    const std::string why =
        named ? quoted(table.names()[c]) + " as its name" : why_an_id(points, table.columns(), c, seen[c]);
    if (why.empty()) continue;
    throw InputError(file, 0, "a word on column " + std::to_string(c) + ", which looks like an id", why, kSayColumns);
  }
}

}  // namespace

std::vector<OptionDeclaration> csv_vectors_options() {
  std::vector<OptionDeclaration> all{
      metric_option(),
      {"columns",
       {"ask"},
       "those of the coordinates: numbers, counted from 0, ranges 1..3 or names, between commas or blanks; all; ask: "
       "all, but refuse one that looks like an id",
       true},
      {"one_per", {"none"}, "the column of a place: only its first row is a point", true}};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv_vectors(const Text& text, const Options& options, int /*threads*/) {
  const Table table(text, options, "point");
  const std::string& choice = options.at("columns");
  const bool asks = choice == "ask";
  std::vector<std::size_t> columns(table.columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (!asks && choice != "all") columns = listed_columns(table, text.file, choice);
  const std::size_t dimension = columns.size();
  if (dimension > static_cast<std::size_t>(kMaxDimension)) {
    throw InputError(text.file, 0, "at most " + std::to_string(kMaxDimension) + " columns of coordinates",
                     std::to_string(dimension), kSayColumns);
  }
  const bool distinct = options.at("one_per") != "none";
  if (distinct) columns.push_back(table.column("one_per", options.at("one_per")));

  std::vector<float> points;
  std::vector<RowNumbers> seen(dimension);
  std::unordered_set<std::string> places;
  std::int64_t repeats = 0;
  LineReader reader(table.body(), text.file, table.first_line());
  table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
    const std::size_t row = points.size();
    for (std::size_t c = 0; c < dimension; ++c) {
      double value = 0;
      if (!parse_whole(fields[c], value) || !(std::abs(value) <= double{std::numeric_limits<float>::max()})) {
        table.fail_field(reader, "a finite number that a float holds", fields[c], columns[c], "columns");
      }
      points.push_back(static_cast<float>(value));
      seen[c].see(value);
    }
    if (distinct && !places.emplace(fields[dimension]).second) {
      points.resize(row);
      ++repeats;
    }
  });
  if (asks) refuse_ids(text.file, table, seen, points);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a table has columns, and a list without is refused
  check_rows(text, 0, points.size() / dimension);
  Content content = vectors_content(dimension, metric_of(options), std::move(points));
  if (distinct) content.properties["repeats_dropped"] = repeats;
  return content;
}

}  // namespace warpbench::datasets
