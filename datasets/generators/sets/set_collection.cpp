#include "datasets/generators/sets/set_collection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/sets/distinct_tokens.hpp"
#include "datasets/generators/sets/large_set.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kRanks = 321, kRounding, kTokenIds, kTokens, kContained, kHosts, kSubsets };
constexpr std::uint64_t kLargeSets = std::uint64_t{1} << 40U;  // and two streams a set
constexpr std::uint64_t kLargeSize = std::uint64_t{1} << 18U;

const char* const kWhere = "set_collection";
constexpr double kMaxSize = 16'777'215.0;  // power-law weights are 32 bits wide, in 1/256

struct Shape {
  std::uint64_t sets = 0;
  std::uint64_t universe = 0;
  double mean = 0.0;
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
  std::uint64_t contained = 0;
};

void require(bool good, const std::string& expected, const std::string& found) {
  if (!good) throw InputError(kWhere, 0, expected, found);
}

Shape shape_of(const Properties& values) {
  const auto scaled = [&](const char* name) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(integer(values, name)) * real(values, "scale")));
  };
  Shape shape;
  shape.sets = scaled("sets");
  shape.universe = static_cast<std::uint64_t>(integer(values, "universe"));
  shape.mean = real(values, "mean_size");
  shape.smallest = static_cast<std::uint64_t>(integer(values, "min_size"));
  shape.largest = static_cast<std::uint64_t>(integer(values, "max_size"));
  shape.contained = scaled("contained");
  const bool alike = shape.largest == 0;
  if (alike) shape.largest = static_cast<std::uint64_t>(std::ceil(shape.mean));
  require(shape.sets >= 1 && shape.sets <= static_cast<std::uint64_t>(kMaxSets),
          "1 to " + std::to_string(kMaxSets) + " sets after scaling", std::to_string(shape.sets));
  require(shape.largest <= shape.universe, "sizes of at most " + std::to_string(shape.universe) + ", the universe",
          std::to_string(shape.largest));
  require(alike || shape.mean < static_cast<double>(shape.largest),
          "a mean_size below max_size, " + std::to_string(shape.largest), to_string(Property{shape.mean}));
  require(shape.smallest <= shape.largest, "a min_size of at most " + std::to_string(shape.largest),
          std::to_string(shape.smallest));
  return shape;
}

/// Sizes by rank, descending, in 1/256 token.
std::vector<std::uint32_t> size_weights(const Shape& shape, const Properties& values, int threads) {
  const auto top =
      static_cast<std::uint64_t>(std::llround(static_cast<double>(shape.sets) * real(values, "largest_share")));
  std::vector<std::uint32_t> weights(top, static_cast<std::uint32_t>(shape.largest * kWeightUnit));
  if (top == shape.sets) return weights;
  const double left = shape.mean * static_cast<double>(shape.sets) - static_cast<double>(top * shape.largest);
  require(left > 0.0, "a mean_size above largest_share × max_size", to_string(Property{shape.mean}));
  const auto falling = power_law_weights(kWhere, shape.sets - top, real(values, "size_exponent"),
                                         static_cast<double>(shape.largest), left, threads);
  weights.insert(weights.end(), falling.begin(), falling.end());
  return weights;
}

/// Start of each set. Sizes are in random order; fractions of a token are rounded up as often as their value says.
std::vector<std::uint64_t> offsets_of(const Shape& shape, const Properties& values, std::uint64_t seed, int threads) {
  const bool alike = integer(values, "max_size") == 0;
  const std::vector<std::uint32_t> weights =
      alike ? std::vector<std::uint32_t>{} : size_weights(shape, values, threads);
  const auto mean = static_cast<std::uint64_t>(std::llround(shape.mean * static_cast<double>(kWeightUnit)));
  const Permutation rank(shape.sets, seed, kRanks);
  const Random rounding(seed, kRounding);
  std::vector<std::uint64_t> offsets(shape.sets + 1, 0);
  for (std::uint64_t i = 0; i < shape.sets; ++i) {
    const std::uint64_t weight = alike ? mean : weights[rank(i)];
    const std::uint64_t size = (weight + rounding.below(kWeightUnit, i)) / kWeightUnit;
    offsets[i + 1] = offsets[i] + std::clamp(size, shape.smallest, shape.largest);
  }
  return offsets;
}

/// The distribution that the tokens of all sets are drawn from.
class TokenSource {
 public:
  TokenSource(const Shape& shape, const Properties& values, std::uint64_t seed, int threads)
      : universe_(shape.universe),
        cells_(token_cells(shape.universe, TokenDistribution::zipf, real(values, "token_exponent"))),
        draw_(cells_),
        seed_(seed),
        random_(seed, kTokens) {
    if (word(values, "token_order") == "random") ids_ = shuffled_ids(shape.universe, seed, kTokenIds, threads);
  }

  [[nodiscard]] std::uint64_t universe() const { return universe_; }

  void make(std::uint64_t set, std::uint64_t size, DistinctTokens& tokens, Token* out) const {
    if (size >= kLargeSize && ids_.empty()) {
      make_large_set(kWhere, cells_, seed_, kLargeSets + 2 * set, {out, size}, 1);
      return;
    }
    constexpr std::uint64_t kDrawsPerToken = 32;
    for (std::uint64_t i = 0; tokens.size() < size && i < kDrawsPerToken * size; ++i) {
      static_cast<void>(tokens.add(id_of(draw_(random_.at((set << 32U) + i)))));
    }
    for (std::uint64_t rank = 0; tokens.size() < size; ++rank) {
      static_cast<void>(tokens.add(id_of(static_cast<Token>(rank))));
    }
    tokens.take(out);
  }

 private:
  [[nodiscard]] Token id_of(Token rank) const { return ids_.empty() ? rank : ids_[rank]; }

  std::uint64_t universe_;
  std::vector<TokenCell> cells_;
  TokenDraw draw_;
  std::uint64_t seed_;
  Random random_;
  std::vector<Token> ids_;
};

void draw_sets(const TokenSource& source, const std::vector<std::uint64_t>& offsets, std::uint64_t largest,
               std::vector<Token>& tokens, int threads) {
  const std::size_t grain =
      std::clamp<std::size_t>((std::size_t{1} << 18U) / std::max<std::uint64_t>(1, largest), 1, 256);
  for_chunks(offsets.size() - 1, grain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    DistinctTokens distinct(source.universe(), largest);
    for (std::size_t i = begin; i < end; ++i) {
      source.make(i, offsets[i + 1] - offsets[i], distinct, tokens.data() + offsets[i]);
    }
  });
}

struct Pair {
  std::uint64_t contained = 0;
  std::uint64_t host = 0;  // earlier, larger, itself not a planted subset
};

/// Pairs random sets, in random order, with a random earlier set that is larger.
std::vector<Pair> choose_pairs(const std::vector<std::uint64_t>& offsets, std::uint64_t wanted, std::uint64_t seed) {
  constexpr std::uint64_t kTries = 64;
  enum class Role : std::uint8_t { free, host, contained };
  const std::uint64_t sets = offsets.size() - 1;
  const auto size = [&offsets](std::uint64_t i) { return offsets[i + 1] - offsets[i]; };
  const Permutation order(sets, seed, kContained);
  const Random random(seed, kHosts);
  std::vector<Role> roles(wanted == 0 ? 0 : sets, Role::free);
  std::vector<Pair> pairs;
  for (std::uint64_t next = 0; next < sets && pairs.size() < wanted; ++next) {
    const std::uint64_t i = order(next);
    if (roles[i] != Role::free || size(i) == 0) continue;
    for (std::uint64_t attempt = 0; i > 0 && attempt < kTries; ++attempt) {
      const std::uint64_t host = random.below(i, next * kTries + attempt);
      if (roles[host] == Role::contained || size(host) <= size(i)) continue;
      roles[host] = Role::host;
      roles[i] = Role::contained;
      pairs.push_back({i, host});
      break;
    }
  }
  require(pairs.size() == wanted, "at most " + std::to_string(pairs.size()) + " contained sets among these sizes",
          std::to_string(wanted));
  return pairs;
}

/// Writes a random subset of the host, ascending: each token is taken with probability wanted / left.
void plant(const Pair& pair, const std::vector<std::uint64_t>& offsets, const Random& random,
           std::vector<Token>& tokens) {
  std::uint64_t left = offsets[pair.host + 1] - offsets[pair.host];
  std::uint64_t wanted = offsets[pair.contained + 1] - offsets[pair.contained];
  const Token* from = tokens.data() + offsets[pair.host];
  Token* to = tokens.data() + offsets[pair.contained];
  for (; wanted > 0; --left, ++from) {
    if (random.below(left, (pair.contained << 32U) + left) >= wanted) continue;
    *to++ = *from;
    --wanted;
  }
}

}  // namespace

std::vector<ParameterDeclaration> set_collection_parameters() {
  constexpr double kUniverse = 4294967296.0;
  return {
      {"sets", 0, 1, static_cast<double>(kMaxSets), "sets at scale 1", true},
      {"universe", 0, 1, kUniverse, "tokens to choose from, at any scale", true},
      {"mean_size", 0.0, 0.0, 1e8, "tokens of a set on average", true},
      {"max_size", 0, 0, kMaxSize, "tokens of the largest set; 0: all sets are of mean_size", false},
      {"min_size", 1, 0, kMaxSize, "tokens of the smallest set at least", false},
      {"size_exponent", 2.5, 1.05, 100.0, "of the sizes' power law, P(size = s) ~ s^-exponent", false},
      {"largest_share", 0.0, 0.0, 1.0, "share of the sets that have max_size", false},
      {"token_exponent", 1.0, 0.0, 16.0, "of the tokens' zipf distribution; 0 is uniform", false},
      {"token_order", "random", 0, kNoLimit, "frequency: token 0 is the most frequent", false, {"random", "frequency"}},
      {"contained", 0, 0, static_cast<double>(kMaxSets), "sets that are subsets of an earlier one, at scale 1", false},
      scale_parameter()};
}

Content generate_set_collection(const Properties& values, std::uint64_t seed, int threads) {
  constexpr std::size_t kGrain = 64;
  const Shape shape = shape_of(values);
  std::vector<std::uint64_t> offsets = offsets_of(shape, values, seed, threads);
  const std::vector<Pair> pairs = choose_pairs(offsets, shape.contained, seed);
  std::vector<Token> tokens(offsets.back());
  draw_sets(TokenSource(shape, values, seed, threads), offsets, shape.largest, tokens, threads);
  const Random random(seed, kSubsets);
  for_chunks(pairs.size(), kGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) plant(pairs[i], offsets, random, tokens);
  });
  return {SetCollection{std::move(offsets), std::move(tokens)},
          {{"planted_pairs", static_cast<std::int64_t>(pairs.size())}},
          {}};
}

}  // namespace warpbench::datasets
