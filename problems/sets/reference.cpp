#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

#include "problems/sets/pairs.hpp"

namespace warpbench::pairs {
namespace {

using datasets::SetCollection;
using datasets::Token;

/// Counts the common tokens of a row's set with each later set. Threads share it.
class RowCounter {
 public:
  virtual ~RowCounter() = default;
  RowCounter() = default;
  RowCounter(const RowCounter&) = delete;
  RowCounter& operator=(const RowCounter&) = delete;
  virtual void count(std::int64_t row, std::span<std::uint32_t> counts) const = 0;
};

/// Tokens renumbered 0 … distinct - 1.
struct Renumbered {
  std::vector<std::uint32_t> tokens;
  std::size_t distinct = 0;

  explicit Renumbered(const SetCollection& sets) : tokens(sets.tokens.begin(), sets.tokens.end()) {
    std::vector<Token> known = tokens;
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    distinct = known.size();
    const auto size = static_cast<std::int64_t>(tokens.size());
#pragma omp parallel for
    for (std::int64_t i = 0; i < size; ++i) {
      Token& token = tokens[static_cast<std::size_t>(i)];
      token = static_cast<Token>(std::ranges::lower_bound(known, token) - known.begin());
    }
  }
};

/// The sets that hold each token, ascending.
class InvertedLists final : public RowCounter {
 public:
  InvertedLists(const SetCollection& sets, const Renumbered& renumbered)
      : sets_(sets), renumbered_(renumbered), offsets_(renumbered.distinct + 1), lists_(renumbered.tokens.size()) {
    for (const std::uint32_t token : renumbered.tokens) ++offsets_[token + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::int64_t i = 0; i < sets.count(); ++i) {
      for (const std::uint32_t token : row(i)) lists_[next[token]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// Sum over tokens of the pairs of sets that share it.
  [[nodiscard]] double additions() const {
    double sum = 0;
    for (std::size_t t = 0; t < renumbered_.distinct; ++t) {
      const auto frequency = static_cast<double>(offsets_[t + 1] - offsets_[t]);
      sum += frequency * (frequency - 1) / 2;
    }
    return sum;
  }

  void count(std::int64_t row_number, std::span<std::uint32_t> counts) const override {
    std::ranges::fill(counts, 0U);
    const auto self = static_cast<std::uint32_t>(row_number);
    for (const std::uint32_t token : row(row_number)) {
      const std::span list = std::span(lists_).subspan(offsets_[token], offsets_[token + 1] - offsets_[token]);
      for (auto later = std::ranges::upper_bound(list, self); later != list.end(); ++later) {
        ++counts[*later - self - 1];
      }
    }
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> row(std::int64_t i) const {
    return std::span(renumbered_.tokens)
        .subspan(sets_.offsets[static_cast<std::size_t>(i)], static_cast<std::size_t>(sets_.size(i)));
  }

  const SetCollection& sets_;
  const Renumbered& renumbered_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> lists_;
};

/// A bit for each distinct token.
class Bits final : public RowCounter {
 public:
  Bits(const SetCollection& sets, const Renumbered& renumbered)
      : sets_(sets), words_(words(renumbered)), bits_(static_cast<std::size_t>(sets.count()) * words_) {
    for (std::int64_t i = 0; i < sets.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (std::uint64_t p = sets.offsets[at]; p < sets.offsets[at + 1]; ++p) {
        const std::uint32_t token = renumbered.tokens[p];
        bits_[at * words_ + token / 64] |= std::uint64_t{1} << token % 64;
      }
    }
  }
  static std::size_t words(const Renumbered& renumbered) { return (renumbered.distinct + 63) / 64; }

  void count(std::int64_t row, std::span<std::uint32_t> counts) const override {
    const std::uint64_t* const a = bits_.data() + static_cast<std::size_t>(row) * words_;
    const std::uint64_t* b = a + words_;
    for (std::uint32_t& count : counts) {
      std::uint32_t sum = 0;
      for (std::size_t w = 0; w < words_; ++w) sum += static_cast<std::uint32_t>(std::popcount(a[w] & b[w]));
      count = sum;
      b += words_;
    }
  }

 private:
  const SetCollection& sets_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

void fill_rows(const SetCollection& sets, const RowCounter& counter, const ValueOf& value_of, const Band& band,
               std::span<std::uint32_t> values) {
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t row = band.first_row; row < band.last_row; ++row) {
    const std::span<std::uint32_t> of_row = values.subspan(first_place(sets.count(), row) - band.first_place,
                                                           static_cast<std::size_t>(sets.count() - row - 1));
    counter.count(row, of_row);
    for (std::size_t j = 0; j < of_row.size(); ++j) {
      of_row[j] = value_of(of_row[j], sets.size(row), sets.size(row + 1 + static_cast<std::int64_t>(j)));
    }
  }
}

}  // namespace

Values reference(const SetCollection& sets, const ValueOf& value_of, const Limits& limits) {
  const Renumbered renumbered(sets);
  std::unique_ptr<const RowCounter> counter = std::make_unique<InvertedLists>(sets, renumbered);
  // An addition at a place that is looked up costs about as much as four words in a row.
  const double additions = static_cast<const InvertedLists&>(*counter).additions();
  const double words = static_cast<double>(count(sets.count())) * static_cast<double>(Bits::words(renumbered));
  if (words < 4 * additions) counter = std::make_unique<Bits>(sets, renumbered);

  Values values;
  if (count(sets.count()) <= limits.kept) {
    values.kept.resize(count(sets.count()));
    fill_rows(sets, *counter, value_of, {0, sets.count() - 1, 0, count(sets.count())}, values.kept);
    return values;
  }
  std::vector<std::uint32_t> of_band;
  for (const Band& band : bands(sets.count(), limits.in_band)) {
    of_band.resize(band.places);
    fill_rows(sets, *counter, value_of, band, of_band);
    values.band_digests.push_back(digest_of_band(of_band, band.first_place));
  }
  return values;
}

}  // namespace warpbench::pairs
