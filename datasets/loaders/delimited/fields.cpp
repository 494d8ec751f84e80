#include "datasets/loaders/delimited/fields.hpp"

#include <algorithm>
#include <cctype>

namespace warpbench::datasets {

bool is_separator(std::string_view text) noexcept {
  if (text == "::") return true;
  if (text.empty() || text.size() > 4) return false;
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    constexpr std::string_view kNever = "\"+-.\r\n";
    const bool letter_or_digit = std::isalnum(first) != 0;
    return text.size() == 1 && !letter_or_digit && kNever.find(text.front()) == std::string_view::npos && first != 0;
  }
  // One character of UTF-8: a first byte that says how many follow.
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  return text.size() == length && std::ranges::all_of(text.substr(1), [](char byte) {
           return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
         });
}

std::string_view separator_from_string(std::string_view word) {
  if (word == "comma") return ",";
  if (word == "semicolon") return ";";
  if (word == "tab") return kTab;
  return word == "blank" ? kBlank : word;
}

bool Fields::next(std::string_view& field) {
  if (at_end_) return false;
  field = quotes_ == Quotes::allowed && rest_.starts_with('"') ? in_quotes() : plain();
  skip_blanks();
  if (separator_ == kBlank) {
    at_end_ = rest_.empty();
  } else if (rest_.empty()) {
    at_end_ = true;
  } else {
    rest_.remove_prefix(separator_.size());
    skip_blanks();
  }
  return true;
}

std::string_view Fields::plain() {
  const std::size_t end = separator_ == kBlank ? rest_.find_first_of(" \t") : rest_.find(separator_);
  std::string_view field = rest_.substr(0, end);
  rest_.remove_prefix(field.size());
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

std::string_view Fields::in_quotes() {
  const std::string_view shown = rest_;
  rest_.remove_prefix(1);
  std::size_t end = rest_.find('"');
  while (end != std::string_view::npos && rest_.substr(end).starts_with("\"\"")) end = rest_.find('"', end + 2);
  if (end == std::string_view::npos) line_.fail("a closing quote on the same line", quoted(shown));
  const std::string_view field = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  const bool separated = rest_.empty() || is_blank(rest_.front()) || rest_.starts_with(separator_);
  skip_blanks();
  if (!separated || (separator_ != kBlank && !rest_.empty() && !rest_.starts_with(separator_))) {
    line_.fail("a separator or the end of the line after a closing quote", quoted(rest_));
  }
  return field;
}

}  // namespace warpbench::datasets
