#include "datasets/loaders/sets/sets_binary.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

std::uint32_t word_at(const Text& text, std::uint64_t word) {
  std::uint32_t value = 0;
  std::memcpy(&value, text.bytes.data() + word * kWord, sizeof value);
  return value;
}

[[noreturn]] void fail(const Text& text, std::uint64_t word, const std::string& expected, const std::string& found) {
  throw InputError::at_byte(text.file, word * kWord, expected, found);
}

/// The number of words before a set's tokens: its size and, if present, its number.
std::uint64_t head_words(const Options& options) {
  return options.at("record_id") == "present" ? 2 : 1;
}

/// The offsets of the sets' tokens, computed from the sizes alone.
std::vector<std::uint64_t> read_offsets(const Text& text, std::uint64_t head) {
  const std::uint64_t words = text.bytes.size() / kWord;
  std::vector<std::uint64_t> offsets{0};
  for (std::uint64_t at = 0; at < words;) {
    const std::string set = "set " + std::to_string(offsets.size() - 1);
    if (words - at < head) fail(text, at, "a number and a size before " + set, "the end of the file");
    const std::uint64_t size = word_at(text, at + head - 1);
    const std::uint64_t left = words - at - head;
    if (size > left) {
      fail(text, at + head - 1, "a size of at most " + std::to_string(left) + ", the words left, for " + set,
           std::to_string(size));
    }
    offsets.push_back(offsets.back() + size);
    at += head + size;
  }
  return offsets;
}

}  // namespace

Content parse_sets_binary(const Text& text, const Options& options, int threads) {
  const std::uint64_t head = head_words(options);
  if (const std::uint64_t left = text.bytes.size() % kWord; left != 0) {
    fail(text, text.bytes.size() / kWord, "a whole word of 4 bytes or the end of the file",
         std::to_string(left) + " bytes");
  }
  std::vector<std::uint64_t> offsets = read_offsets(text, head);
  const std::uint64_t sets = offsets.size() - 1;
  if (sets > static_cast<std::uint64_t>(kMaxSets)) {
    fail(text, 0, "at most " + std::to_string(kMaxSets) + " sets", std::to_string(sets));
  }
  std::vector<Token> tokens(offsets.back());
  for_chunks(sets, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t first = offsets[i] + (i + 1) * head;
      for (std::uint64_t k = 0; k < offsets[i + 1] - offsets[i]; ++k) tokens[offsets[i] + k] = word_at(text, first + k);
    }
  });
  return sets_content(std::move(offsets), std::move(tokens), threads);
}

}  // namespace warpbench::datasets
