// SetLists: the sets as a CPU technique reads them, with their own tokens, or with the tokens' ranks where it needs a
// universe without large gaps. InvertedIndex: the sets that hold each token.
#pragma once

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

/// For each token below the universe of `lists`, which is small, the sets that hold it, ascending. O(tokens), 4 bytes a
/// token and 8 bytes for each number of the universe.
class InvertedIndex {
 public:
  InvertedIndex() = default;
  explicit InvertedIndex(const SetLists& lists)
      : offsets_(static_cast<std::size_t>(lists.universe()) + 1), sets_(static_cast<std::size_t>(lists.total())) {
    for (std::int64_t i = 0; i < lists.count(); ++i) {
      for (const Token token : lists[i]) ++offsets_[token + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::int64_t i = 0; i < lists.count(); ++i) {
      for (const Token token : lists[i]) sets_[next[token]++] = static_cast<std::uint32_t>(i);
    }
  }
  [[nodiscard]] std::size_t tokens() const { return offsets_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](Token token) const {
    return std::span(sets_).subspan(offsets_[token], offsets_[token + 1] - offsets_[token]);
  }
  [[nodiscard]] std::span<std::uint32_t> list(Token token) {
    return std::span(sets_).subspan(offsets_[token], offsets_[token + 1] - offsets_[token]);
  }

 private:
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> sets_;
};

}  // namespace warpbench::cpu_sets
