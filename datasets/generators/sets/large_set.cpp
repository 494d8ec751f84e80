#include "datasets/generators/sets/large_set.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/generators/random.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr unsigned kFraction = 24;  // expected numbers of tokens are Q24
constexpr std::uint64_t kPieceTokens = 1024;

/// 1 - 2^-(draws × density) in Q62, for draws in Q24 and a density in Q62.
std::uint64_t inclusion_q62(std::uint64_t draws, std::uint64_t density) {
  constexpr std::uint64_t kLn2 = 3'196'577'161'300'663'914;  // Q62
  constexpr Wide kSmall = Wide{1} << 46U;
  const Wide power = (static_cast<Wide>(draws) * density) >> kFraction;  // Q62
  if (power < kSmall) return static_cast<std::uint64_t>((power * kLn2) >> 62U);
  if (power >= (Wide{62} << 62U)) return std::uint64_t{1} << 62U;
  return (std::uint64_t{1} << 62U) - exp2_minus_q62(static_cast<std::uint64_t>(power >> 30U));
}

/// Expected number of tokens of a cell in the set; at most its width, so that no piece gets more tokens than it has.
std::uint64_t expected_q24(const TokenCell& cell, std::uint64_t draws) {
  return static_cast<std::uint64_t>((static_cast<Wide>(cell.width) * inclusion_q62(draws, cell.density)) >>
                                    (62U - kFraction));
}

std::uint64_t total_q24(std::span<const TokenCell> cells, std::uint64_t draws) {
  std::uint64_t total = 0;
  for (const TokenCell& cell : cells) total += expected_q24(cell, draws);
  return total;
}

/// The smallest number of draws that gives `size` tokens on average.
std::uint64_t draws_for(const std::string& where, std::span<const TokenCell> cells, std::uint64_t size) {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
  if (const std::uint64_t most = total_q24(cells, high) >> kFraction; most < size) {
    throw InputError(where, 0,
                     "sets of at most " + std::to_string(most) + " tokens, what so skewed a distribution gives",
                     std::to_string(size));
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (total_q24(cells, middle) < (size << kFraction)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The number of tokens to take from first to first + width - 1, all equally likely.
struct Piece {
  std::uint64_t first = 0;
  std::uint64_t width = 0;
  std::uint64_t begin = 0;  // position of its tokens in the set
  std::uint64_t count = 0;
};

/// Gives every cell its expected number of tokens, rounded up or down so that the sums stay true (systematic sampling
/// with a random start), and cuts the cells into pieces by the same rule.
std::vector<Piece> pieces_of(const std::string& where, std::span<const TokenCell> cells, std::uint64_t size,
                             const Random& random) {
  const std::uint64_t draws = draws_for(where, cells, size);
  const std::uint64_t total = total_q24(cells, draws);
  if (total == 0) return {};
  const std::uint64_t start = random.below(total, 0);
  const auto rank_of = [&](std::uint64_t expected_before) {
    return static_cast<std::uint64_t>((static_cast<Wide>(expected_before) * size + start) / total);
  };
  std::vector<Piece> pieces;
  std::uint64_t before = 0;
  for (const TokenCell& cell : cells) {
    const std::uint64_t expected = expected_q24(cell, draws);
    const std::uint64_t parts = std::max<std::uint64_t>(1, (expected >> kFraction) / kPieceTokens);
    const auto place = [&](std::uint64_t part) { return cell.width * part / parts; };
    const auto rank = [&](std::uint64_t part) {
      return rank_of(before + static_cast<std::uint64_t>(static_cast<Wide>(expected) * place(part) / cell.width));
    };
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t begin = rank(part);
      const std::uint64_t end = rank(part + 1);
      if (begin < end) pieces.push_back({cell.first + place(part), place(part + 1) - place(part), begin, end - begin});
    }
    before += expected;
  }
  return pieces;
}

/// Draws `count` distinct numbers below `width`, ascending. Needs few rounds, because count is at most half of width.
void draw_distinct(std::vector<std::uint64_t>& numbers, std::uint64_t count, std::uint64_t width, const Random& random,
                   std::uint64_t index) {
  numbers.clear();
  while (numbers.size() < count) {
    for (std::uint64_t missing = count - numbers.size(); missing > 0; --missing) {
      numbers.push_back(random.below(width, index++));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
}

void fill(const Piece& piece, const Random& random, std::uint64_t index, std::vector<std::uint64_t>& numbers,
          Token* out) {
  const bool dense = 2 * piece.count > piece.width;  // then it is cheaper to draw the tokens to leave out
  draw_distinct(numbers, dense ? piece.width - piece.count : piece.count, piece.width, random, index);
  if (!dense) {
    for (const std::uint64_t number : numbers) *out++ = static_cast<Token>(piece.first + number);
    return;
  }
  numbers.push_back(piece.width);
  std::uint64_t next = 0;
  for (const std::uint64_t left_out : numbers) {
    for (; next < left_out; ++next) *out++ = static_cast<Token>(piece.first + next);
    ++next;
  }
}

}  // namespace

void make_large_set(const std::string& where, std::span<const TokenCell> cells, std::uint64_t seed,
                    std::uint64_t stream, std::span<Token> set, int threads) {
  constexpr std::size_t kGrain = 16;
  const std::vector<Piece> pieces = pieces_of(where, cells, set.size(), Random(seed, stream));
  const Random random(seed, stream + 1);
  for_chunks(pieces.size(), kGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = begin; i < end; ++i) {
      fill(pieces[i], random, std::uint64_t{i} << 32U, numbers, set.data() + pieces[i].begin);
    }
  });
}

}  // namespace warpbench::datasets
