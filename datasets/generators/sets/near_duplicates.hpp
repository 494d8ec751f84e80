// NearDuplicates: which sets of a collection are copies of an earlier one, with some tokens replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/sets.hpp"

namespace warpbench::datasets {

/// Every answer is a function of the set's number, so that threads can ask in any order. A copy with k of n tokens
/// replaced and its original have a Jaccard similarity of (n - k) / (n + k).
class NearDuplicates {
 public:
  /// About `share` of the sets are copies, each with up to `replaced` of its tokens replaced, but at least one.
  NearDuplicates(double share, double replaced, std::uint64_t seed);

  /// The earlier set that set i is a copy of, itself no copy; nothing if i is no copy. O(1) expected.
  [[nodiscard]] std::optional<std::uint64_t> original_of(std::uint64_t i) const noexcept;

  [[nodiscard]] bool none() const noexcept { return share_ == 0; }
  /// The tokens of its original that copy i keeps, ascending. The original has at least one token.
  [[nodiscard]] std::vector<Token> kept(std::uint64_t i, std::span<const Token> original) const;

 private:
  [[nodiscard]] bool is_copy(std::uint64_t i) const noexcept { return i > 0 && copies_.chance(share_, i); }

  std::uint64_t share_;     // Q32
  std::uint64_t replaced_;  // Q32
  Random copies_;
  Random originals_;
  Random replacements_;
  Random dropped_;
};

}  // namespace warpbench::datasets
