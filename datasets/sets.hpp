// SetCollection: sets of tokens, the input of set_intersection, set_containment and set_similarity_join
// (bellas2022 §4.1, §6.1).
//
// A token is any 32-bit number. Every set is sorted ascending and has no token twice: merges, binary searches and
// bitmaps rely on that. A set may be empty.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "datasets/array.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

using Token = std::uint32_t;

/// The maximum number of sets: their numbers are 32 bits wide, and 2^32 - 1 is left as "no set".
inline constexpr std::int64_t kMaxSets = std::numeric_limits<std::uint32_t>::max();

struct SetCollection {
  static constexpr Kind kKind = Kind::Sets;

  Array<std::uint64_t> offsets;  // count() + 1; offsets[i] .. offsets[i + 1] is set i
  Array<Token> tokens;           // all sets, one after the other

  [[nodiscard]] std::int64_t count() const noexcept {
    return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size() - 1);
  }
  /// The number of tokens of all sets together.
  [[nodiscard]] std::int64_t total() const noexcept { return static_cast<std::int64_t>(tokens.size()); }
  [[nodiscard]] std::int64_t size(std::int64_t i) const noexcept {
    const auto at = static_cast<std::size_t>(i);
    return static_cast<std::int64_t>(offsets[at + 1] - offsets[at]);
  }
  /// Set i, ascending.
  [[nodiscard]] std::span<const Token> set(std::int64_t i) const noexcept {
    const auto at = static_cast<std::size_t>(i);
    return tokens.span().subspan(offsets[at], offsets[at + 1] - offsets[at]);
  }
  /// The largest token + 1, up to 2^32; 0 if all sets are empty. O(sets).
  [[nodiscard]] std::int64_t universe() const noexcept;
  /// The size of the largest set. O(sets).
  [[nodiscard]] std::int64_t max_size() const noexcept;

  /// Checks that offsets start at 0, never fall and end at the number of tokens, that there are at most kMaxSets sets,
  /// and that every set is ascending without repeats. Throws InputError("sets", …) that names the set. O(tokens).
  void validate() const;

  /// sets, tokens (of all sets), universe, distinct_tokens, min_size, mean_size, max_size, and frequent_share: the
  /// share of all tokens that the 1 % most frequent distinct ones make up (0.01 where all are equally frequent).
  /// Also how many sets have 1, 2 to 3, 4 to 7, … tokens: size_class_1, the least size of the first of these classes
  /// that has sets, and sets_of_class_1; size_class_2, …. Empty sets are in none. O(tokens) if the universe is not far
  /// larger, otherwise O(tokens log tokens).
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    visit("offsets", self.offsets);
    visit("tokens", self.tokens);
  }

  friend bool operator==(const SetCollection&, const SetCollection&) = default;
};

/// Builds sets from unsorted ones with repeats: set i is tokens[offsets[i]] to tokens[offsets[i + 1] - 1]. Sorts each,
/// keeps one of equal tokens and, if `duplicates` is given, counts the others in it. `offsets` has at least one entry;
/// the first is 0, the last tokens.size(). O(tokens log max_size / threads).
[[nodiscard]] SetCollection build_sets(std::vector<std::uint64_t> offsets, std::vector<Token> tokens, int threads = 0,
                                       std::int64_t* duplicates = nullptr);

/// The tokens that occur, ascending, and the number of sets that contain each.
struct TokenFrequencies {
  std::vector<Token> tokens;
  std::vector<std::uint32_t> counts;
};

/// Takes as long as describe(), and 8 bytes per distinct token.
[[nodiscard]] TokenFrequencies token_frequencies(const SetCollection& sets, int threads = 0);

}  // namespace warpbench::datasets
