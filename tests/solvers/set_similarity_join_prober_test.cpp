// Filters, verification and joins of ranges of sets on the CPU, against plain loops over all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "solvers/set_similarity_join/group_join.hpp"
#include "solvers/set_similarity_join/prober.hpp"
#include "solvers/set_similarity_join/range_join.hpp"
#include "solvers/set_similarity_join/signatures.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::similarity {
namespace {

using datasets::Token;
using testing::kThresholds;
using testing::NamedSets;
using testing::similar_sets;
using testing::usual_or_thorough;
using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;
using SetPair = std::pair<std::int64_t, std::int64_t>;

constexpr Measure kAllMeasures[] = {Measure::jaccard, Measure::cosine, Measure::dice};
constexpr std::uint64_t kFirstSeed = 5100;

std::uint32_t size_of(const OrderedSets& sets, std::int64_t set) {
  return static_cast<std::uint32_t>(sets.sets.size(set));
}

/// Of the first `of_a` tokens of one set with the first `of_b` of another.
std::uint32_t common(const OrderedSets& sets, std::int64_t a, std::size_t of_a, std::int64_t b, std::size_t of_b) {
  std::vector<Token> both;
  std::ranges::set_intersection(sets.sets.set(a).first(of_a), sets.sets.set(b).first(of_b), std::back_inserter(both));
  return static_cast<std::uint32_t>(both.size());
}

std::uint32_t overlap_of(const OrderedSets& sets, std::int64_t a, std::int64_t b) {
  return common(sets, a, size_of(sets, a), b, size_of(sets, b));
}

/// Whether the document's filters leave the pair i < j.
bool passes(const OrderedSets& sets, const Bounds& bounds, Filter filter, std::int64_t i, std::int64_t j) {
  const std::uint32_t a = size_of(sets, i);
  const std::uint32_t b = size_of(sets, j);
  if (!sets.joins(i, j) || a < bounds.min_size(b)) return false;
  const std::span<const Token> smaller = sets.sets.set(i).first(bounds.index_prefix(a));
  const std::span<const Token> larger = sets.sets.set(j).first(bounds.probe_prefix(b));
  const auto first = std::ranges::find_first_of(larger, smaller);
  if (first == larger.end()) return false;
  if (filter == Filter::allpairs) return true;
  const auto rest_of_larger = b - static_cast<std::uint32_t>(first - larger.begin());
  const auto rest_of_smaller = a - static_cast<std::uint32_t>(std::ranges::find(smaller, *first) - smaller.begin());
  return std::min(rest_of_larger, rest_of_smaller) >= bounds.min_overlap(a, b);
}

bool passes(const Signatures& signatures, const OrderedSets& sets, const Bounds& bounds, std::int64_t i,
            std::int64_t j) {
  int differing = 0;
  for (int word = 0; word < signatures.words; ++word) {
    differing += std::popcount(signatures.of(i)[word] ^ signatures.of(j)[word]);
  }
  const std::int64_t sizes = sets.sets.size(i) + sets.sets.size(j);
  return differing <= sizes - 2 * std::int64_t{bounds.min_overlap(size_of(sets, i), size_of(sets, j))};
}

/// Calls test(sets, bounds) for random collections of one and two sides, with all measures and some thresholds.
template <typename Test>
void with_collections(std::uint64_t rounds, const Test& test) {
  std::mt19937_64 random(kFirstSeed);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t seed = kFirstSeed + round;
    const datasets::SetCollection all = similar_sets(seed);
    for (const Measure measure : kAllMeasures) {
      const double threshold = kThresholds[random() % kThresholds.size()];
      const std::int64_t left = round % 3 == 0 ? all.count() / 3 : 0;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", measure " + std::to_string(static_cast<int>(measure)) +
                   ", threshold " + std::to_string(threshold) + ", left " + std::to_string(left));
      const Input input{&all, left, measure, fraction_of(threshold), Output::digest, {}};
      test(ordered(input, 1), bounds_of(input), input);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(SimilarityPrefixIndex, HoldsThePrefixesOfItsSetsOnAnyNumberOfThreads) {
  with_collections(usual_or_thorough(15, 150), [](const OrderedSets& sets, const Bounds& bounds, const Input&) {
    const SetRange some{sets.count() / 4, sets.count() - sets.count() / 5};
    std::map<Token, std::vector<Posting>> expected;
    for (std::int64_t set = some.begin; set < some.end; ++set) {
      for (std::uint32_t i = 0; i < bounds.index_prefix(size_of(sets, set)); ++i) {
        expected[sets.sets.set(set)[i]].push_back({static_cast<std::uint32_t>(set), i});
      }
    }
    for (const int threads : {1, 2, 3, 8}) {
      const PrefixIndex index = prefix_index(sets, bounds, some, threads);
      ASSERT_EQ(index.sets, some);
      ASSERT_EQ(index.offsets.size(), static_cast<std::size_t>(sets.distinct_tokens) + 1);
      ASSERT_EQ(index.offsets.back(), index.postings.size());
      for (Token token = 0; token < sets.distinct_tokens; ++token) {
        ASSERT_TRUE(std::ranges::equal(index.list(token), expected[token])) << "token " << token << ", " << threads;
      }
    }
  });
}

/// All candidates of probes in ascending order, or in another.
std::map<SetPair, Candidate> found_by(Prober& prober, const PrefixIndex& index, std::vector<std::int64_t> probes) {
  std::map<SetPair, Candidate> found;
  for (const std::int64_t probe : probes) {
    for (const Candidate& candidate : prober.candidates(index, probe)) {
      EXPECT_TRUE(found.emplace(SetPair(candidate.set, probe), candidate).second);
    }
  }
  return found;
}

void expect_candidates(const OrderedSets& sets, const Bounds& bounds, Filter filter, const Signatures* signatures,
                       SetRange indexed, const std::map<SetPair, Candidate>& found) {
  for (std::int64_t j = 0; j < sets.count(); ++j) {
    for (std::int64_t i = 0; i < j; ++i) {
      const bool is_indexed = indexed.begin <= i && i < indexed.end;
      const bool is_expected = is_indexed && passes(sets, bounds, filter, i, j) &&
                               (signatures == nullptr || passes(*signatures, sets, bounds, i, j));
      const auto at = found.find({i, j});
      ASSERT_EQ(at != found.end(), is_expected) << i << ", " << j;
      const std::uint32_t overlap = overlap_of(sets, i, j);
      if (is_indexed && sets.joins(i, j) && bounds.similar(overlap, size_of(sets, i), size_of(sets, j))) {
        ASSERT_TRUE(is_expected) << "a similar pair is no candidate: " << i << ", " << j;
      }
      if (!is_expected) continue;
      const Candidate& candidate = at->second;
      ASSERT_EQ(candidate.overlap, common(sets, j, candidate.probe_position, i, candidate.position));
      const std::uint32_t required = bounds.min_overlap(size_of(sets, i), size_of(sets, j));
      for (const bool whole : {false, true}) {
        const std::uint32_t verified = verified_overlap(sets.sets.set(j), sets.sets.set(i), candidate, required, whole);
        ASSERT_EQ(verified >= required, overlap >= required);
        if (overlap < required || whole) {
          ASSERT_EQ(verified, overlap < required ? 0 : overlap);
        }
      }
    }
  }
}

TEST(SimilarityProber, FindsExactlyWhatTheFiltersLeave) {
  with_collections(usual_or_thorough(60, 600), [](const OrderedSets& sets, const Bounds& bounds, const Input&) {
    std::vector<std::int64_t> ascending(static_cast<std::size_t>(sets.count()));
    std::iota(ascending.begin(), ascending.end(), 0);
    const std::vector<std::int64_t> descending(ascending.rbegin(), ascending.rend());
    for (const int words : {0, 1, 2, 4}) {
      Signatures signatures;
      if (words > 0) rebuild(signatures, sets, words, 2);
      const Signatures* const used = words > 0 ? &signatures : nullptr;
      for (const Filter filter : {Filter::allpairs, Filter::ppjoin}) {
        Prober prober(sets, bounds, filter, {.signatures = used});
        for (const SetRange indexed : {SetRange{0, sets.count()}, SetRange{sets.count() / 3, sets.count() / 2}}) {
          const PrefixIndex index = prefix_index(sets, bounds, indexed, 1);
          for (const auto& probes : {ascending, descending, ascending}) {
            expect_candidates(sets, bounds, filter, used, indexed, found_by(prober, index, probes));
          }
        }
      }
    }
  });
}

/// Lists so long that their beginnings are kept.
TEST(SimilarityProber, PassesTheBeginningsOfLongLists) {
  const datasets::SetCollection all = similar_sets(kFirstSeed, {400, 30, 40, 0.3});
  const Input input{&all, 0, Measure::jaccard, fraction_of(0.7), Output::digest, {}};
  const OrderedSets sets = ordered(input, 1);
  const Bounds bounds = bounds_of(input);
  const PrefixIndex index = prefix_index(sets, bounds, {0, sets.count()}, 1);
  ASSERT_GE(index.postings.size(), 16 * index.offsets.size());
  std::vector<std::int64_t> probes(static_cast<std::size_t>(sets.count()));
  std::iota(probes.begin(), probes.end(), 0);
  Prober prober(sets, bounds, Filter::ppjoin);
  expect_candidates(sets, bounds, Filter::ppjoin, nullptr, index.sets, found_by(prober, index, probes));
  std::ranges::shuffle(probes, std::mt19937_64(kFirstSeed));
  expect_candidates(sets, bounds, Filter::ppjoin, nullptr, index.sets, found_by(prober, index, probes));
}

TEST(SimilarityRangeJoin, JoinsBlocksAsThePairsOfTheirSets) {
  with_collections(usual_or_thorough(60, 600), [](const OrderedSets& sets, const Bounds& bounds, const Input& input) {
    Input with_pairs = input;
    with_pairs.output = Output::pairs;
    std::vector<Pair> expected;
    for (std::int64_t j = 0; j < sets.count(); ++j) {
      for (std::int64_t i = 0; i < j; ++i) {
        const std::uint32_t overlap = overlap_of(sets, i, j);
        const std::uint32_t a = size_of(sets, i);
        const std::uint32_t b = size_of(sets, j);
        if (!sets.joins(i, j) || !bounds.similar(overlap, a, b)) continue;
        const auto [first, last] =
            std::minmax(sets.originals[static_cast<std::size_t>(i)], sets.originals[static_cast<std::size_t>(j)]);
        expected.push_back({first, last, value_of(input.measure, overlap, a, b)});
      }
    }
    const auto sorted = [](std::span<const Pair> pairs) {
      std::vector<Pair> copy(pairs.begin(), pairs.end());
      std::ranges::sort(copy, {}, [](const Pair& pair) { return std::pair(pair.a, pair.b); });
      return copy;
    };
    for (const std::int64_t block_size : {std::int64_t{7}, std::int64_t{1000}}) {
      for (const Filter filter : {Filter::allpairs, Filter::ppjoin}) {
        RangeJoin join(sets, bounds, filter);
        PairSink sink(sets, with_pairs);
        for (const BlockPair& pair : block_pairs(sets, bounds, block_size)) {
          join.join(prefix_index(sets, bounds, pair.smaller, 1), pair.larger, sink);
        }
        ASSERT_EQ(sorted(sink.pairs()), sorted(expected));
        ASSERT_GE(join.work().candidates, expected.size());
      }
      GroupJoin join(sets, bounds);
      PairSink sink(sets, with_pairs);
      for (const BlockPair& pair : block_pairs(sets, bounds, block_size)) {
        Groups smaller;
        Groups larger;
        PrefixIndex index;
        rebuild(smaller, sets, bounds, pair.smaller, 2);
        rebuild(larger, sets, bounds, pair.larger, 1);
        rebuild(index, sets, bounds, smaller, 1);
        join.join(index, smaller, larger, pair.larger, sink);
      }
      ASSERT_EQ(sorted(sink.pairs()), sorted(expected));
    }
  });
}

TEST(SimilarityGroups, AreSetsOfOneSizeAndOneProbingPrefix) {
  with_collections(usual_or_thorough(40, 400), [](const OrderedSets& sets, const Bounds& bounds, const Input&) {
    const auto prefix = [&](std::int64_t set) {
      const std::span<const Token> tokens = sets.sets.set(set).first(bounds.probe_prefix(size_of(sets, set)));
      return std::pair(sets.sets.size(set), std::vector<Token>(tokens.begin(), tokens.end()));
    };
    const SetRange range{sets.count() / 5, sets.count()};
    std::map<std::pair<std::int64_t, std::vector<Token>>, std::vector<std::int64_t>> expected;
    for (std::int64_t set = range.begin; set < range.end; ++set) expected[prefix(set)].push_back(set);
    std::int64_t largest = 0;
    for (const int threads : {1, 3}) {
      Groups groups;
      rebuild(groups, sets, bounds, range, threads);
      for (const auto& [key, members] : expected) {
        ASSERT_TRUE(groups.is_first(members.front()));
        ASSERT_EQ(groups.group(members.front()), (SetRange{members.front(), members.back() + 1}));
        ASSERT_EQ(groups.group(members.front()).count(), static_cast<std::int64_t>(members.size()));
        largest = std::max(largest, static_cast<std::int64_t>(members.size()));
      }
      ASSERT_EQ(groups.count(), static_cast<std::int64_t>(expected.size()));
      ASSERT_EQ(groups.largest(), largest);
    }
  });
}

/// Where a set is as large as all others together, bounds and memory are of that size.
TEST(SimilarityRangeJoin, JoinsAwkwardCollections) {
  for (const NamedSets& named : testing::awkward_similar_sets()) {
    for (const double threshold : {0.05, 0.5, 0.95, 1.0}) {
      const Input input{&named.sets, 0, Measure::jaccard, fraction_of(threshold), Output::count, {}};
      const OrderedSets sets = ordered(input, 1);
      std::uint64_t expected = 0;
      for (std::int64_t j = 0; j < sets.count(); ++j) {
        for (std::int64_t i = 0; i < j; ++i) {
          expected += input.similar(overlap_of(sets, i, j), sets.sets.size(i), sets.sets.size(j)) ? 1 : 0;
        }
      }
      const Bounds bounds = bounds_of(input);
      Signatures signatures;
      rebuild(signatures, sets, words_for(sets, bounds), 1);
      RangeJoin join(sets, bounds, Filter::ppjoin, &signatures);
      PairSink sink(sets, input);
      join.join(prefix_index(sets, bounds, {0, sets.count()}, 3), {0, sets.count()}, sink);
      EXPECT_EQ(sink.count(), expected) << named.name << ", " << threshold;
    }
  }
}

}  // namespace
}  // namespace warpbench::similarity
