// DistinctTokens: collects distinct tokens and returns them ascending; the working memory of one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/sets.hpp"

namespace warpbench::datasets {

/// Uses a bitmap for universes that fit in a cache, otherwise a hash table with linear probing, at most half full.
class DistinctTokens {
 public:
  /// Holds at most `most` tokens, all below `universe`.
  DistinctTokens(std::uint64_t universe, std::uint64_t most);

  [[nodiscard]] std::size_t size() const noexcept { return added_.size(); }
  /// Returns false if the token was already there.
  bool add(Token token);
  /// Writes the tokens to `out`, ascending, and clears them. O(size log size), or O(universe / 64) if that is less.
  void take(Token* out);

 private:
  bool add_to_bitmap(Token token) noexcept;
  bool add_to_table(Token token) noexcept;
  void scan_bitmap(Token* out) noexcept;

  std::vector<std::uint64_t> bitmap_;
  std::vector<std::uint32_t> table_;  // positions in added_, plus 1
  unsigned table_shift_ = 0;
  std::vector<Token> added_;
};

}  // namespace warpbench::datasets
