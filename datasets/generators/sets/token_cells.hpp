// How likely each token of a universe is, as runs of tokens that are equally likely: exact in integers, so that
// generated sets are the same on every machine, and small where the universe has a billion tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/sets.hpp"

namespace warpbench::datasets {

enum class TokenDistribution : std::uint8_t {
  uniform,  ///< all tokens alike
  normal,   ///< around the middle of the universe, with an eighth of it as standard deviation
  zipf      ///< token t as (t + 1)^-exponent
};
/// uniform, normal, zipf: the choices of parameters, the default first.
[[nodiscard]] std::vector<std::string> token_distribution_names();
[[nodiscard]] TokenDistribution token_distribution_from_string(const std::string& name);

struct TokenCell {
  std::uint64_t first = 0;
  std::uint64_t width = 0;
  std::uint64_t density = 0;  // of each of its tokens, as a share of the likeliest token's, times 2^62
};

/// The cells of tokens 0 to universe - 1, ascending, at most about 10,000: a zipf's first 4,096 tokens have their own,
/// later ones are 1/256 as wide as their first token; a normal's are 1/8,192 of the universe wide. O(cells).
[[nodiscard]] std::vector<TokenCell> token_cells(std::uint64_t universe, TokenDistribution distribution,
                                                 double exponent);

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
