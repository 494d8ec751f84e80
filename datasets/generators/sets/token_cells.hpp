// The probability of each token of a universe, as runs of equally likely tokens. Integers keep it exact, so that
// generated sets are the same on every machine; runs keep it small for a universe of a billion tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/sets.hpp"

namespace warpbench::datasets {

enum class TokenDistribution : std::uint8_t {
  uniform,  ///< all tokens equally likely
  normal,   ///< around the middle of the universe; the standard deviation is an eighth of it
  zipf      ///< token t has probability proportional to (t + 1 + shift)^-exponent
};
/// uniform, normal, zipf: the choices of a parameter, with the default first.
[[nodiscard]] std::vector<std::string> token_distribution_names();
[[nodiscard]] TokenDistribution token_distribution_from_string(const std::string& name);

struct TokenCell {
  std::uint64_t first = 0;
  std::uint64_t width = 0;
  std::uint64_t density = 0;  // probability of each of its tokens relative to the most likely token's, times 2^62
};

/// The cells of tokens 0 to universe - 1, ascending, at most about 10,000. With zipf each of the first 4,096 tokens has
/// a cell of its own, and the width of a later cell is 1/256 of its first token. With normal, cells are 1/8,192 of the
/// universe wide. O(cells).
[[nodiscard]] std::vector<TokenCell> token_cells(std::uint64_t universe, TokenDistribution distribution,
                                                 double exponent, std::uint64_t shift = 0);

/// Draws tokens in proportion to their densities, in O(1).
class TokenDraw {
 public:
  explicit TokenDraw(std::vector<TokenCell> cells);
  /// The token that a uniformly random word stands for.
  [[nodiscard]] Token operator()(std::uint64_t word) const noexcept;

 private:
  std::vector<TokenCell> cells_;
  WeightedChoice choice_;
};

}  // namespace warpbench::datasets
