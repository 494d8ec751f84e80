// auto: chooses a technique by a small cost model of measured properties of the input. The document has a rule of thumb
// (bellas2022 §6.2.3): mm for small universes and dense sets, bi-dynamic or ip-obs for very large sets, static-index
// else.
//
// The model: each technique does a number of elementary steps that follows from the sets' sizes and the tokens'
// frequencies; a step takes the time it was measured to take on an H200 (docs/performance/sets.md). On another GPU
// times differ, their order less so. That of rarest-token, for contained pairs alone, is a prediction.
#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "datasets/generators/random.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

using datasets::SetCollection;

/// The properties of an input that the costs depend on.
struct Facts {
  double sets = 0;
  double tokens = 0;  ///< of all sets together
  double universe = 0;
  double shared_pairs = 0;  ///< sum over tokens of the pairs of sets that both have it, estimated; or not asked for
  bool single = false;
  bool only_counts = true;       ///< a count of each pair is the answer, which is all that bi-naive gives
  bool contained_pairs = false;  ///< these alone are the answer; no tokens are looked up then

  [[nodiscard]] double pairs() const { return sets * (sets - 1) / 2; }
};

/// The sum over tokens of the pairs of sets that both have it, by a sample: counting all tokens would take several
/// times as long as the fastest technique. For each of some tokens of all sets another set is asked whether it has it.
/// The same each time. Where a share p of them has it, the standard error is sqrt((1 - p) / (kSamples p)): 2 % for a
/// third, 16 % for a hundredth. With few hits it says little, but then shared tokens are a small part of the costs, or
/// the other techniques are many times as dear.
double estimated_shared_pairs(const SetCollection& sets) {
  constexpr std::int64_t kSamples = std::int64_t{1} << 12;
  if (sets.count() < 2 || sets.total() == 0) return 0;
  const std::span<const std::uint64_t> offsets = sets.offsets.span();
  const auto count = static_cast<std::uint64_t>(sets.count());
  std::int64_t hits = 0;
#pragma omp parallel for reduction(+ : hits)
  for (std::int64_t sample = 0; sample < kSamples; ++sample) {
    const datasets::Random random(0, static_cast<std::uint64_t>(sample));
    const std::uint64_t place = random.below(static_cast<std::uint64_t>(sets.total()), 0);
    const auto own = static_cast<std::uint64_t>(std::ranges::upper_bound(offsets, place) - offsets.begin()) - 1;
    const std::uint64_t next = random.below(count - 1, 1);
    const auto other = static_cast<std::int64_t>(next < own ? next : next + 1);
    hits += std::ranges::binary_search(sets.set(other), sets.tokens.span()[place]) ? 1 : 0;
  }
  const double share = static_cast<double>(hits) / static_cast<double>(kSamples);
  return share * static_cast<double>(sets.total()) * static_cast<double>(count - 1) / 2;
}

/// As SetCollection::universe(), but on all of the solver's threads: this is in the time of each solve, and with 10^6
/// sets one thread took a fifth of it. A thousand sets are not worth waking others.
double universe_of(const SetCollection& sets) {
  std::int64_t largest = -1;
#pragma omp parallel for reduction(max : largest) if (sets.count() > 1'000)
  for (std::int64_t i = 0; i < sets.count(); ++i) {
    if (sets.size(i) > 0) largest = std::max(largest, std::int64_t{sets.set(i).back()});
  }
  return static_cast<double>(largest + 1);
}

/// Without what tokens have to be looked up for.
Facts facts_of(const SetCollection& sets) {
  Facts facts;
  facts.sets = static_cast<double>(sets.count());
  facts.tokens = static_cast<double>(sets.total());
  facts.universe = universe_of(sets);
  return facts;
}

/// As if tokens were equally frequent and sets of equal size. Its steps are not measured yet, but expected.
Candidate rarest_token(const Facts& facts) {
  const double size = facts.tokens / std::max(facts.sets, 1.0);
  const double candidates = facts.pairs() * std::min(1.0, size / std::max(facts.universe, 1.0));
  // Of the bits of a signature that so many tokens set; where sets differ in size, small ones pass more often.
  const double set_bits = 1 - std::pow(127.0 / 128.0, size);
  const double verified = candidates * std::max(0.04, std::pow(set_bits, size));
  return {"rarest-token", {}, 60 * facts.tokens, 2e-4 + facts.tokens / 8e9 + candidates / 8e10 + verified / 4e9};
}

std::vector<Candidate> candidates_for(const Facts& facts) {
  const double bitmap = facts.universe / 8;
  if (facts.single) {
    return {{"ip", {}, 0, 1.4e-5 + facts.tokens / 3.1e11},
            {"ip-obs", {}, 0, 1.6e-5 + facts.tokens / 1.7e11},
            {"bi-dynamic", {}, bitmap, 5e-6 + bitmap / 3e12 + facts.tokens / 1e11},
            {"static-index", {}, 32 * facts.tokens, 5e-5 + facts.tokens / 2.5e10}};
  }
  const Candidate product{
      "mm",
      {{"precision", "int8"}},
      facts.sets * facts.universe,
      facts.sets * facts.universe / 4e12 + 2 * facts.pairs() * facts.universe / 1e15 + facts.pairs() / 1e11};
  // A bitmap of which a multiprocessor's shared memory holds several is tested faster than one that leaves room for no
  // other block, or that blocks have in common: these reach 1.7 to 5.7e11.
  const double test = bitmap < 1e5 ? 8e11 : 3e11;
  std::vector<Candidate> all{
      product,
      facts.contained_pairs
          ? rarest_token(facts)
          : Candidate{"static-index", {}, 28 * facts.tokens, facts.tokens / 1e10 + facts.shared_pairs / 8e10},
      {"bi-dynamic", {{"bitmap", "auto"}}, bitmap < 2e5 ? 0 : bitmap, facts.tokens * facts.sets / 2 / test}};
  if (facts.only_counts) all.push_back({"bi-naive", {}, facts.sets * bitmap, facts.pairs() * bitmap / 4 / 1.5e12});
  return all;
}

/// Tokens are looked up only where that can change the choice. Where one that surely fits into memory is cheaper than
/// static-index is if no token is shared, static-index has this least cost.
std::vector<Candidate> candidates_for(const SetCollection& sets, Facts facts) {
  constexpr double kSurelyFits = 1e9;  // bytes
  std::vector<Candidate> all = candidates_for(facts);
  if (facts.single || facts.contained_pairs) return all;
  const double least = std::ranges::find(all, "static-index", &Candidate::id)->seconds;
  const auto wins = [&](const Candidate& one) { return one.seconds < least && one.device_bytes < kSurelyFits; };
  if (std::ranges::any_of(all, wins)) return all;
  facts.shared_pairs = estimated_shared_pairs(sets);
  return candidates_for(facts);
}

/// set_containment knows no single pairs.
template <typename Input>
bool is_single(const Input& input) {
  if constexpr (requires { input.is_single(); }) return input.is_single();
  return false;
}

/// Of set_containment: its contained pairs are asked for, not a value of each pair.
template <typename Input>
bool asks_for_pairs(const Input& input) {
  if constexpr (std::is_same_v<Input, SetContainment::Input>) return input.output == SetContainment::Output::pairs;
  return false;
}

template <typename Problem>
class Auto final : public ChoosingSolver<Problem> {
 public:
  using Input = typename Problem::Input;

  explicit Auto(const Parameters& parameters) : ChoosingSolver<Problem>(parameters) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& input) const override {
    Facts facts = facts_of(*input.sets);
    facts.single = is_single(input);
    facts.only_counts = std::is_same_v<Problem, SetIntersection>;
    facts.contained_pairs = asks_for_pairs(input);
    return candidates_for(*input.sets, facts);
  }
};

[[maybe_unused]] const bool kRegistered = register_for<Auto, SetIntersection, SetContainment>(
    {.id = "auto",
     .title = "the technique that a cost model of the input chooses",
     .source = "this project, after bellas2022 §6.2.3",
     .role = Role::peer,
     .device = Target::gpu,
     .ours = true});

}  // namespace

}  // namespace warpbench::sets
