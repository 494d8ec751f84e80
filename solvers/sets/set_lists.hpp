// SetLists: the sets as a CPU technique reads them, with their own tokens, or with the tokens' ranks where it needs a
// universe without large gaps. InvertedIndex: the sets that hold each token.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "datasets/sets.hpp"

namespace warpbench::cpu_sets {

using datasets::SetCollection;
using datasets::Token;
/// A set, or a part of one: ascending.
using List = std::span<const Token>;

/// A view of a collection, which outlives it; the ranks, 4 bytes a token, are its own.
class SetLists {
 public:
  SetLists() = default;
  /// `ranked`: tokens are the ranks of the collection's distinct tokens, 0 … distinct - 1; O(tokens log distinct).
  SetLists(const SetCollection& sets, bool ranked) : sets_(&sets), universe_(sets.universe()) {
    if (!ranked) return;
    known_ = datasets::token_frequencies(sets).tokens;
    universe_ = static_cast<std::int64_t>(known_.size());
    ranks_.resize(sets.tokens.size());
    const std::int64_t total = sets.total();
#pragma omp parallel for
    for (std::int64_t i = 0; i < total; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ranks_[at] = static_cast<Token>(std::ranges::lower_bound(known_, sets.tokens[at]) - known_.begin());
    }
  }

  [[nodiscard]] std::int64_t count() const {
    return sets_->count();
  }
  [[nodiscard]] std::int64_t total() const {
    return sets_->total();
  }
  [[nodiscard]] std::int64_t size(std::int64_t i) const {
    return sets_->size(i);
  }
  /// The largest token of all lists + 1; 0 where all are empty.
  [[nodiscard]] std::int64_t universe() const {
    return universe_;
  }
  [[nodiscard]] List operator[](std::int64_t i) const {
    if (ranks_.empty()) return sets_->set(i);
    const auto at = static_cast<std::size_t>(i);
    return std::span(ranks_).subspan(sets_->offsets[at], sets_->offsets[at + 1] - sets_->offsets[at]);
  }
  /// The collection's token for one of the lists'.
  [[nodiscard]] Token original(Token token) const {
    return known_.empty() ? token : known_[token];
  }

 private:
  const SetCollection* sets_ = nullptr;
  std::int64_t universe_ = 0;
  std::vector<Token> known_;
  std::vector<std::uint32_t> ranks_;
};

/// For each token below the universe of `lists`, which is small, the sets that hold it, ascending. O(tokens / threads +
/// sets), 4 bytes a token and 16 bytes for each number of the universe.
class InvertedIndex {
 public:
  InvertedIndex() = default;
  /// Each thread fills the lists of a range of tokens, so that no two write in one place.
  explicit InvertedIndex(const SetLists& lists)
      : offsets_(static_cast<std::size_t>(lists.universe()) + 1), sets_(static_cast<std::size_t>(lists.total())) {
    const std::vector<Token> bounds = equal_ranges(lists, omp_get_max_threads());
    const auto ranges = static_cast<std::int64_t>(bounds.size()) - 1;
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t range = 0; range < ranges; ++range) {
      for_tokens(lists, bounds, range, [&](Token token, std::int64_t) { ++offsets_[std::size_t{token} + 1]; });
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t range = 0; range < ranges; ++range) {
      for_tokens(lists, bounds, range,
                 [&](Token token, std::int64_t set) { sets_[next[token]++] = static_cast<std::uint32_t>(set); });
    }
  }
  [[nodiscard]] std::size_t tokens() const {
    return offsets_.size() - 1;
  }
  [[nodiscard]] std::span<const std::uint32_t> operator[](Token token) const {
    return std::span(sets_).subspan(offsets_[token], offsets_[token + 1] - offsets_[token]);
  }
  [[nodiscard]] std::span<std::uint32_t> list(Token token) {
    return std::span(sets_).subspan(offsets_[token], offsets_[token + 1] - offsets_[token]);
  }

 private:
  /// Bounds of at most `count` ranges of tokens that stand about equally often in the lists, as a sample has it.
  static std::vector<Token> equal_ranges(const SetLists& lists, std::int64_t count) {
    constexpr std::int64_t kSets = 1024;
    constexpr std::size_t kTokensOfSet = 16;
    std::vector<Token> sample;
    for (std::int64_t s = 0; s < std::min(kSets, lists.count()); ++s) {
      const List list = lists[s * lists.count() / std::min(kSets, lists.count())];
      for (std::size_t k = 0; k < list.size(); k += list.size() / kTokensOfSet + 1) sample.push_back(list[k]);
    }
    std::ranges::sort(sample);
    std::vector<Token> bounds{0};
    for (std::int64_t range = 1; range < count && !sample.empty(); ++range) {
      const Token bound = sample[sample.size() * static_cast<std::size_t>(range) / static_cast<std::size_t>(count)];
      if (bound > bounds.back()) bounds.push_back(bound);
    }
    bounds.push_back(static_cast<Token>(lists.universe()));
    return bounds;
  }

  /// use(token, set) for the tokens of the range, set by set.
  template <typename Use>
  static void for_tokens(const SetLists& lists, const std::vector<Token>& bounds, std::int64_t range, const Use& use) {
    const Token first = bounds[static_cast<std::size_t>(range)];
    const Token last = bounds[static_cast<std::size_t>(range) + 1];
    for (std::int64_t set = 0; set < lists.count(); ++set) {
      const List list = lists[set];
      for (auto token = std::ranges::lower_bound(list, first); token != list.end() && *token < last; ++token) {
        use(*token, set);
      }
    }
  }

  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> sets_;
};

/// Counts, in the row of a set, the later sets of a token's list: of (row, row + 1), (row, row + 2), ….
inline void count_later(std::span<const std::uint32_t> list, std::int64_t row, std::span<std::uint32_t> counts) {
  const auto self = static_cast<std::uint32_t>(row);
  for (auto later = std::ranges::upper_bound(list, self); later != list.end(); ++later) ++counts[*later - self - 1];
}

}  // namespace warpbench::cpu_sets
