// Fields of a line of delimited text.
#pragma once

#include <string>
#include <string_view>

#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

enum class Separator : char {
  comma = ',',
  semicolon = ';',
  tab = '\t',
  blank = ' '  ///< a run of spaces and tabs
};

/// comma, semicolon, tab, blank. The word must be one of these.
[[nodiscard]] Separator separator_from_string(std::string_view word);

/// Whether a field may stand in double quotes.
enum class Quotes { allowed, none };

/// Walks the fields of a reader's current line, of which there is at least one.
class Fields {
 public:
  Fields(const LineReader& line, Separator separator, Quotes quotes = Quotes::allowed)
      : line_(line), rest_(line.line()), separator_(static_cast<char>(separator)), quotes_(quotes) {
    skip_blanks();
  }

  /// Sets `field` to the next one, without blanks around it and without its quotes; false at the end of the line.
  /// Throws InputError for a quote that is not closed in the line, or that something follows.
  bool next(std::string_view& field);

 private:
  [[nodiscard]] bool is_blank(char character) const noexcept {
    return character == ' ' || (character == '\t' && separator_ != '\t');
  }
  void skip_blanks() noexcept {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view plain();
  std::string_view in_quotes();

  const LineReader& line_;
  std::string_view rest_;
  char separator_;
  Quotes quotes_;
  bool at_end_ = false;
};

}  // namespace warpbench::datasets
