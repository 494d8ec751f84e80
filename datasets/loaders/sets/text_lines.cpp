#include "datasets/loaders/sets/text_lines.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sets/set_rows.hpp"

namespace warpbench::datasets {
namespace {

/// Numbers tokens in the order of their first appearance, each repeat within a line apart.
class TokenNumbers {
 public:
  explicit TokenNumbers(bool counts_repeats) : counts_repeats_(counts_repeats) {}

  void begin_line() noexcept { ++line_; }

  /// The number of the next token of the line.
  [[nodiscard]] Token number_of(std::string_view token) {
    auto known = words_.find(std::string(token));
    if (known == words_.end()) known = words_.try_emplace(std::string(token), Word{next_++, 0, 0}).first;
    Word& word = known->second;
    if (!counts_repeats_) return word.number;
    word.times = word.line == line_ ? word.times + 1 : 1;
    word.line = line_;
    if (word.times == 1) return word.number;
    const auto [repeat, fresh] = repeats_.try_emplace(std::uint64_t{word.times} << 32U | word.number, next_);
    if (fresh) ++next_;
    return repeat->second;
  }

 private:
  struct Word {
    Token number;
    std::uint32_t times;  // in `line`
    std::uint64_t line;
  };

  bool counts_repeats_;
  Token next_ = 0;
  std::uint64_t line_ = 0;
  std::unordered_map<std::string, Word> words_;
  std::unordered_map<std::uint64_t, Token> repeats_;  // by how many times a line has the token, and its number
};

void add_words(LineReader& reader, TokenNumbers& numbers, std::vector<Token>& tokens) {
  for (std::string_view rest = reader.line(); !rest.empty();) {
    const std::size_t length = rest.find_first_of(" \t");
    if (length != 0) tokens.push_back(numbers.number_of(rest.substr(0, length)));
    rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
  }
}

void add_grams(std::string_view line, std::size_t q, TokenNumbers& numbers, std::vector<Token>& tokens) {
  const std::string padding(q - 1, '#');
  const std::string padded = padding + std::string(line) + padding;
  for (std::size_t i = 0; i + q <= padded.size(); ++i) {
    tokens.push_back(numbers.number_of(std::string_view(padded).substr(i, q)));
  }
}

/// The q of `2-grams`; 0 of `words`.
std::size_t gram_length(const std::string& tokens) {
  return tokens == "words" ? 0 : static_cast<std::size_t>(tokens.front() - '0');
}

}  // namespace

Content parse_text_lines(const Text& text, const Options& options, int threads) {
  constexpr std::uint64_t kMaxTokens = std::numeric_limits<Token>::max();
  const std::size_t q = gram_length(options.at("tokens"));
  const bool keeps_blank = options.at("blank_lines") == "empty_set";
  TokenNumbers numbers(options.at("repeats") == "count");
  std::vector<std::uint64_t> offsets{0};
  std::vector<Token> tokens;
  std::int64_t blank_lines = 0;
  LineReader reader(text.bytes, text.file);
  while (reader.next()) {
    if (reader.line().find('\0') != std::string_view::npos) reader.fail("a line of text", "a zero byte");
    const bool blank = reader.line().find_first_not_of(" \t") == std::string_view::npos;
    if (blank && !keeps_blank) {
      ++blank_lines;
      continue;
    }
    numbers.begin_line();
    if (q == 0) {
      add_words(reader, numbers, tokens);
    } else if (!blank) {
      add_grams(reader.line(), q, numbers, tokens);
    }
    offsets.push_back(tokens.size());
    if (tokens.size() > kMaxTokens) {
      reader.fail("at most " + std::to_string(kMaxTokens) + " tokens", "more");
    }
  }
  const auto sets = static_cast<std::int64_t>(offsets.size() - 1);
  if (sets == 0 || sets > kMaxSets) {
    throw InputError(text.file, 0, "1 to " + std::to_string(kMaxSets) + " lines with a set", std::to_string(sets),
                     sets == 0 ? "blank lines are sets only with blank_lines: empty_set" : "");
  }
  Content content = sets_content(std::move(offsets), std::move(tokens), threads);
  content.properties["blank_lines_skipped"] = blank_lines;
  return content;
}

}  // namespace warpbench::datasets
