#include "datasets/loaders/line_reader.hpp"

#include <cmath>

#include "datasets/input_error.hpp"

namespace warpbench::datasets {

std::string quoted(std::string_view field) {
  constexpr std::size_t kShown = 40;
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text = "\"";
  for (const char character : field.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte < 0x7f) {
      text += character;
    } else {
      text += "\\x";
      text += kHexDigits[byte >> 4U];
      text += kHexDigits[byte & 15U];
    }
  }
  return text + (field.size() > kShown ? "…\"" : "\"");
}

std::string shown_field(std::string_view field) {
  return field.empty() ? "an empty field" : quoted(field);
}

void LineReader::fail(std::string expected, std::string found, std::string fix) const {
  throw InputError(file_, number_, std::move(expected), std::move(found), std::move(fix));
}

void LineReader::fail_number(std::string_view what, std::uint64_t low, std::uint64_t high) {
  const std::string_view token = field();
  std::string expected(what);
  expected += " from " + std::to_string(low) + " to " + std::to_string(high);
  if (!token.empty()) fail(std::move(expected), quoted(token));
  fail(std::move(expected), line_.empty() ? "the end of the line" : quoted(line_.substr(0, 1)));
}

void LineReader::fail_end() {
  fail("the end of the line", quoted(line_));
}

double LineReader::real_field(std::string_view what) {
  const std::string_view token = field();
  std::string_view digits = token;
  if (digits.starts_with('+')) digits.remove_prefix(1);  // Fortran writes a plus, which from_chars does not accept
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Some tools write values below the smallest double (1e-400); they are finite nevertheless.
  const bool tiny = error == std::errc::result_out_of_range && digits.find("e-") != std::string_view::npos;
  if (digits.empty() || end != digits.data() + digits.size() || (error != std::errc{} && !tiny) ||
      !std::isfinite(value)) {
    fail("a finite number as " + std::string(what), token.empty() ? "the end of the line" : quoted(token));
  }
  return value;
}

}  // namespace warpbench::datasets
