#include "datasets/loaders/graphs/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/loaders/strict.hpp"

namespace warpbench::datasets {
namespace {

enum class Field { Pattern, Integer, Real, Complex };
enum class Symmetry { General, Symmetric, SkewSymmetric, Hermitian };

struct Header {
  Field field = Field::Real;
  Symmetry symmetry = Symmetry::General;
  std::uint64_t size = 0;  // rows = columns
  std::uint64_t entries = 0;
  std::uint64_t line = 0;  // where the sizes are
};

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

/// Matches the next field against `words`, ignoring case as the format demands, and returns its index.
template <std::size_t Count>
std::size_t one_of(LineReader& reader, const std::array<std::string_view, Count>& words) {
  const std::string_view field = reader.field();
  const auto found = std::find(words.begin(), words.end(), lower(field));
  if (found == words.end()) {
    std::string expected;
    for (const std::string_view word : words) expected.append(expected.empty() ? "" : " or ").append(word);
    reader.fail(expected, field.empty() ? "the end of the line" : quoted(field));
  }
  return static_cast<std::size_t>(found - words.begin());
}

void read_banner(LineReader& reader, Header& header) {
  static_cast<void>(reader.next());  // read_text refuses empty files
  if (const auto banner = reader.field(); lower(banner) != "%%matrixmarket") {
    reader.fail("%%MatrixMarket", banner.empty() ? "the end of the line" : quoted(banner));
  }
  static_cast<void>(one_of<1>(reader, {"matrix"}));
  static_cast<void>(one_of<1>(reader, {"coordinate"}));
  header.field = static_cast<Field>(one_of<4>(reader, {"pattern", "integer", "real", "complex"}));
  header.symmetry = static_cast<Symmetry>(one_of<4>(reader, {"general", "symmetric", "skew-symmetric", "hermitian"}));
  if (header.symmetry == Symmetry::Hermitian && header.field != Field::Complex) {
    reader.fail("complex values in a hermitian matrix", "another field");
  }
  if (header.symmetry == Symmetry::SkewSymmetric && header.field == Field::Pattern) {
    reader.fail("values in a skew-symmetric matrix", "pattern");
  }
  reader.expect_end();
}

std::uint64_t shortest_entry(Field field) {
  switch (field) {
    case Field::Pattern:
      return 4;  // `1 1\n`
    case Field::Complex:
      return 8;  // `1 1 0 0\n`
    case Field::Integer:
    case Field::Real:
      break;
  }
  return 6;  // `1 1 0\n`
}

void read_sizes(LineReader& reader, Header& header) {
  do {
    if (!reader.next()) reader.fail("a line `rows columns entries`", "the end of the file");
  } while (reader.at_end() || reader.line().front() == '%');
  header.size = reader.number_field("a number of rows", 1, kMaxVertex + 1);
  const auto columns = reader.number_field("a number of columns", 1, kMaxVertex + 1);
  header.entries = reader.number_field("a number of entries", 1, std::uint64_t{1} << 62U);
  reader.expect_end();
  header.line = reader.number();
  if (columns != header.size) {
    reader.fail("a square matrix", std::to_string(header.size) + " x " + std::to_string(columns));
  }
  const std::uint64_t possible = (reader.rest().size() + 1) / shortest_entry(header.field);
  if (header.entries > possible) {
    reader.fail("at most " + std::to_string(possible) + " entries, as many as fit the file",
                std::to_string(header.entries));
  }
  if (header.size > max_vertices(header.entries)) {
    reader.fail("at most " + std::to_string(max_vertices(header.entries)) + " rows for that many entries",
                std::to_string(header.size));
  }
}

void skip_value(LineReader& reader, Field field) {
  switch (field) {
    case Field::Pattern:
      return;
    case Field::Complex:
      static_cast<void>(reader.real_field("real part"));
      [[fallthrough]];
    case Field::Integer:
    case Field::Real:
      static_cast<void>(reader.real_field("value"));
  }
}

Edge read_entry(LineReader& reader, const Header& header) {
  const auto row = reader.number_field("a row", 1, header.size);
  const auto column = reader.number_field("a column", 1, header.size);
  skip_value(reader, header.field);
  reader.expect_end();
  const bool skew = header.symmetry == Symmetry::SkewSymmetric;
  if (header.symmetry != Symmetry::General && (row < column || (skew && row == column))) {
    reader.fail(skew ? "an entry below the diagonal" : "an entry on or below the diagonal",
                "row " + std::to_string(row) + ", column " + std::to_string(column), "declare the matrix general");
  }
  return {static_cast<Vertex>(row - 1), static_cast<Vertex>(column - 1)};
}

/// Visits every entry line with its number; refuses too few and too many.
template <typename Consumer>
void scan_entries(LineReader reader, const Header& header, Consumer&& entry) {
  std::uint64_t found = 0;
  while (reader.next()) {
    if (reader.at_end() || reader.line().front() == '%') continue;
    if (found == header.entries) {
      reader.fail("no more than the " + std::to_string(header.entries) + " entries that line " +
                      std::to_string(header.line) + " declares",
                  quoted(reader.line()));
    }
    entry(read_entry(reader, header), reader.number());
    ++found;
  }
  if (found < header.entries) {
    reader.fail(std::to_string(header.entries) + " entries, as line " + std::to_string(header.line) + " declares",
                std::to_string(found));
  }
}

}  // namespace

Content parse_matrix_market(const Text& text, const Options& options, int threads) {
  Header header;
  LineReader reader(text.bytes, text.file);
  read_banner(reader, header);
  read_sizes(reader, header);
  // First pass: every line is checked before a byte is allocated for the entries.
  scan_entries(reader, header, [](Edge, std::uint64_t) {});
  std::vector<Edge> edges;
  edges.reserve(header.entries);
  scan_entries(reader, header, [&edges](Edge edge, std::uint64_t) { edges.push_back(edge); });

  if (options.at("strict") == "true") {
    refuse_loops_and_repeats(text.file, edges, [&](std::uint64_t wanted) {
      std::uint64_t at = 0;
      std::uint64_t line = 0;
      scan_entries(reader, header, [&](Edge, std::uint64_t number) {
        if (at++ == wanted) line = number;
      });
      return line;
    });
  }
  EdgeCounts counts;
  Csr graph = build_csr(edges, static_cast<std::int64_t>(header.size), threads, &counts);
  if (graph.slots() == 0) {
    throw InputError(text.file, header.line, "at least one entry off the diagonal",
                     std::to_string(counts.self_loops_dropped) + " on it");
  }
  Content content;
  content.data = std::move(graph);
  content.properties = {{"self_loops_dropped", counts.self_loops_dropped},
                        {"duplicates_merged", counts.duplicates_merged}};
  return content;
}

}  // namespace warpbench::datasets
