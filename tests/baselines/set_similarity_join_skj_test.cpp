// skj beyond the conformance suite, against a loop over all pairs: both kinds of skipping, alone and together, and
// derived answers whether they pay or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "baselines/set_similarity_join/skj/derivation.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using datasets::SetCollection;
using similarity::Measure;
using similarity::Pair;
using similarity::skj::Similar;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;
using Given = std::map<std::string, Value>;
using Counters = std::map<std::string, double>;

constexpr std::uint64_t kSeed = 1017;

std::uint32_t overlap_of(std::span<const datasets::Token> a, std::span<const datasets::Token> b) {
  std::vector<datasets::Token> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return static_cast<std::uint32_t>(common.size());
}

std::vector<Pair> all_pairs_of(const Input& input) {
  std::vector<Pair> pairs;
  for (std::int64_t a = 0; a < input.sets->count(); ++a) {
    for (std::int64_t b = a + 1; b < input.sets->count(); ++b) {
      const std::uint32_t overlap = overlap_of(input.sets->set(a), input.sets->set(b));
      const auto size_a = static_cast<std::uint32_t>(input.sets->size(a));
      const auto size_b = static_cast<std::uint32_t>(input.sets->size(b));
      if (!input.joins(a, b) || !input.similar(overlap, size_a, size_b)) continue;
      pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                       similarity::value_of(input.measure, overlap, size_a, size_b)});
    }
  }
  return pairs;
}

const SolverEntry<SetSimilarityJoin>& skj_entry() {
  return *std::ranges::find(solvers_of<SetSimilarityJoin>(), "skj", [](const auto& each) { return each.info.id; });
}

/// skj on an input, at its second solve.
class SolvedSkj {
 public:
  SolvedSkj(const Input& input, const Given& given) {
    const auto solver = skj_entry().make(Parameters(skj_entry().info.parameters, given));
    Phases phases;
    SetSimilarityJoin::Answer answer;
    solver->prepare(input, phases);
    solver->solve_with_transfers(answer, phases);
    answer.poison();
    solver->solve_with_transfers(answer, phases);
    count = answer.count;
    digest = answer.pair_digest;
    pairs.assign(answer.pairs.begin(), answer.pairs.end());
    std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::tuple(pair.a, pair.b); });
    counters = solver->counters();
  }

  std::uint64_t count = 0;
  std::uint64_t digest = 0;
  std::vector<Pair> pairs;
  Counters counters;
};

std::string described(const Input& input) {
  return "threshold " + std::to_string(input.threshold.numerator) + "/" + std::to_string(input.threshold.denominator) +
         ", " + kMeasures[static_cast<std::size_t>(input.measure)] + ", left " + std::to_string(input.left);
}

void expect_exact(const Input& of_pairs, const Given& given, const std::string& name) {
  const std::vector<Pair> expected = all_pairs_of(of_pairs);
  const SolvedSkj with_pairs(of_pairs, given);
  ASSERT_EQ(with_pairs.pairs, expected) << name << ", " << described(of_pairs);
  ASSERT_EQ(with_pairs.count, expected.size()) << name;
  std::uint64_t digest = 0;
  for (const Pair& pair : expected) digest += similarity::digest_of_pair(pair.a, pair.b);
  Input of_digest = of_pairs;
  of_digest.output = Output::digest;
  const SolvedSkj with_digest(of_digest, given);
  ASSERT_EQ(with_digest.count, expected.size()) << name << ", " << described(of_pairs);
  ASSERT_EQ(with_digest.digest, digest) << name << ", " << described(of_pairs);
}

std::vector<Given> points(std::int64_t threads) {
  std::vector<Given> all;
  for (const bool index_skipping : {false, true}) {
    for (const bool answer_skipping : {false, true}) {
      all.push_back({{"index_skipping", index_skipping}, {"answer_skipping", answer_skipping}, {"threads", threads}});
    }
  }
  return all;
}

/// body(input, name) for random collections, each with one of all thresholds and measures.
template <typename Body>
void for_random_inputs(std::uint64_t rounds, const Body& body) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::uint64_t seed = kSeed + i;
    const SetCollection sets = similar_sets(seed);
    for (const std::string& measure : kMeasures) {
      const double threshold = kThresholds[i % kThresholds.size()];
      body(Input{&sets, 0, measure_of(measure), similarity::fraction_of(threshold), Output::pairs},
           "seed " + std::to_string(seed));
    }
  }
}

TEST(SimilarityJoinSkj, FindsAllPairsWithAnySkipping) {
  for_random_inputs(usual_or_thorough(160, 3000), [](const Input& input, const std::string& name) {
    for (const Given& given : points(1)) ASSERT_NO_FATAL_FAILURE(expect_exact(input, given, name));
  });
}

TEST(SimilarityJoinSkj, FindsAllPairsOfTwoCollections) {
  for_random_inputs(usual_or_thorough(48, 1000), [](Input input, const std::string& name) {
    for (const std::int64_t left : {std::int64_t{1}, input.sets->count() / 2}) {
      if (left == 0 || left > input.sets->count()) continue;
      input.left = left;
      for (const Given& given : points(1)) ASSERT_NO_FATAL_FAILURE(expect_exact(input, given, name));
    }
  });
}

TEST(SimilarityJoinSkj, FindsAllPairsOnSeveralThreads) {
  const SetCollection sets = similar_sets(kSeed, {.count = 700, .size = 30, .universe = 300, .copies = 0.8});
  for (const double threshold : {0.3, 0.8}) {
    const Input input{&sets, 0, Measure::jaccard, similarity::fraction_of(threshold), Output::pairs};
    for (const Given& given : points(3)) expect_exact(input, given, "700 sets");
  }
}

// A first solve would take memory in its time.
TEST(SimilarityJoinSkj, HasTheMemoryOfItsThreadsBeforeItSolves) {
  const SetCollection sets = similar_sets(kSeed, {.count = 700, .size = 30, .universe = 300, .copies = 0.8});
  const Input input{&sets, 0, Measure::jaccard, {4, 5}, Output::count};
  const auto& specs = skj_entry().info.parameters;
  const auto solver = skj_entry().make(Parameters(specs, {{"threads", 2}}));
  Phases phases;
  solver->prepare(input, phases);
  EXPECT_EQ(solver->counters().at("threads"), 2);
  solver->configure(Parameters(specs, {{"threads", 3}}));
  EXPECT_EQ(solver->counters().at("threads"), 3);
}

TEST(SimilarityJoinSkj, FindsAllPairsOfAwkwardSets) {
  for (const NamedSets& each : awkward_similar_sets()) {
    for (const double threshold : {0.1, 0.5, 2.0 / 3, 0.9, 1.0}) {
      for (const std::string& measure : kMeasures) {
        const Input input{&each.sets, 0, measure_of(measure), similarity::fraction_of(threshold), Output::pairs};
        ASSERT_NO_FATAL_FAILURE(expect_exact(input, {}, each.name));
      }
    }
  }
}

TEST(SimilarityJoinSkj, DerivesTheAnswersOfEqualSets) {
  const SetCollection sets = sets_of(std::vector<Tokens>(70, arithmetic(3, 2, 50)));
  const Input input{&sets, 0, Measure::jaccard, {4, 5}, Output::pairs};
  EXPECT_EQ(SolvedSkj(input, {}).counters.at("derived_answers"), 69);
  EXPECT_EQ(SolvedSkj(input, {{"answer_skipping", false}}).counters.at("derived_answers"), 0);
}

TEST(SimilarityJoinSkj, LooksAtPostingsThatThePlainJoinLooksAtOrSkipsThem) {
  const SetCollection sets = similar_sets(kSeed, {.count = 400, .size = 30, .universe = 100, .copies = 0.5});
  const Input input{&sets, 0, Measure::jaccard, {4, 5}, Output::digest};
  const Counters plain = SolvedSkj(input, {{"index_skipping", false}, {"answer_skipping", false}}).counters;
  const Counters skipping = SolvedSkj(input, {{"answer_skipping", false}}).counters;
  EXPECT_EQ(plain.at("skipped_postings"), 0);
  EXPECT_EQ(plain.at("skipped_blocks"), 0);
  EXPECT_GT(skipping.at("skipped_postings"), 0);
  EXPECT_GT(skipping.at("skipped_blocks"), 0);
  EXPECT_EQ(skipping.at("probed_postings") + skipping.at("skipped_postings"), plain.at("probed_postings"));
  EXPECT_EQ(skipping.at("similar_pairs"), plain.at("similar_pairs"));
}

/// Later sets of the ordered collection that are similar to one.
std::vector<Similar> later_similar(const similarity::OrderedSets& sets, const similarity::Bounds& bounds,
                                   std::uint32_t set) {
  std::vector<Similar> all;
  for (std::uint32_t later = set + 1; later < sets.count(); ++later) {
    const std::uint32_t overlap = overlap_of(sets.sets.set(set), sets.sets.set(later));
    if (bounds.similar(overlap, static_cast<std::uint32_t>(sets.sets.size(set)),
                       static_cast<std::uint32_t>(sets.sets.size(later)))) {
      all.push_back({later, overlap});
    }
  }
  return all;
}

/// The cost model derives few answers that need the lists of other tokens; here all are derived.
TEST(SimilarityJoinSkj, DerivesAnyAnswerFromAnyOther) {
  std::uint64_t found_in_lists = 0;
  for_random_inputs(usual_or_thorough(160, 3000), [&](const Input& input, const std::string& name) {
    const similarity::OrderedSets sets = similarity::ordered(input, 1);
    const similarity::Bounds bounds = similarity::bounds_of(input);
    const similarity::skj::SizeBlockIndex index = similarity::skj::size_block_index(sets, bounds);
    similarity::skj::Derivation derivation(sets, bounds, index);
    for (std::uint32_t x = 0; x < sets.count(); ++x) {
      const std::vector<Similar> of_x = later_similar(sets, bounds, x);
      derivation.begin(true);
      derivation.from(x, of_x);
      for (std::size_t place = 0; place < of_x.size(); ++place) {
        ASSERT_TRUE(derivation.plan(place, ~std::uint64_t{0}));
        const std::span<const Similar> view = derivation.answer();
        std::vector<Similar> derived(view.begin(), view.end());
        std::ranges::sort(derived, {}, &Similar::set);
        ASSERT_EQ(derived, later_similar(sets, bounds, of_x[place].set))
            << name << ", " << described(input) << ": set " << of_x[place].set << " from " << x;
        for (const Similar& similar : derived) {
          if (!std::ranges::binary_search(of_x, similar.set, {}, &Similar::set)) ++found_in_lists;
        }
      }
    }
  });
  EXPECT_GT(found_in_lists, 1000U);
}

}  // namespace
}  // namespace warpbench::testing
