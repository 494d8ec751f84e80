// DistinctTokens: a set of tokens that grows one by one and comes out ascending; one thread's working memory.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/sets.hpp"

namespace warpbench::datasets {

/// A bitmap for universes that a cache holds, else a hash table with linear probing that is at most half full.
class DistinctTokens {
 public:
  /// For at most `most` tokens at a time, all below `universe`.
  DistinctTokens(std::uint64_t universe, std::uint64_t most);

  [[nodiscard]] std::size_t size() const noexcept { return added_.size(); }
  /// False where it was there.
  bool add(Token token);
  /// Writes the tokens to `out`, ascending, and forgets them. O(size log size), or O(universe / 64) if that is less.
  void take(Token* out);

 private:
  bool add_to_bitmap(Token token) noexcept;
  bool add_to_table(Token token) noexcept;
  void scan_bitmap(Token* out) noexcept;

  std::vector<std::uint64_t> bitmap_;
  std::vector<std::uint32_t> table_;  // places in added_, plus 1
  unsigned table_shift_ = 0;
  std::vector<Token> added_;
};

}  // namespace warpbench::datasets
