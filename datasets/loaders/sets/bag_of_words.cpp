#include "datasets/loaders/sets/bag_of_words.hpp"

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxOccurrences = std::numeric_limits<std::uint32_t>::max();

struct Head {
  std::uint64_t documents = 0;
  std::uint64_t words = 0;
  std::uint64_t lines = 0;
  std::string_view body;
};

struct Entry {
  std::uint32_t document = 0;
  Token word = 0;
};

struct Part {
  std::vector<Entry> entries;
  std::uint64_t occurrences = 0;
};

std::uint64_t read_count(LineReader& reader, std::string_view what, std::uint64_t low, std::uint64_t high) {
  const std::string expected = std::string(what) + " from " + std::to_string(low) + " to " + std::to_string(high);
  if (!reader.next()) throw InputError(reader.file(), reader.number() + 1, expected, "the end of the file");
  const std::uint64_t count = reader.number_field(what, low, high);
  reader.expect_end();
  return count;
}

Head read_head(const Text& text) {
  LineReader reader(text.bytes, text.file);
  Head head;
  head.documents = read_count(reader, "a number of documents", 1, static_cast<std::uint64_t>(kMaxSets));
  head.words = read_count(reader, "a number of words", 1, std::uint64_t{1} << 32U);
  head.lines = read_count(reader, "a number of lines", 0, std::numeric_limits<std::int64_t>::max());
  head.body = reader.rest();
  const std::uint64_t possible = (head.body.size() + 1) / 6;  // shortest line: `1 1 1\n`
  if (head.lines > possible) {
    reader.fail("at most " + std::to_string(possible) + " lines, as many as fit the file", std::to_string(head.lines));
  }
  if (head.documents > max_sets(head.lines)) {
    throw InputError(text.file, 1, "at most " + std::to_string(max_sets(head.lines)) + " documents for that many lines",
                     std::to_string(head.documents));
  }
  return head;
}

Part read_chunk(const LineChunk& chunk, const std::string& file, const Head& head) {
  Part part;
  LineReader reader(chunk.bytes, file, chunk.first_line);
  while (reader.next()) {
    const std::uint64_t document = reader.number_field("a document", 1, head.documents);
    const std::uint64_t word = reader.number_field("a word", 1, head.words);
    part.occurrences += reader.number_field("a number of occurrences", 1, kMaxOccurrences);
    reader.expect_end();
    part.entries.push_back({static_cast<std::uint32_t>(document - 1), static_cast<Token>(word - 1)});
  }
  return part;
}

}  // namespace

Content parse_bag_of_words(const Text& text, const Options& /*options*/, int threads) {
  constexpr std::uint64_t kHeadLines = 3;
  const Head head = read_head(text);
  const std::vector<LineChunk> chunks = chunks_of_lines(head.body, kHeadLines + 1, threads);
  std::vector<Part> parts(chunks.size());
  for_chunks(chunks.size(), 1, threads,
             [&](std::size_t i, std::size_t, std::size_t) { parts[i] = read_chunk(chunks[i], text.file, head); });
  std::uint64_t lines = 0;
  std::uint64_t occurrences = 0;
  for (const Part& part : parts) {
    lines += part.entries.size();
    occurrences += part.occurrences;
  }
  if (lines != head.lines) {
    throw InputError(text.file, kHeadLines, std::to_string(lines) + " lines, as many as follow",
                     std::to_string(head.lines), "the file is cut or its head is another's");
  }
  std::vector<std::uint64_t> offsets(head.documents + 1, 0);
  for (const Part& part : parts) {
    for (const Entry& entry : part.entries) ++offsets[std::size_t{entry.document} + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::uint64_t> cursors(offsets.begin(), offsets.end() - 1);
  std::vector<Token> tokens(lines);
  for (Part& part : parts) {
    for (const Entry& entry : part.entries) tokens[cursors[entry.document]++] = entry.word;
    part = {};
  }
  Content content = sets_content(std::move(offsets), std::move(tokens), threads);
  content.properties["occurrences"] = static_cast<std::int64_t>(occurrences);
  return content;
}

}  // namespace warpbench::datasets
