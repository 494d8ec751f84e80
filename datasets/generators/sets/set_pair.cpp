#include "datasets/generators/sets/set_pair.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "datasets/generators/sets/large_set.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kFirstStream = 301;  // each set uses two streams

std::uint64_t scaled(const Properties& values, const char* name) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(integer(values, name)) * real(values, "scale")));
}

}  // namespace

std::vector<ParameterDeclaration> set_pair_parameters() {
  constexpr double kUniverse = 4294967296.0;
  return {{"size", 0, 1, kUniverse, "tokens of the first set at scale 1", true},
          {"second_size", 0, 0, kUniverse, "tokens of the second set at scale 1; 0: as the first", false},
          {"universe", 0, 1, kUniverse, "tokens to choose from at scale 1", true},
          {"distribution", "uniform", 0, kNoLimit, "of the tokens", false, token_distribution_names()},
          {"exponent", 1.0, 0.0, 16.0, "of a zipf distribution", false},
          scale_parameter()};
}

Content generate_set_pair(const Properties& values, std::uint64_t seed, int threads) {
  const std::uint64_t universe = scaled(values, "universe");
  const std::uint64_t first = scaled(values, "size");
  const std::uint64_t second = integer(values, "second_size") == 0 ? first : scaled(values, "second_size");
  if (universe > std::uint64_t{1} << 32U || std::max(first, second) > universe || std::min(first, second) == 0) {
    throw InputError("set_pair", 0, "1 token to as many as the universe has, at most 2^32, after scaling",
                     std::to_string(first) + " and " + std::to_string(second) + " of " + std::to_string(universe));
  }
  const std::vector<TokenCell> cells =
      token_cells(universe, token_distribution_from_string(word(values, "distribution")), real(values, "exponent"));
  std::vector<Token> tokens(first + second);
  make_large_set("set_pair", cells, seed, kFirstStream, std::span(tokens).first(first), threads);
  make_large_set("set_pair", cells, seed, kFirstStream + 2, std::span(tokens).last(second), threads);
  return {SetCollection{std::vector<std::uint64_t>{0, first, first + second}, std::move(tokens)}, {}, {}};
}

}  // namespace warpbench::datasets
