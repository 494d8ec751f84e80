// All pairs of k sets, (0, 1), (0, 2), …, (k - 2, k - 1): the shape of the answers of set_intersection (MISI) and
// set_containment. A pair's place is its number in that order. Answers too large to keep whole are made and judged a
// band at a time: the pairs of some consecutive rows, which are consecutive places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/sets.hpp"
#include "problems/bytes.hpp"
#include "problems/judgement.hpp"

namespace warpbench::pairs {

/// The number of pairs held at once: a part of a problem's input, as solvers, references and judges must agree on it.
struct Limits {
  std::uint64_t kept = std::uint64_t{1} << 27;  ///< answers of at most so many are kept whole: 16,384 sets have as many
  std::uint64_t in_band = std::uint64_t{1} << 25;  ///< bands of larger ones have at most so many, or one row
};

/// C(sets, 2).
[[nodiscard]] constexpr std::uint64_t count(std::int64_t sets) {
  const auto k = static_cast<std::uint64_t>(sets);
  return k < 2 ? 0 : k % 2 == 0 ? k / 2 * (k - 1) : (k - 1) / 2 * k;
}

/// The place of (row, row + 1): what the rows before it have.
[[nodiscard]] constexpr std::uint64_t first_place(std::int64_t sets, std::int64_t row) {
  return count(sets) - count(sets - row);
}

/// The place of a pair of different sets, in either order.
[[nodiscard]] constexpr std::uint64_t place_of(std::int64_t sets, std::int64_t a, std::int64_t b) {
  const std::int64_t row = a < b ? a : b;
  const std::int64_t column = a < b ? b : a;
  return first_place(sets, row) + static_cast<std::uint64_t>(column - row - 1);
}

struct Pair {
  std::int64_t row;
  std::int64_t column;

  friend bool operator==(const Pair&, const Pair&) = default;
};
/// O(log sets).
[[nodiscard]] Pair pair_at(std::int64_t sets, std::uint64_t place);

/// Rows [first_row, last_row): places [first_place, first_place + places).
struct Band {
  std::int64_t first_row;
  std::int64_t last_row;
  std::uint64_t first_place;
  std::uint64_t places;
};
/// Whole rows, as many as have at most `max_places` pairs together, at least one; none for fewer than two sets.
[[nodiscard]] std::vector<Band> bands(std::int64_t sets, std::uint64_t max_places);
/// The same of rows [first_row, last_row) alone.
[[nodiscard]] std::vector<Band> bands_of_rows(std::int64_t sets, std::int64_t first_row, std::int64_t last_row,
                                              std::uint64_t max_places);
/// Places of the largest band; 0 where there is none.
[[nodiscard]] std::uint64_t max_places(std::span<const Band> bands);
/// All pairs as one band; none for fewer than two sets.
[[nodiscard]] std::vector<Band> one_band(std::int64_t sets);

/// A band's share of digest_of_places(): the sum of its values' mixes, without the number of places.
[[nodiscard]] std::uint64_t digest_of_band(std::span<const std::uint32_t> values, std::uint64_t first_place);
/// The same of values of 8 or 16 bits, as many to a word as there is room for, the first in its lowest bits.
[[nodiscard]] std::uint64_t digest_of_packed_band(std::span<const std::uint32_t> words, int bits, std::uint64_t places,
                                                  std::uint64_t first_place);

/// Appends the places of the values that are 1, ascending; the first value has place `first_place`. In parallel.
void append_places_of_ones(std::span<const std::uint32_t> values, std::uint64_t first_place,
                           std::vector<std::uint64_t>& places);

/// The work of intersecting all pairs: `pairs`; `elements`, the sizes of both sets of every pair.
[[nodiscard]] std::map<std::string, double> work(const datasets::SetCollection& sets);

/// The value of a pair in a problem, from the number of common tokens and the two sets' sizes.
using ValueOf = std::function<std::uint32_t(std::uint32_t common, std::int64_t a, std::int64_t b)>;

/// The values of all pairs; or, for more than Limits::kept, the digest of each of bands(). A reference owns them, a
/// solver's answer is a view of its own.
struct Values {
  std::vector<std::uint32_t> kept;
  std::vector<std::uint64_t> band_digests;

  [[nodiscard]] auto parts() const { return std::tie(kept, band_digests); }
};
struct Answer {
  std::span<std::uint32_t> kept;
  std::span<std::uint64_t> band_digests;

  /// digest_of_places() of the values, or the sum of the bands' digests.
  [[nodiscard]] std::uint64_t digest() const;
  void poison() {
    std::ranges::fill(kept, kPoison);
    std::ranges::fill(band_digests, kPoison);
  }
};

/// Tokens of more than about a sixteenth of the sets are compared as bits; for each other token of a row's set the
/// later sets that have it are counted. O(pairs × frequent tokens / 64 + sum of the squares of the other tokens'
/// frequencies), in parallel over rows. Memory: at most 2 bytes a token for bits and 64 a set, 8 a token for the
/// others.
[[nodiscard]] Values reference(const datasets::SetCollection& sets, const ValueOf& value_of, const Limits& limits);

/// Exact, or wrong with the first pair, or the first band of rows, that differs.
[[nodiscard]] Judgement judge(const datasets::SetCollection& sets, const Answer& answer, const Values& reference,
                              const Limits& limits);
/// The values, or digests, of that many sets from a stored reference. Throws std::runtime_error where bytes lack.
[[nodiscard]] Values read(ReferenceReader& stored, std::int64_t sets, const Limits& limits);

}  // namespace warpbench::pairs
