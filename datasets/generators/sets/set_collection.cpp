#include "datasets/generators/sets/set_collection.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/sets/distinct_tokens.hpp"
#include "datasets/generators/sets/large_set.hpp"
#include "datasets/generators/sets/near_duplicates.hpp"
#include "datasets/generators/sets/set_sizes.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kTokenIds = 323, kTokens, kContained, kHosts, kSubsets };
constexpr std::uint64_t kLargeSets = std::uint64_t{1} << 40U;  // and two streams a set
constexpr std::uint64_t kLargeSize = std::uint64_t{1} << 18U;

const char* const kWhere = "set_collection";
constexpr double kMaxSize = 16'777'215.0;  // power-law weights are 32 bits wide, in 1/256

void require(bool good, const std::string& expected, const std::string& found) {
  if (!good) throw InputError(kWhere, 0, expected, found);
}

/// How many there are, times the scale.
std::uint64_t scaled_count(const Properties& values, const char* name) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(integer(values, name)) * real(values, "scale")));
}

std::uint64_t number_of_sets(const Properties& values) {
  const std::uint64_t sets = scaled_count(values, "sets");
  require(sets >= 1 && sets <= static_cast<std::uint64_t>(kMaxSets),
          "1 to " + std::to_string(kMaxSets) + " sets after scaling", std::to_string(sets));
  return sets;
}

NearDuplicates near_duplicates(const Properties& values, std::uint64_t largest, std::uint64_t seed) {
  const double share = real(values, "near_duplicates");
  if (share > 0.0) {
    require(integer(values, "contained") == 0, "contained or near_duplicates", "both");
    const double needed = std::floor(static_cast<double>(largest) * (1.0 + real(values, "replaced"))) + 1.0;
    require(needed <= static_cast<double>(integer(values, "universe")),
            "a universe of at least max_size × (1 + replaced) + 1, " + std::to_string(std::llround(needed)),
            to_string(values.at("universe")));
  }
  return {share, real(values, "replaced"), seed};
}

/// Start of each set. A copy is as large as its original.
std::vector<std::uint64_t> offsets_of(std::uint64_t sets, const SetSizes& sizes, const NearDuplicates& copies) {
  std::vector<std::uint64_t> offsets(sets + 1, 0);
  for (std::uint64_t i = 0; i < sets; ++i) {
    const auto original = copies.original_of(i);
    offsets[i + 1] = offsets[i] + (original ? offsets[*original + 1] - offsets[*original] : sizes(i));
  }
  return offsets;
}

/// The distribution that the tokens of all sets are drawn from.
class TokenSource {
 public:
  TokenSource(const Properties& values, std::uint64_t seed, int threads)
      : universe_(static_cast<std::uint64_t>(integer(values, "universe"))),
        cells_(token_cells(universe_, TokenDistribution::zipf, real(values, "token_exponent"),
                           static_cast<std::uint64_t>(integer(values, "token_shift")))),
        draw_(cells_),
        seed_(seed),
        random_(seed, kTokens) {
    if (word(values, "token_order") == "random") ids_ = shuffled_ids(universe_, seed, kTokenIds, threads);
  }

  [[nodiscard]] std::uint64_t universe() const { return universe_; }

  /// Writes set `set`, ascending.
  void make(std::uint64_t set, std::span<Token> out, DistinctTokens& tokens) const {
    if (out.size() >= kLargeSize && ids_.empty()) {
      make_large_set(kWhere, cells_, seed_, kLargeSets + 2 * set, out, 1);
      return;
    }
    complete(set, out, tokens, {});
  }

  /// Adds random tokens, none of them in `excluded`, to `tokens` until they fill `out`, and writes them there,
  /// ascending.
  void complete(std::uint64_t set, std::span<Token> out, DistinctTokens& tokens,
                std::span<const Token> excluded) const {
    constexpr std::uint64_t kDrawsPerToken = 32;
    const auto add = [&](Token token) {
      if (!std::binary_search(excluded.begin(), excluded.end(), token)) static_cast<void>(tokens.add(token));
    };
    for (std::uint64_t i = 0; tokens.size() < out.size() && i < kDrawsPerToken * out.size(); ++i) {
      add(id_of(draw_(random_.at((set << 32U) + i))));
    }
    for (std::uint64_t rank = 0; tokens.size() < out.size(); ++rank) add(id_of(static_cast<Token>(rank)));
    tokens.take(out.data());
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

std::span<Token> set_at(const std::vector<std::uint64_t>& offsets, std::uint64_t i, std::vector<Token>& tokens) {
  return std::span(tokens).subspan(offsets[i], offsets[i + 1] - offsets[i]);
}

/// Draws the sets that are no copies, then the copies.
void draw_sets(const TokenSource& source, const NearDuplicates& copies, const std::vector<std::uint64_t>& offsets,
               std::uint64_t largest, std::vector<Token>& tokens, int threads) {
  const std::size_t grain =
      std::clamp<std::size_t>((std::size_t{1} << 18U) / std::max<std::uint64_t>(1, largest), 1, 256);
  const std::size_t sets = offsets.size() - 1;
  for_chunks(sets, grain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    DistinctTokens distinct(source.universe(), largest);
    for (std::size_t i = begin; i < end; ++i) {
      if (!copies.original_of(i)) source.make(i, set_at(offsets, i, tokens), distinct);
    }
  });
  if (copies.none()) return;
  for_chunks(sets, kRowGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    DistinctTokens distinct(source.universe(), largest);
    for (std::size_t i = begin; i < end; ++i) {
      const auto original = copies.original_of(i);
      if (!original || offsets[i] == offsets[i + 1]) continue;
      const std::span<const Token> from = set_at(offsets, *original, tokens);
      for (const Token token : copies.kept(i, from)) static_cast<void>(distinct.add(token));
      source.complete(i, set_at(offsets, i, tokens), distinct, from);
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
      {"size_spread", 0.0, 0.0, 10.0, "of log-normal sizes, the standard deviation of the logarithm; 0: power law",
       false},
      {"token_exponent", 1.0, 0.0, 16.0, "of the tokens' zipf distribution; 0 is uniform", false},
      {"token_shift", 0, 0, 4294967295.0, "of the ranks in zipf's law: flattens the most frequent tokens", false},
      {"token_order", "random", 0, kNoLimit, "frequency: token 0 is the most frequent", false, {"random", "frequency"}},
      {"contained", 0, 0, static_cast<double>(kMaxSets), "sets that are subsets of an earlier one, at scale 1", false},
      {"near_duplicates", 0.0, 0.0, 0.9, "share of the sets that are an earlier one with some tokens replaced", false},
      {"replaced", 0.33, 0.0, 1.0, "share of its tokens that a near duplicate replaces at most", false},
      scale_parameter()};
}

Content generate_set_collection(const Properties& values, std::uint64_t seed, int threads) {
  constexpr std::size_t kGrain = 64;
  const std::uint64_t sets = number_of_sets(values);
  const SetSizes sizes(kWhere, sets, static_cast<std::uint64_t>(integer(values, "universe")), values, seed, threads);
  const NearDuplicates copies = near_duplicates(values, sizes.largest(), seed);
  std::vector<std::uint64_t> offsets = offsets_of(sets, sizes, copies);
  const std::vector<Pair> pairs = choose_pairs(offsets, scaled_count(values, "contained"), seed);
  std::vector<Token> tokens(offsets.back());
  draw_sets(TokenSource(values, seed, threads), copies, offsets, sizes.largest(), tokens, threads);
  const Random random(seed, kSubsets);
  for_chunks(pairs.size(), kGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) plant(pairs[i], offsets, random, tokens);
  });
  return {SetCollection{std::move(offsets), std::move(tokens)},
          {{"planted_pairs", static_cast<std::int64_t>(pairs.size())}},
          {}};
}

}  // namespace warpbench::datasets
