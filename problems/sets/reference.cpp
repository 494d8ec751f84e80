#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "problems/sets/common_bits.hpp"
#include "problems/sets/pairs.hpp"

namespace warpbench::pairs {
namespace {

using datasets::SetCollection;
using datasets::Token;

/// The first place from `from` on where `tokens`, ascending, are not below `token`. A set's next token is near the
/// last.
std::size_t first_not_below(std::span<const Token> tokens, std::size_t from, Token token) {
  std::size_t step = 1;
  for (; from + step < tokens.size() && tokens[from + step] < token; step *= 2) from += step;
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(from + step, tokens.size()));
  return static_cast<std::size_t>(std::lower_bound(begin, end, token) - tokens.begin());
}

/// Calls visit(i) for each tokens[i] that the set has, too, ascending.
template <typename Visit>
void for_each_common(std::span<const Token> set, std::span<const Token> tokens, const Visit& visit) {
  std::size_t at = 0;
  for (const Token token : set) {
    at = first_not_below(tokens, at, token);
    if (at == tokens.size()) return;
    if (tokens[at] == token) visit(at);
  }
}

/// Counts the common tokens of sets. Those of many sets are bits: two sets share the bits that both have. Those of few
/// sets have lists of these. Those of one set are in no pair.
class CommonTokens {
 public:
  explicit CommonTokens(const SetCollection& sets) : rows_(static_cast<std::size_t>(sets.count())) {
    const datasets::TokenFrequencies all = datasets::token_frequencies(sets);
    // An addition at a place that is looked up is taken to cost as much as four words in a row. On 10,000 sets any
    // number from 4 to 32 took the same time.
    const double words_of_a_bit = static_cast<double>(count(sets.count())) / 64;
    std::vector<Token> as_bits;
    std::vector<Token> listed;
    for (std::size_t i = 0; i < all.tokens.size(); ++i) {
      const double frequency = all.counts[i];
      if (frequency < 2) continue;
      const bool is_frequent = 4 * frequency * (frequency - 1) / 2 > words_of_a_bit;
      (is_frequent ? as_bits : listed).push_back(all.tokens[i]);
      if (!is_frequent) offsets_.push_back(offsets_.back() + all.counts[i]);
    }
    words_ = (as_bits.size() + 64 * kWordsOfBlock - 1) / (64 * kWordsOfBlock) * kWordsOfBlock;
    bits_.resize(rows_.size() * words_);
#pragma omp parallel for schedule(dynamic, 16)
    for (std::int64_t i = 0; i < sets.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      for_each_common(sets.set(i), as_bits,
                      [&](std::size_t bit) { bits_[at * words_ + bit / 64] |= std::uint64_t{1} << bit % 64; });
      for_each_common(sets.set(i), listed,
                      [&](std::size_t list) { rows_[at].push_back(static_cast<std::uint32_t>(list)); });
    }
    fill_lists();
  }

  /// Of each set of rows [first, first + of_rows.size()) with each later set. Threads share it.
  void count_rows(std::int64_t first, std::span<const std::span<std::uint32_t>> of_rows) const {
    for (const std::span<std::uint32_t> counts : of_rows) std::ranges::fill(counts, 0U);
    if (words_ > 0) count_bits(static_cast<std::size_t>(first), of_rows);
    for (std::size_t i = 0; i < of_rows.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(static_cast<std::size_t>(first) + i);
      for (const std::uint32_t number : rows_[row]) {
        const std::span list = std::span(lists_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
        for (auto later = std::ranges::upper_bound(list, row); later != list.end(); ++later) {
          ++of_rows[i][*later - row - 1];
        }
      }
    }
  }

 private:
  /// The bits of some sets stay in the cache while those of the rows are compared with them.
  void count_bits(std::size_t first, std::span<const std::span<std::uint32_t>> of_rows) const {
    constexpr std::size_t kColumns = 32;
    std::vector<std::uint32_t> counts(of_rows.size() * kColumns);
    const std::span<const std::uint64_t> rows = bits_of(first, of_rows.size());
    for (std::size_t from = first + 1; from < rows_.size(); from += kColumns) {
      const std::size_t columns = std::min(kColumns, rows_.size() - from);
      count_common_bits(rows, bits_of(from, columns), words_, counts);
      for (std::size_t i = 0; i < of_rows.size(); ++i) {
        const std::size_t row = first + i;
        for (std::size_t j = from > row ? 0 : row + 1 - from; j < columns; ++j) {
          of_rows[i][from + j - row - 1] = counts[i * columns + j];
        }
      }
    }
  }
  [[nodiscard]] std::span<const std::uint64_t> bits_of(std::size_t first, std::size_t sets) const {
    return std::span(bits_).subspan(first * words_, sets * words_);
  }

  /// Threads take lists, and find their part of each row.
  void fill_lists() {
    lists_.resize(offsets_.back());
    const std::size_t lists = offsets_.size() - 1;
    constexpr std::int64_t kSlices = 64;
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t slice = 0; slice < kSlices; ++slice) {
      const auto first = static_cast<std::uint32_t>(lists * static_cast<std::size_t>(slice) / kSlices);
      const auto last = static_cast<std::uint32_t>(lists * static_cast<std::size_t>(slice + 1) / kSlices);
      std::vector<std::uint64_t> next(offsets_.begin() + first, offsets_.begin() + last);
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (auto number = std::ranges::lower_bound(rows_[row], first); number != rows_[row].end() && *number < last;
             ++number) {
          lists_[next[*number - first]++] = static_cast<std::uint32_t>(row);
        }
      }
    }
  }

  std::vector<std::vector<std::uint32_t>> rows_;  ///< the listed tokens of each set by number, ascending
  std::vector<std::uint64_t> offsets_{0};         ///< of lists, in lists_
  std::vector<std::uint32_t> lists_;              ///< the sets that have each listed token, ascending
  std::size_t words_ = 0;                         ///< of the bits of a set
  std::vector<std::uint64_t> bits_;
};

void fill_rows(const SetCollection& sets, const CommonTokens& common, const ValueOf& value_of, const Band& band,
               std::span<std::uint32_t> values) {
  // Some shares for each thread, as rows take longer or shorter.
  constexpr std::int64_t kShares = 8;
  const std::int64_t shared = (band.last_row - band.first_row) / (kShares * omp_get_max_threads());
  const std::int64_t rows = std::clamp<std::int64_t>(shared, 1, 16);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t first = band.first_row; first < band.last_row; first += rows) {
    const std::int64_t last = std::min(first + rows, band.last_row);
    std::vector<std::span<std::uint32_t>> of_rows;
    for (std::int64_t row = first; row < last; ++row) {
      of_rows.push_back(values.subspan(first_place(sets.count(), row) - band.first_place,
                                       static_cast<std::size_t>(sets.count() - row - 1)));
    }
    common.count_rows(first, of_rows);
    for (std::int64_t row = first; row < last; ++row) {
      std::int64_t column = row;
      for (std::uint32_t& value : of_rows[static_cast<std::size_t>(row - first)]) {
        value = value_of(value, sets.size(row), sets.size(++column));
      }
    }
  }
}

}  // namespace

Values reference(const SetCollection& sets, const ValueOf& value_of, const Limits& limits) {
  const CommonTokens common(sets);
  Values values;
  if (count(sets.count()) <= limits.kept) {
    values.kept.resize(count(sets.count()));
    fill_rows(sets, common, value_of, {0, sets.count() - 1, 0, count(sets.count())}, values.kept);
    return values;
  }
  std::vector<std::uint32_t> of_band;
  for (const Band& band : bands(sets.count(), limits.in_band)) {
    of_band.resize(band.places);
    fill_rows(sets, common, value_of, band, of_band);
    values.band_digests.push_back(digest_of_band(of_band, band.first_place));
  }
  return values;
}

}  // namespace warpbench::pairs
