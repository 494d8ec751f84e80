// The inner loops of nested-loop: θ of one tuple of R, or of many, with a tile of S, on vectors.
//
// Every θ is made of two tests, r < s and r == s. The others are these two inverted, or on complemented keys:
// r > s exactly if ~r < ~s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "problems/theta_join/rows.hpp"
#include "solvers/simd.hpp"

namespace warpbench::nested_loop {

/// The tuples of S in a tile: a number of vectors, whichever the instruction set.
inline constexpr std::size_t kTile = 2048;

/// How a condition is evaluated on keys that complement() brought into shape.
struct Test {
  bool is_equality = false;  ///< r == s, not r < s
  bool is_inverted = false;  ///< holds where that does not
};

/// One condition, or the conjunction of two.
struct Tests {
  std::array<Test, 2> tests;
  bool is_conjunction = false;
};

/// The keys of a tuple that θ compares: of the first condition, of the second.
struct KeysOfR {
  std::span<const std::int32_t> first;
  std::span<const std::int32_t> second;  ///< any as many where there is one condition
};
/// Of S, kTile of them.
struct TileOfS {
  const std::int32_t* first = nullptr;
  const std::int32_t* second = nullptr;
};

/// The rows of one tuple of R in a tile, column by column.
struct Matches {
  // A vector may be written beyond the last match.
  std::array<std::int32_t, kTile + kMaxSimdWidth> a;
  std::array<std::int32_t, kTile + kMaxSimdWidth> x;
};

struct Loops {
  /// For each of the tile's first `size` tuples, with how many of R's it satisfies θ: fewer than 2^32. `counts` has
  /// room for kTile.
  void (*count)(const Tests& tests, const KeysOfR& r, const TileOfS& s, std::size_t size,
                std::uint32_t* counts) = nullptr;
  /// The values of columns a and x of those of the tile's first `size` tuples that satisfy θ with tuple i of R; returns
  /// their number.
  std::size_t (*select)(const Tests& tests, const KeysOfR& r, std::size_t i, const TileOfS& s, const std::int32_t* a,
                        const std::int32_t* x, std::size_t size, Matches& matches) = nullptr;
  /// The matches as rows.
  void (*write)(std::int32_t r_a, const Matches& matches, std::size_t count, theta::Row* rows) = nullptr;
};

[[nodiscard]] Loops loops_for(Simd simd);

}  // namespace warpbench::nested_loop
