// Fields of a line of delimited text.
#pragma once

#include <string>
#include <string_view>

#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

/// Separators of fields: one character, or "::". A blank stands for a run of spaces and tabs.
inline constexpr std::string_view kTab = "\t";
inline constexpr std::string_view kBlank = " ";

/// Whether the text may separate fields: "::", or one character of UTF-8 that is no letter or digit of ASCII, no quote,
/// and no sign or point of a number.
[[nodiscard]] bool is_separator(std::string_view text) noexcept;
/// comma, semicolon, tab, blank as what they stand for; other texts as they are.
[[nodiscard]] std::string_view separator_from_string(std::string_view word);

/// Whether a field may stand in double quotes.
enum class Quotes { allowed, none };

/// Walks the fields of a reader's current line, of which there is at least one.
class Fields {
 public:
  /// `separator` must outlive it.
  Fields(const LineReader& line, std::string_view separator, Quotes quotes = Quotes::allowed)
      : line_(line), rest_(line.line()), separator_(separator), quotes_(quotes) {
    skip_blanks();
  }

  /// Sets `field` to the next one, without blanks around it and without its quotes; false at the end of the line.
  /// Throws InputError for a quote that is not closed in the line, or that something follows.
  bool next(std::string_view& field);

 private:
  [[nodiscard]] bool is_blank(char character) const noexcept {
    return character == ' ' || (character == '\t' && separator_ != kTab);
  }
  void skip_blanks() noexcept {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view plain();
  std::string_view in_quotes();

  const LineReader& line_;
  std::string_view rest_;
  std::string_view separator_;
  Quotes quotes_;
  bool at_end_ = false;
};

}  // namespace warpbench::datasets
