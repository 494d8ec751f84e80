// LineReader: the tokenizer of all text loaders. It walks lines and fields of a buffer without copying, and turns
// everything unexpected into an InputError with the line number.
//
// Lines end in \n or \r\n; the last one may lack its line feed. Fields are separated by blanks (space, tab).
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace warpbench::datasets {

/// A field as messages show it: in quotes, cut after 40 characters, non-printing bytes as \xNN.
[[nodiscard]] std::string quoted(std::string_view field);

/// The same, or `an empty field`.
[[nodiscard]] std::string shown_field(std::string_view field);

/// The whole of a field as a number; false if it is none, or one that does not fit.
template <typename Number>
[[nodiscard]] bool parse_whole(std::string_view field, Number& number) noexcept {
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number);
  return error == std::errc{} && stop == end;
}

/// Whether there is nothing in the line, or a comment that # or % begins.
[[nodiscard]] inline bool is_comment_or_blank(std::string_view line) noexcept {
  for (const char character : line) {
    if (character != ' ' && character != '\t') return character == '#' || character == '%';
  }
  return true;
}

class LineReader {
 public:
  /// `first_line` is the number of the first line of `bytes` within the file.
  LineReader(std::string_view bytes, std::string file, std::uint64_t first_line = 1)
      : rest_(bytes), file_(std::move(file)), number_(first_line - 1) {}

  /// Goes to the next line; false at the end of the buffer.
  bool next() noexcept {
    if (rest_.empty()) return false;
    const auto* end = static_cast<const char*>(std::memchr(rest_.data(), '\n', rest_.size()));
    const std::size_t length = end == nullptr ? rest_.size() : static_cast<std::size_t>(end - rest_.data());
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(end == nullptr ? length : length + 1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    ++number_;
    return true;
  }

  /// 1-based number of the current line; after the end that of the last line; before next() first_line - 1.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The unread part of the current line.
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  /// The part of the buffer after the current line.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  void skip_blanks() noexcept {
    while (!line_.empty() && (line_.front() == ' ' || line_.front() == '\t')) line_.remove_prefix(1);
  }

  /// Skips `separator` and blanks around it. Returns false, having skipped only blanks, if it is not there.
  bool skip(char separator) noexcept {
    skip_blanks();
    if (line_.empty() || line_.front() != separator) return false;
    line_.remove_prefix(1);
    skip_blanks();
    return true;
  }

  /// Whether only blanks are left in the line.
  [[nodiscard]] bool at_end() noexcept {
    skip_blanks();
    return line_.empty();
  }

  /// The next field, up to a blank, a comma or the end of the line; empty at the end of the line.
  std::string_view field() noexcept {
    skip_blanks();
    std::size_t length = 0;
    while (length < line_.size() && line_[length] != ' ' && line_[length] != '\t' && line_[length] != ',') {
      ++length;
    }
    const std::string_view result = line_.substr(0, length);
    line_.remove_prefix(length);
    return result;
  }

  /// The next field as a whole number from `low` to `high`; `what` names it in the error.
  std::uint64_t number_field(std::string_view what, std::uint64_t low, std::uint64_t high) {
    skip_blanks();
    const char* const begin = line_.data();
    const char* const end = begin + line_.size();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool whole = stop == end || *stop == ' ' || *stop == '\t' || *stop == ',';
    if (error != std::errc{} || !whole || value < low || value > high) [[unlikely]] {
      fail_number(what, low, high);
    }
    line_.remove_prefix(static_cast<std::size_t>(stop - begin));
    return value;
  }

  /// The next field as a finite real number.
  double real_field(std::string_view what);

  /// Refuses anything but blanks on the rest of the line.
  void expect_end() {
    if (!at_end()) [[unlikely]]
      fail_end();
  }

  /// Throws InputError at the current line.
  [[noreturn]] void fail(std::string expected, std::string found, std::string fix = {}) const;

 private:
  [[noreturn]] void fail_number(std::string_view what, std::uint64_t low, std::uint64_t high);
  [[noreturn]] void fail_end();

  std::string_view rest_;
  std::string_view line_;
  std::string file_;
  std::uint64_t number_;
};

}  // namespace warpbench::datasets
