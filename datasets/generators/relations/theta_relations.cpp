#include "datasets/generators/relations/theta_relations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/relations/tuple_counts.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr const char* kWhere = "theta_relations";
constexpr std::uint64_t kChanceOne = std::uint64_t{1} << 32U;  // probability 1 of Random::chance()
constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
// Keys of R are then from -999,999,999 to 2,000,000,000.
constexpr double kMaxDistinctKeys = 1e9;

/// Of each relation; S has the streams after R's.
enum Stream : std::uint64_t { kKeys, kShifts, kXs, kCorrelated, kExtremeKeys, kExtremeXs, kStreams };
constexpr std::uint64_t kFirstStream = 501;

std::uint64_t chance_of(double probability) {
  return static_cast<std::uint64_t>(std::llround(probability * static_cast<double>(kChanceOne)));
}

/// How far R's keys are above S's.
struct KeyShift {
  std::int64_t shift = 0;
  std::uint64_t one_more = 0;  // with this probability / 2^32
};

/// Of the n^2 pairs of a key r from c to c + n - 1 and a key s from 0 to n - 1, those with r > s; c from -n to n.
std::int64_t greater_pairs(std::int64_t n, std::int64_t c) {
  const auto triangle = [](std::int64_t side) { return side * (side - 1) / 2; };
  if (c <= 0) return triangle(n + c);
  return n * n - triangle(n - c + 1);
}

KeyShift shift_for(double selectivity, std::int64_t n) {
  const Wide wanted = static_cast<Wide>(chance_of(selectivity)) * static_cast<Wide>(n * n);  // pairs, in 1/2^32
  const auto pairs_at = [n](std::int64_t c) { return static_cast<Wide>(greater_pairs(n, c)) * kChanceOne; };
  // The greatest shift with at most the wanted pairs: none at 1 - n, all n^2 at n.
  std::int64_t low = 1 - n;
  std::int64_t high = n;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (pairs_at(middle) <= wanted ? low : high) = middle;
  }
  if (wanted >= pairs_at(high)) return {high, 0};
  const auto step = static_cast<Wide>(greater_pairs(n, low + 1) - greater_pairs(n, low));
  return {low, static_cast<std::uint64_t>((wanted - pairs_at(low)) / step)};
}

/// The selectivity that keys must have which are no extremes. A tuple has an extreme key with probability `extremes`,
/// half of these the largest integer.
double selectivity_of_others(double selectivity, double extremes) {
  const double half = extremes / 2;
  // R has the largest key, S another one; or S has the smallest, R one that is no extreme.
  const double greater_by_extremes = half * (1 - half) + (1 - extremes) * half;
  const double others = (1 - extremes) * (1 - extremes);
  const double left = selectivity - greater_by_extremes;
  constexpr double kRounding = 1e-9;
  if (left < -kRounding || left > others + kRounding) {
    throw InputError(kWhere, 0,
                     "a selectivity from " + to_string(Property(greater_by_extremes)) + " to " +
                         to_string(Property(greater_by_extremes + others)) + " beside that share of extremes",
                     "selectivity: " + to_string(Property(selectivity)));
  }
  return others == 0 ? 0 : std::clamp(left / others, 0.0, 1.0);
}

/// What R and S have in common.
struct TupleRules {
  std::uint64_t distinct_keys = 1;
  std::int64_t x_low = 0;
  std::uint64_t x_values = 1;
  std::uint64_t correlated = 0;  // with this probability / 2^32
  bool descending = false;       // x falls as keys rise
  std::uint64_t extremes = 0;    // with this probability / 2^32
};

TupleRules rules_from(const Properties& values) {
  const std::int64_t low = integer(values, "x_low");
  const std::int64_t high = integer(values, "x_high");
  if (high < low) {
    throw InputError(kWhere, 0, "an x_high of at least x_low: " + std::to_string(low), std::to_string(high));
  }
  const double correlation = real(values, "correlation");
  return {static_cast<std::uint64_t>(integer(values, "distinct_keys")),
          low,
          static_cast<std::uint64_t>(high - low) + 1,
          chance_of(std::abs(correlation)),
          correlation < 0,
          chance_of(real(values, "extremes"))};
}

/// (place + word / 2^64) / places, in 1/2^64.
std::uint64_t fraction_of(std::uint64_t place, std::uint64_t places, std::uint64_t word) {
  return static_cast<std::uint64_t>(((static_cast<Wide>(place) << 64U) | word) / places);
}

/// A relation whose keys are `shift` above 0 to n - 1.
Relation make_relation(std::int64_t tuples, const TupleRules& rules, const KeyShift& shift, std::uint64_t seed,
                       std::uint64_t first_stream, int threads) {
  const auto stream = [&](Stream one) { return Random(seed, first_stream + one); };
  const Random keys = stream(kKeys);
  const Random shifts = stream(kShifts);
  const Random xs = stream(kXs);
  const Random correlated = stream(kCorrelated);
  const Random extreme_keys = stream(kExtremeKeys);
  const Random extreme_xs = stream(kExtremeXs);
  const auto extreme = [](std::uint64_t word) { return (word & 1U) == 0 ? kLeast : kMost; };
  std::vector<std::int32_t> a(static_cast<std::size_t>(tuples));
  std::vector<std::int32_t> x(a.size());
  for_chunks(a.size(), kTupleGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t place = keys.below(rules.distinct_keys, i);
      a[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(place) + shift.shift +
                                       (shifts.chance(shift.one_more, i) ? 1 : 0));
      if (extreme_keys.chance(rules.extremes, i)) a[i] = extreme(extreme_keys.at(i));
      const std::uint64_t word = xs.at(i);
      const std::uint64_t fraction =
          correlated.chance(rules.correlated, i)
              ? fraction_of(rules.descending ? rules.distinct_keys - 1 - place : place, rules.distinct_keys, word)
              : word;
      x[i] = static_cast<std::int32_t>(
          rules.x_low + static_cast<std::int64_t>((static_cast<Wide>(fraction) * rules.x_values) >> 64U));
      if (extreme_xs.chance(rules.extremes, i)) x[i] = extreme(extreme_xs.at(i));
    }
  });
  return {std::move(a), std::move(x)};
}

}  // namespace

std::vector<ParameterDeclaration> theta_relations_parameters() {
  std::vector<ParameterDeclaration> all = tuple_parameters();
  const std::vector<ParameterDeclaration> others{
      {"selectivity", 0.5, 0.0, 1.0, "share of all pairs with R.a > S.a", false},
      {"distinct_keys", 1'000'000'000, 1, kMaxDistinctKeys, "different keys that S may have; few make ties", false},
      {"extremes", 0.0, 0.0, 1.0, "share of keys, and of x, that are the smallest or largest integer", false},
      {"x_low", 0, double{kLeast}, double{kMost}, "smallest x", false},
      {"x_high", 999'999, double{kLeast}, double{kMost}, "largest x", false},
      {"correlation", 0.0, -1.0, 1.0, "of x with the key", false},
      scale_parameter()};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Content generate_theta_relations(const Properties& values, std::uint64_t seed, int threads) {
  const TupleCounts tuples = scaled_tuples(kWhere, values);
  const TupleRules rules = rules_from(values);
  const double selectivity = selectivity_of_others(real(values, "selectivity"), real(values, "extremes"));
  const KeyShift shift = shift_for(selectivity, integer(values, "distinct_keys"));
  Relation r = make_relation(tuples.r, rules, shift, seed, kFirstStream, threads);
  Relation s = make_relation(tuples.s, rules, {}, seed, kFirstStream + kStreams, threads);
  return {Relations{std::move(r), std::move(s)}, {}, {}};
}

}  // namespace warpbench::datasets
