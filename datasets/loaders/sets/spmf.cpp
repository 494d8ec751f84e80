#include "datasets/loaders/sets/spmf.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxItem = std::numeric_limits<Token>::max();

/// Whether SPMF's programs skip the line.
bool is_spmf_remark(std::string_view line) {
  return line.starts_with('@') || line.starts_with('#') || line.starts_with('%');
}

/// The first line of data tells whether the file has sequences.
bool has_sequences(const Text& text) {
  LineReader reader(text.bytes, text.file);
  while (reader.next()) {
    if (is_spmf_remark(reader.line()) || reader.at_end()) continue;
    while (!reader.at_end()) {
      const std::string_view field = reader.field();
      if (field == "-1" || field == "-2") return true;
      if (field.empty()) return false;  // a comma, which the reader of lines refuses
    }
    return false;
  }
  return false;
}

/// Reads a chunk's lines.
class SpmfReader {
 public:
  SpmfReader(const LineChunk& chunk, const std::string& file, bool sequences, const Options& options)
      : lines_(chunk.bytes, file, chunk.first_line),
        sequences_(sequences),
        drops_first_(options.at("first_column") == "drop"),
        set_(options.at("set")) {}

  void read() {
    while (lines_.next()) {
      if (is_spmf_remark(lines_.line())) continue;
      if (lines_.at_end()) {
        ++rows.blank_lines;
      } else if (sequences_) {
        sequence();
      } else {
        transaction();
      }
    }
  }

  SetRows rows;

 private:
  void item() { rows.tokens.push_back(static_cast<Token>(lines_.number_field("an item", 0, kMaxItem))); }

  void transaction() {
    if (drops_first_) static_cast<void>(lines_.number_field("a first column to drop", 0, kMaxItem));
    const std::size_t first = rows.tokens.size();
    while (!lines_.at_end()) item();
    rows.end_line(first);
  }

  void sequence() {
    const std::size_t first = rows.tokens.size();
    std::size_t first_of_itemset = first;
    while (!ends("-2")) {
      if (lines_.at_end()) lines_.fail("-2, the end of the sequence", "the end of the line");
      if (!ends("-1")) {
        item();
        continue;
      }
      end_itemset(first_of_itemset);
      first_of_itemset = rows.tokens.size();
    }
    lines_.expect_end();
    if (first_of_itemset != rows.tokens.size()) lines_.fail("-1 after the last itemset", "-2");
    if (set_ != "itemset") rows.end_set(first);
  }

  /// Skips the field `mark` if it is the next.
  bool ends(std::string_view mark) {
    lines_.skip_blanks();
    const std::string_view line = lines_.line();
    const bool whole =
        line.size() == mark.size() || (line.size() > mark.size() && line.substr(mark.size()).find_first_of(" \t") == 0);
    if (!whole || !line.starts_with(mark)) return false;
    static_cast<void>(lines_.field());
    return true;
  }

  void end_itemset(std::size_t first) {
    const std::size_t items = rows.tokens.size() - first;
    if (items == 0) lines_.fail("an item before -1", "an empty itemset");
    if (set_ == "itemset") rows.end_set(first);
    if (set_ == "ask" && items > 1) {
      lines_.fail("a word on what becomes a set, the sequence or each itemset",
                  "an itemset of " + std::to_string(items) + " items", "set set: sequence, or set: itemset");
    }
  }

  LineReader lines_;
  bool sequences_;
  bool drops_first_;
  const std::string& set_;
};

}  // namespace

Content parse_spmf(const Text& text, const Options& options, int threads) {
  const bool sequences = has_sequences(text);
  if (sequences && options.at("first_column") != "ask") {
    throw InputError(text.file, 0, "lines without -1 and -2, whose first column may be a set's number", "sequences",
                     "leave out the option first_column");
  }
  const std::vector<LineChunk> chunks = chunks_of_lines(text.bytes, 1, threads);
  std::vector<SetRows> rows(chunks.size());
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    SpmfReader reader(chunks[i], text.file, sequences, options);
    reader.read();
    rows[i] = std::move(reader.rows);
  });
  if (!sequences) refuse_ids(text.file, rows, options);
  return sets_content(text.file, std::move(rows), "", threads);
}

}  // namespace warpbench::datasets
