#include "datasets/loaders/delimited/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/parameters/nearest_name.hpp"

namespace warpbench::datasets {
namespace {

/// Of a file that is delimited text at all.
constexpr std::size_t kMaxColumns = 4096;

std::string lower(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string_view> fields_of(const LineReader& line, std::string_view separator) {
  std::vector<std::string_view> all;
  Fields fields(line, separator);
  for (std::string_view field; fields.next(field); all.push_back(field)) {
    if (all.size() == kMaxColumns) line.fail("at most " + std::to_string(kMaxColumns) + " columns", "more");
  }
  return all;
}

std::string counted_columns(std::size_t columns) {
  return std::to_string(columns) + (columns == 1 ? " column" : " columns");
}

}  // namespace

bool names_an_id(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords{"", "id", "index", "key", "label", "class"};
  const std::string plain = lower(name);
  return std::ranges::find(kWords, plain) != kWords.end() || plain.starts_with("unnamed: ") || plain.ends_with("_id") ||
         name.ends_with("Id") || name.ends_with("ID");
}

std::vector<OptionDeclaration> table_options() {
  return {{"separator",
           {"comma", "semicolon", "tab", "blank"},
           "between fields; blank: any run of spaces and tabs; else a character in quotes, such as '|', or '::'",
           false,
           &is_separator,
           "a character in quotes, such as '|', or '::'"},
          {"header", {"none", "names"}, "the first line that is no comment: data; or column names"}};
}

Table::Table(const Text& text, const Options& options, std::string row)
    : separator_(separator_from_string(options.at("separator"))),
      has_header_(options.at("header") == "names"),
      head_(text.bytes, text.file) {
  do {
    body_ = head_.rest();
    if (!head_.next()) throw InputError(text.file, 0, "at least one " + row, "blank lines and comments only");
  } while (is_comment_or_blank(head_.line()));
  first_line_ = head_.number();
  first_ = fields_of(head_, separator_);
  if (!has_header_) return;
  if (head_.line().find('\0') != std::string_view::npos) head_.fail("a line of column names", "a zero byte");
  double number = 0;
  if (std::ranges::all_of(first_, [&](std::string_view field) { return parse_whole(field, number); })) {
    head_.fail("column names", "numbers alone", "set header: none");
  }
  body_ = head_.rest();
  ++first_line_;
}

std::size_t Table::column_named(const std::string& option, std::string_view name) const {
  const auto found = std::ranges::find(first_, name);
  if (found == first_.end()) {
    constexpr std::size_t kShown = 10;
    std::string shown;
    for (std::size_t i = 0; i < std::min(first_.size(), kShown); ++i) shown += (i == 0 ? "" : ", ") + quoted(first_[i]);
    if (first_.size() > kShown) shown += ", …";
    std::vector<std::string> known;  // a line that is no header may hold megabytes
    known.reserve(first_.size());
    for (const std::string_view one : first_) known.emplace_back(one.substr(0, 64));
    const std::string close = nearest_name(name, known);
    head_.fail("column " + quoted(name) + ", as option " + option + " asks", shown,
               close.empty() ? "" : "did you mean " + quoted(std::string_view(close)) + '?');
  }
  if (std::ranges::count(first_, name) > 1) {
    head_.fail("one column " + quoted(name), std::to_string(std::ranges::count(first_, name)),
               "give the column's number, counted from 0, as option " + option);
  }
  return static_cast<std::size_t>(found - first_.begin());
}

std::size_t Table::column(const std::string& option, std::string_view choice) const {
  std::size_t number = 0;
  if (parse_whole(choice, number)) {
    if (number >= first_.size()) {
      head_.fail("column " + std::string(choice) + ", as option " + option + " asks", counted_columns(first_.size()),
                 "columns are counted from 0");
    }
    return number;
  }
  if (!has_header_) {
    throw InputError(head_.file(), 0, "a column's number, counted from 0, as option " + option, quoted(choice),
                     "set header: names to give names");
  }
  return column_named(option, choice);
}

std::vector<std::size_t> Table::columns_of(const Options& options, std::span<const std::string> asked) const {
  const auto unsaid = [&](const std::string& option) { return options.at(option) == "ask"; };
  std::vector<std::size_t> columns;
  if (asked.size() == first_.size() && std::ranges::all_of(asked, unsaid)) {
    if (has_header_) return columns_by_names(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) columns.push_back(i);
    return columns;
  }
  if (std::ranges::any_of(asked, unsaid)) {
    std::string all;
    for (const std::string& option : asked) all += (all.empty() ? "" : ", ") + option;
    head_.fail("the columns to read as options " + all, counted_columns(first_.size()) + " and no word on them",
               has_header_ ? "give each option a column's name" : "give each option a column's number, counted from 0");
  }
  for (const std::string& option : asked) columns.push_back(column(option, options.at(option)));
  return columns;
}

std::vector<std::size_t> Table::columns_by_names(std::span<const std::string> asked) const {
  std::vector<std::size_t> columns;
  std::size_t told = 0;
  bool clear = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<std::size_t> same;
    std::vector<std::size_t> with;  // columns whose names contain the option's
    for (std::size_t c = 0; c < first_.size(); ++c) {
      const std::string name = lower(first_[c]);
      if (name == asked[i]) same.push_back(c);
      if (asked[i].size() > 1 && name.find(asked[i]) != std::string::npos) with.push_back(c);
    }
    const std::vector<std::size_t>& found = same.empty() ? with : same;
    const bool in_place = found.empty() || std::ranges::find(found, i) != found.end();
    clear = clear && (in_place || found.size() == 1);
    told += found.empty() ? 0U : 1U;
    columns.push_back(in_place ? i : found.front());
  }
  std::vector<std::size_t> sorted = columns;
  std::ranges::sort(sorted);
  // Columns in other places than the options', of which only some are told, say nothing of the rest.
  const bool moved = !std::ranges::is_sorted(columns);
  if (clear && std::ranges::adjacent_find(sorted) == sorted.end() && (!moved || told == asked.size())) return columns;
  std::string all;
  std::string words;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    all += (i == 0 ? "" : ", ") + asked[i];
    words += (i == 0 ? "" : ", ") + asked[i] + ": " + std::string(first_[i].substr(0, 64));
  }
  head_.fail("the columns to read as options " + all, "names that tell of some only, or in another order",
             "give each option a column's name; as they stand that is " + words);
}

void Table::fail_field(const LineReader& lines, const std::string& expected, std::string_view field, std::size_t column,
                       const std::string& option, const std::string& fix) const {
  const bool may_be_header = !has_header_ && lines.number() == head_.number();
  lines.fail(expected + " in column " + std::to_string(column), shown_field(field),
             (fix.empty() ? "" : fix + ", or ") +
                 (may_be_header ? "set header: names if this line names the columns, else choose" : "choose") +
                 (" another column as option " + option + ", or convert this one"));
}

void Table::fail_width(const LineReader& lines, std::size_t found) const {
  lines.fail(std::to_string(first_.size()) + " fields, as line " + std::to_string(head_.number()) + " has",
             std::to_string(found));
}

}  // namespace warpbench::datasets
