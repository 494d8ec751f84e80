// Delimited text as a table: its columns, by number or by the names of its header, and its rows. Shared by the csv
// formats of all kinds of data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/loaders/delimited/fields.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

/// Whether a column of this name holds ids: id, index, key, label, class, …_id, …Id, or what pandas writes above its
/// row numbers.
[[nodiscard]] bool names_an_id(std::string_view name);

/// Options `separator` and `header` of all csv formats.
[[nodiscard]] std::vector<OptionDeclaration> table_options();

/// A table whose first line was read. Blank lines and lines that begin with # or % do not belong to it.
class Table {
 public:
  /// Reads the first line; `row` names one in messages ("a tuple"). Throws InputError if there is none, or if it
  /// has numbers alone where names are announced.
  Table(const Text& text, const Options& options, std::string row);

  [[nodiscard]] std::size_t columns() const noexcept { return first_.size(); }
  /// The names of the columns; empty without a header.
  [[nodiscard]] std::span<const std::string_view> names() const noexcept {
    return has_header_ ? std::span<const std::string_view>(first_) : std::span<const std::string_view>();
  }
  /// The lines after the header, and the number of the first of them.
  [[nodiscard]] std::string_view body() const noexcept { return body_; }
  [[nodiscard]] std::uint64_t first_line() const noexcept { return first_line_; }

  /// The column that `choice`, a number counted from 0 or a name, chooses as `option`. Throws InputError.
  [[nodiscard]] std::size_t column(const std::string& option, std::string_view choice) const;
  /// The columns that several options choose. Where all of them are left at `ask` and the table has just as many
  /// columns, these in order, or in that of a header that has the options' names (`user_id` for user); where only some
  /// are, or the header tells of some only, throws InputError.
  [[nodiscard]] std::vector<std::size_t> columns_of(const Options& options, std::span<const std::string> asked) const;

  /// Calls row(fields) with the fields in `columns` of each row of `lines`, a part of the body.
  template <typename Row>
  void each_row(LineReader& lines, std::span<const std::size_t> columns, Row&& row) const {
    std::vector<std::string_view> found(columns.size());
    while (lines.next()) {
      if (is_comment_or_blank(lines.line())) continue;
      Fields fields(lines, separator_);
      std::size_t at = 0;
      for (std::string_view field; fields.next(field); ++at) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
          if (columns[i] == at) found[i] = field;
        }
      }
      if (at != first_.size()) fail_width(lines, at);
      row(std::span<const std::string_view>(found));
    }
  }

  /// Throws InputError for a field that is not what it is read as. `fix`, such as "set ids: names if …", comes before
  /// what would help anyhow.
  [[noreturn]] void fail_field(const LineReader& lines, const std::string& expected, std::string_view field,
                               std::size_t column, const std::string& option, const std::string& fix = {}) const;

 private:
  /// The columns of options that all are left at `ask`, of a table of as many.
  [[nodiscard]] std::vector<std::size_t> columns_by_names(std::span<const std::string> asked) const;
  [[noreturn]] void fail_width(const LineReader& lines, std::size_t found) const;
  [[nodiscard]] std::size_t column_named(const std::string& option, std::string_view name) const;

  std::string separator_;
  bool has_header_;
  LineReader head_;  // at the first line
  std::vector<std::string_view> first_;
  std::string_view body_;
  std::uint64_t first_line_ = 1;
};

}  // namespace warpbench::datasets
