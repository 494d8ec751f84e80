// The terms of an N-Triples line.
#pragma once

#include <string>
#include <string_view>

#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

enum class TermKind { iri, blank, literal };

/// One subject, predicate or object. `text` identifies it among all terms: it includes the marks (<…>, _:…, "…"@en),
/// with escapes resolved. It is a view into the line, or into `unescaped` if the line had escapes.
struct Term {
  TermKind kind = TermKind::iri;
  std::string_view text;
  std::string unescaped{};
  [[nodiscard]] bool has_escapes() const noexcept { return !unescaped.empty(); }
};

/// Reads terms from the current line of a LineReader.
class TermReader {
 public:
  explicit TermReader(const LineReader& reader) : reader_(reader), rest_(reader.line()) {}

  /// Whether only blanks or a comment are left.
  [[nodiscard]] bool at_end() noexcept;
  /// The next term; `what` names it in errors ("a subject"), `literals` allows literals. Throws InputError.
  [[nodiscard]] Term term(const std::string& what, bool blanks, bool literals);
  /// Reads the full stop and checks that nothing follows. Throws InputError.
  void end();

 private:
  void skip_blanks() noexcept;
  [[nodiscard]] Term iri();
  [[nodiscard]] Term blank_node();
  [[nodiscard]] Term literal();
  void take_language(Term& term);
  void take_type(Term& term);
  void append(Term& term, std::string_view more) const;
  /// The length up to the closing `mark`; `what` names the term in errors. Notes whether there are escapes.
  [[nodiscard]] std::size_t length_to(char mark, const std::string& what, bool& escapes) const;
  /// `text` with \uXXXX, \UXXXXXXXX and, in strings, \t \b \n \r \f \" \' \\ resolved.
  [[nodiscard]] std::string unescape(std::string_view text, bool of_string) const;
  [[noreturn]] void fail(const std::string& expected) const;

  const LineReader& reader_;
  std::string_view rest_;
};

}  // namespace warpbench::datasets
