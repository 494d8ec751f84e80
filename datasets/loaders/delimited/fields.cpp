#include "datasets/loaders/delimited/fields.hpp"

namespace warpbench::datasets {

Separator separator_from_string(std::string_view word) {
  if (word == "semicolon") return Separator::semicolon;
  if (word == "tab") return Separator::tab;
  return word == "blank" ? Separator::blank : Separator::comma;
}

bool Fields::next(std::string_view& field) {
  if (at_end_) return false;
  field = quotes_ == Quotes::allowed && rest_.starts_with('"') ? in_quotes() : plain();
  skip_blanks();
  if (separator_ == ' ') {
    at_end_ = rest_.empty();
  } else if (rest_.empty()) {
    at_end_ = true;
  } else {
    rest_.remove_prefix(1);  // the separator
    skip_blanks();
  }
  return true;
}

std::string_view Fields::plain() {
  const std::size_t end = separator_ == ' ' ? rest_.find_first_of(" \t") : rest_.find(separator_);
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
  const bool separated = rest_.empty() || is_blank(rest_.front()) || rest_.front() == separator_;
  skip_blanks();
  if (!separated || (separator_ != ' ' && !rest_.empty() && rest_.front() != separator_)) {
    line_.fail("a separator or the end of the line after a closing quote", quoted(rest_));
  }
  return field;
}

}  // namespace warpbench::datasets
