#include "datasets/loaders/relations/csv.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/relations/fields.hpp"
#include "datasets/parallel.hpp"
#include "datasets/parameters/nearest_name.hpp"

namespace warpbench::datasets {
namespace {

/// Of a file that is delimited text at all.
constexpr std::size_t kMaxColumns = 4096;

struct ChosenColumn {
  std::string option;  // a or x
  std::size_t number = 0;
};

/// What the first line that is no comment tells: how lines are read.
struct CsvForm {
  Separator separator = Separator::comma;
  bool has_header = false;
  std::string_view body;
  std::uint64_t first_line = 1;  // of the body
  std::size_t columns = 0;
  std::uint64_t columns_line = 1;  // where they were counted
  std::array<ChosenColumn, 2> chosen{};
};

std::vector<std::string_view> fields_of(const LineReader& line, Separator separator) {
  std::vector<std::string_view> all;
  Fields fields(line, separator);
  for (std::string_view field; fields.next(field); all.push_back(field)) {
    if (all.size() == kMaxColumns) line.fail("at most " + std::to_string(kMaxColumns) + " columns", "more");
  }
  return all;
}

std::size_t column_named(const LineReader& header, const std::vector<std::string_view>& names,
                         const ChosenColumn& column, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    constexpr std::size_t kShown = 10;
    std::string shown;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) shown += (i == 0 ? "" : ", ") + quoted(names[i]);
    if (names.size() > kShown) shown += ", …";
    std::vector<std::string> known;  // a line that is no header may hold megabytes
    known.reserve(names.size());
    for (const std::string_view one : names) known.emplace_back(one.substr(0, 64));
    const std::string close = nearest_name(name, known);
    header.fail("column " + quoted(name) + ", as option " + column.option + " asks", shown,
                close.empty() ? "" : "did you mean " + quoted(std::string_view(close)) + '?');
  }
  if (std::ranges::count(names, name) > 1) {
    header.fail("one column " + quoted(name), std::to_string(std::ranges::count(names, name)),
                "give the column's number, counted from 0, as option " + column.option);
  }
  return static_cast<std::size_t>(found - names.begin());
}

/// Digits are a column's number; anything else is a name.
std::size_t column_of(const LineReader& first, const std::vector<std::string_view>& fields, const ChosenColumn& column,
                      std::string_view choice, bool has_header) {
  std::size_t number = 0;
  if (parse_whole(choice, number)) {
    if (number >= fields.size()) {
      first.fail("column " + std::string(choice) + ", as option " + column.option + " asks",
                 std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns"),
                 "columns are counted from 0");
    }
    return number;
  }
  if (!has_header) {
    throw InputError(first.file(), 0, "a column's number, counted from 0, as option " + column.option, quoted(choice),
                     "set header: names to give names");
  }
  return column_named(first, fields, column, choice);
}

CsvForm form_of_csv(const Text& text, const Options& options) {
  LineReader first(text.bytes, text.file);
  CsvForm form;
  form.separator = separator_from_string(options.at("separator"));
  form.has_header = options.at("header") == "names";
  do {
    form.body = first.rest();
    if (!first.next()) throw InputError(text.file, 0, "at least one tuple", "blank lines and comments only");
  } while (is_comment_or_blank(first.line()));
  if (first.line().starts_with("\xef\xbb\xbf")) {
    first.fail(form.has_header ? "column names" : "a tuple", "a byte order mark",
               "save the file as plain UTF-8 without BOM");
  }
  const std::vector<std::string_view> fields = fields_of(first, form.separator);
  form.chosen = {ChosenColumn{"a"}, ChosenColumn{"x"}};
  for (ChosenColumn& column : form.chosen) {
    column.number = column_of(first, fields, column, options.at(column.option), form.has_header);
  }
  form.columns = fields.size();
  form.columns_line = first.number();
  form.first_line = first.number();
  if (form.has_header) {
    double number = 0;
    if (std::ranges::all_of(fields, [&](std::string_view field) { return parse_whole(field, number); })) {
      first.fail("column names", "numbers alone", "set header: none");
    }
    form.body = first.rest();
    ++form.first_line;
  }
  return form;
}

/// Reads the two chosen columns of lines.
class TupleReader {
 public:
  TupleReader(const CsvForm& form, LineReader& lines) : form_(form), lines_(lines) {}

  void read() {
    while (lines_.next()) {
      if (!is_comment_or_blank(lines_.line())) tuple();
    }
  }

  std::array<std::vector<std::int32_t>, 2> values;  // of the chosen columns

 private:
  void tuple() {
    Fields fields(lines_, form_.separator);
    std::size_t column = 0;
    std::array<std::string_view, 2> found;
    for (std::string_view field; fields.next(field); ++column) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (form_.chosen[i].number == column) found[i] = field;
      }
    }
    if (column != form_.columns) {
      lines_.fail(std::to_string(form_.columns) + " fields, as line " + std::to_string(form_.columns_line) + " has",
                  std::to_string(column));
    }
    for (std::size_t i = 0; i < found.size(); ++i) values[i].push_back(integer_of(found[i], form_.chosen[i]));
  }

  std::int32_t integer_of(std::string_view field, const ChosenColumn& column) const {
    std::int32_t value = 0;
    if (parse_whole(field, value)) return value;
    using Limits = std::numeric_limits<std::int32_t>;
    const bool may_be_header = !form_.has_header && lines_.number() == form_.columns_line;
    lines_.fail("a whole number from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()) +
                    " in column " + std::to_string(column.number),
                shown_field(field),
                may_be_header ? "set header: names if this line names the columns"
                              : "choose another column as option " + column.option + ", or convert this one");
  }

  const CsvForm& form_;
  LineReader& lines_;
};

using ColumnPair = std::array<std::vector<std::int32_t>, 2>;

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
  return {{"a", {"0"}, "the column of the keys: its number, counted from 0, or with header: names its name", true},
          {"x", {"1"}, "the column of x, likewise", true},
          {"separator", {"comma", "semicolon", "tab", "blank"}, "between fields; blank: any run of spaces and tabs"},
          {"header", {"none", "names"}, "the first line that is no comment: a tuple; or column names"}};
}

Content parse_csv(const Text& text, const Options& options, int threads) {
  const CsvForm form = form_of_csv(text, options);
  const std::vector<LineChunk> lines = chunks_of_lines(form.body, form.first_line, threads);
  std::vector<ColumnPair> chunks(lines.size());
  for_chunks(lines.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(lines[i].bytes, text.file, lines[i].first_line);
    TupleReader tuples(form, reader);
    tuples.read();
    chunks[i] = std::move(tuples.values);
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
