#include "datasets/loaders/graphs/ntriples_terms.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace warpbench::datasets {
namespace {

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
/// Letters, digits, _ and all non-ASCII characters, whose bytes have the highest bit set.
bool is_name(char c) noexcept {
  return is_letter(c) || is_digit(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// Appends the UTF-8 of a code point below 0x110000.
void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0U | (code >> 6U));
  } else {
    if (code < 0x10000) {
      put(0xE0U | (code >> 12U));
    } else {
      put(0xF0U | (code >> 18U));
      put(0x80U | ((code >> 12U) & 0x3FU));
    }
    put(0x80U | ((code >> 6U) & 0x3FU));
  }
  put(0x80U | (code & 0x3FU));
}

/// Decodes \uXXXX or \UXXXXXXXX. `text` starts after the backslash; `length` becomes the escape's length.
std::optional<std::uint32_t> code_point(std::string_view text, std::size_t& length) {
  length = text.starts_with('u') ? 5 : 9;
  const std::string_view digits = text.substr(1, length - 1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const bool whole = digits.size() == length - 1 && error == std::errc{} && end == digits.data() + digits.size();
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (!whole || surrogate || code > 0x10FFFF) return std::nullopt;
  return code;
}

/// The character that a backslash and `c` stand for in a string.
std::optional<char> character(char c) noexcept {
  constexpr std::string_view kLetters = "tbnrf\"'\\";
  constexpr std::string_view kMeanings = "\t\b\n\r\f\"'\\";
  const std::size_t at = kLetters.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return kMeanings[at];
}

}  // namespace

void TermReader::skip_blanks() noexcept {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
}

void TermReader::fail(const std::string& expected) const {
  reader_.fail(expected, rest_.empty() ? "the end of the line" : quoted(rest_));
}

bool TermReader::at_end() noexcept {
  skip_blanks();
  return rest_.empty() || rest_.front() == '#';
}

Term TermReader::term(const std::string& what, bool blanks, bool literals) {
  skip_blanks();
  if (rest_.starts_with('<')) return iri();
  if (blanks && rest_.starts_with("_:")) return blank_node();
  if (literals && rest_.starts_with('"')) return literal();
  fail(what + ", <an IRI>" + (literals ? ", _:a blank node or \"a literal\"" : blanks ? " or _:a blank node" : ""));
}

void TermReader::end() {
  skip_blanks();
  if (!rest_.starts_with('.')) fail("a full stop at the triple's end");
  rest_.remove_prefix(1);
  if (!at_end()) fail("the end of the line after the full stop");
}

std::size_t TermReader::length_to(char mark, const std::string& what, bool& escapes) const {
  for (std::size_t at = 1; at < rest_.size(); ++at) {
    if (rest_[at] == mark) return at + 1;
    if (rest_[at] != '\\') continue;
    escapes = true;
    ++at;
  }
  fail(std::string(1, mark) + " at the end of " + what);
}

std::string TermReader::unescape(std::string_view text, bool of_string) const {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      plain += text[at];
      continue;
    }
    const std::string_view after = text.substr(at + 1);
    if (after.starts_with('u') || after.starts_with('U')) {
      std::size_t length = 0;
      const auto code = code_point(after, length);
      if (!code) reader_.fail("a character as \\uXXXX or \\UXXXXXXXX", quoted(text.substr(at, length + 1)));
      append_utf8(plain, *code);
      at += length;
    } else {
      const auto meaning = of_string && !after.empty() ? character(after.front()) : std::nullopt;
      if (!meaning) {
        reader_.fail(of_string ? "an escape of a literal, one of \\t \\b \\n \\r \\f \\\" \\' \\\\ \\u \\U"
                               : "an escape of an IRI, \\u or \\U",
                     quoted(text.substr(at, 2)));
      }
      plain += *meaning;
      ++at;
    }
  }
  return plain;
}

Term TermReader::iri() {
  bool escapes = false;
  const std::size_t length = length_to('>', "an IRI", escapes);
  const std::string_view text = rest_.substr(0, length);
  const auto bad = std::ranges::find_if(text.substr(1, length - 2), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || std::string_view("<\"{}|^`").find(c) != std::string_view::npos;
  });
  if (bad != text.end() - 1) {
    reader_.fail("an IRI without blanks and <\"{}|^`",
                 quoted(text.substr(static_cast<std::size_t>(bad - text.begin()))));
  }
  Term term{TermKind::iri, text};
  if (escapes) term.unescaped = unescape(text, false);
  rest_.remove_prefix(length);
  return term;
}

Term TermReader::blank_node() {
  std::size_t length = 2;
  while (length < rest_.size() &&
         (is_name(rest_[length]) || (length > 2 && (rest_[length] == '-' || rest_[length] == '.')))) {
    ++length;
  }
  while (rest_[length - 1] == '.') --length;  // the triple's full stop
  if (length == 2) fail("a blank node with a name");
  const Term term{TermKind::blank, rest_.substr(0, length)};
  rest_.remove_prefix(length);
  return term;
}

Term TermReader::literal() {
  bool escapes = false;
  const std::size_t length = length_to('"', "a literal", escapes);
  Term term{TermKind::literal, rest_.substr(0, length)};
  if (escapes) term.unescaped = '"' + unescape(term.text.substr(1, length - 2), true) + '"';
  rest_.remove_prefix(length);
  if (rest_.starts_with('@')) {
    take_language(term);
  } else if (rest_.starts_with("^^")) {
    take_type(term);
  }
  return term;
}

void TermReader::append(Term& term, std::string_view more) const {
  if (!term.has_escapes()) term.unescaped = term.text;
  term.unescaped += more;
}

/// Reads @en, @en-US: letters, then parts of letters and digits. Tags that differ only in case are equal (BCP 47).
void TermReader::take_language(Term& term) {
  std::size_t length = 1;
  bool first_part = true;
  for (std::size_t begin = 1;; begin = ++length) {
    while (length < rest_.size() && (is_letter(rest_[length]) || (!first_part && is_digit(rest_[length])))) ++length;
    if (length == begin) fail("a language such as @en or @en-US");
    first_part = false;
    if (length == rest_.size() || rest_[length] != '-') break;
  }
  std::string tag(rest_.substr(0, length));
  for (char& c : tag) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  append(term, tag);
  rest_.remove_prefix(length);
}

void TermReader::take_type(Term& term) {
  rest_.remove_prefix(2);
  if (!rest_.starts_with('<')) fail("a literal's type, <an IRI>, after ^^");
  const Term type = iri();
  append(term, "^^");
  append(term, type.has_escapes() ? std::string_view(type.unescaped) : type.text);
}

}  // namespace warpbench::datasets
