// Collections for similarity joins: near duplicates, log-normal sizes, flattened frequencies, sets without repeats, and
// collections enlarged by shifted copies.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "datasets/generators/generators.hpp"
#include "datasets/generators/sets/near_duplicates.hpp"
#include "datasets/sets.hpp"
#include "datasets/transforms/transforms.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;
using Lists = std::vector<std::vector<Token>>;

SetCollection generated(const Properties& parameters, std::uint64_t seed = 1, int threads = 2) {
  const Content content = generate("set_collection", parameters, seed, threads);
  validate(content.data);
  return std::get<SetCollection>(content.data);
}

Content sets_content_of(const Lists& lists) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Token> tokens;
  for (const auto& list : lists) {
    tokens.insert(tokens.end(), list.begin(), list.end());
    offsets.push_back(tokens.size());
  }
  return {build_sets(std::move(offsets), std::move(tokens)), {}, {}};
}

Content changed(Content content, const std::string& name, const Properties& parameters = {}, int threads = 2) {
  Content result = transform(std::move(content), name, parameters, threads);
  validate(result.data);
  return result;
}

Lists lists_of(const Content& content) {
  const auto& sets = std::get<SetCollection>(content.data);
  Lists all;
  for (I i = 0; i < sets.count(); ++i) all.emplace_back(sets.set(i).begin(), sets.set(i).end());
  return all;
}

I overlap(std::span<const Token> a, std::span<const Token> b) {
  I common = 0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    common += a[i] == b[k] ? 1 : 0;
    const bool next_a = a[i] <= b[k];
    const bool next_b = b[k] <= a[i];
    i += next_a ? 1 : 0;
    k += next_b ? 1 : 0;
  }
  return common;
}

/// The pairs whose Jaccard similarity is at least `percent` / 100, by brute force.
I similar_pairs(const SetCollection& sets, I percent) {
  I found = 0;
  for (I i = 0; i < sets.count(); ++i) {
    for (I j = 0; j < i; ++j) {
      if (100 * std::min(sets.size(i), sets.size(j)) < percent * std::max(sets.size(i), sets.size(j))) continue;
      const I common = overlap(sets.set(i), sets.set(j));
      found += 100 * common >= percent * (sets.size(i) + sets.size(j) - common) ? 1 : 0;
    }
  }
  return found;
}

/// Large sets of a large universe: none is similar to another by chance.
Properties with_copies(double share, double replaced, I sets = 1'000) {
  return {{"sets", sets},         {"universe", 100'000}, {"mean_size", 40.0},        {"max_size", 100},
          {"min_size", 10},       {"size_spread", 0.4},  {"near_duplicates", share}, {"replaced", replaced},
          {"token_exponent", 0.5}};
}

// If a digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(SimilarSets, DependOnTheSeedAndNotOnThreadsOrMachine) {
  Properties shifted = with_copies(0.2, 0.3);
  shifted["token_shift"] = 50;
  const std::string digest = "820e077e8ac52936369ed030e65c4d0f";
  EXPECT_EQ(digest_of(generated(shifted, 7, 1)), digest);
  EXPECT_EQ(digest_of(generated(shifted, 7, 4)), digest);
  EXPECT_NE(digest_of(generated(shifted, 8, 4)), digest);
}

TEST(NearDuplicates, AreEarlierSetsWithUpToTheShareOfTokensReplaced) {
  constexpr double kShare = 0.2;
  constexpr double kReplaced = 0.3;
  const SetCollection sets = generated(with_copies(kShare, kReplaced), 5);
  const NearDuplicates copies(kShare, kReplaced, 5);
  I found = 0;
  double replaced = 0;
  for (I i = 0; i < sets.count(); ++i) {
    const auto original = copies.original_of(static_cast<std::uint64_t>(i));
    if (!original) continue;
    ++found;
    const auto from = static_cast<I>(*original);
    ASSERT_LT(from, i);
    EXPECT_FALSE(copies.original_of(*original)) << "copies of copies";
    ASSERT_EQ(sets.size(i), sets.size(from));
    const I gone = sets.size(i) - overlap(sets.set(i), sets.set(from));
    EXPECT_GE(gone, 1) << "set " << i;
    EXPECT_LE(gone, static_cast<I>(kReplaced * static_cast<double>(sets.size(i))) + 1) << "set " << i;
    replaced += static_cast<double>(gone) / static_cast<double>(sets.size(i));
  }
  EXPECT_NEAR(static_cast<double>(found), 200, 4 * std::sqrt(1'000 * 0.2 * 0.8));
  EXPECT_NEAR(replaced / static_cast<double>(found), kReplaced / 2, 0.02) << "uniform up to the largest share";
}

TEST(NearDuplicates, AreTheSimilarPairs) {
  // A copy has a share below x replaced with probability x / 0.3, and is then similar by (1 - x) / (1 + x).
  const SetCollection sets = generated(with_copies(0.2, 0.3));
  EXPECT_NEAR(static_cast<double>(similar_pairs(sets, 90)), 200 * (0.1 / 1.9) / 0.3, 30);
  EXPECT_NEAR(static_cast<double>(similar_pairs(sets, 70)), 200 * (0.3 / 1.7) / 0.3, 45);
  // Two copies of one set are similar, too.
  EXPECT_NEAR(static_cast<double>(similar_pairs(sets, 50)), 245, 65);
  EXPECT_EQ(similar_pairs(generated(with_copies(0.0, 0.3)), 50), 0);
}

TEST(NearDuplicates, StayInSmallUniverses) {
  const SetCollection sets = generated({{"sets", 300},
                                        {"universe", 20},
                                        {"mean_size", 9.0},
                                        {"max_size", 12},
                                        {"size_spread", 0.3},
                                        {"near_duplicates", 0.5},
                                        {"replaced", 0.5}});
  EXPECT_LE(sets.universe(), 20);
}

TEST(LogNormalSizes, HaveTheMeanTheSpreadAndTheBounds) {
  const SetCollection sets = generated({{"sets", 20'000},
                                        {"universe", 5'000},
                                        {"mean_size", 88.0},
                                        {"min_size", 20},
                                        {"max_size", 400},
                                        {"size_spread", 0.35}});
  double logs = 0;
  double squares = 0;
  for (I i = 0; i < sets.count(); ++i) {
    ASSERT_GE(sets.size(i), 20);
    ASSERT_LE(sets.size(i), 400);
    const double log = std::log(std::max(0.5, static_cast<double>(sets.size(i)) - 20.0));
    logs += log;
    squares += log * log;
  }
  const auto n = static_cast<double>(sets.count());
  EXPECT_NEAR(static_cast<double>(sets.total()) / n, 88.0, 0.7);
  EXPECT_NEAR(logs / n, std::log(68.0) - 0.35 * 0.35 / 2, 0.01);
  EXPECT_NEAR(std::sqrt(squares / n - logs / n * (logs / n)), 0.35, 0.01);
}

TEST(TokenShift, FlattensTheMostFrequentTokens) {
  const auto count_of_first = [](I shift) {
    const SetCollection sets = generated({{"sets", 20'000},
                                          {"universe", 1'000},
                                          {"mean_size", 3.0},
                                          {"token_order", "frequency"},
                                          {"token_shift", shift}});
    return token_frequencies(sets).counts.front();
  };
  // 1 / H(1000) = 0.134 of all draws, and 1 / 10 / (H(1009) - H(9)) = 0.0214 with ranks shifted by 9.
  EXPECT_GT(count_of_first(0), 6'500u);
  EXPECT_NEAR(count_of_first(9), 0.0214 * 60'000, 120);
}

TEST(SimilarSets, ParametersAreChecked) {
  const auto fails = [](Properties more) {
    more.insert({{"sets", 10}, {"universe", 100}, {"mean_size", 20.0}});
    const auto error = error_of([&] { return generate("set_collection", more); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails({{"size_spread", 0.5}}), "set_collection: expected a max_size with a size_spread, found none");
  EXPECT_EQ(fails({{"size_spread", 0.5}, {"max_size", 50}, {"largest_share", 0.5}}),
            "set_collection: expected no largest_share with a size_spread, found 0.5");
  EXPECT_EQ(fails({{"size_spread", 0.5}, {"max_size", 50}, {"min_size", 20}}),
            "set_collection: expected a mean_size above min_size, 20, found 20");
  EXPECT_EQ(fails({{"near_duplicates", 0.5}, {"contained", 1}}),
            "set_collection: expected contained or near_duplicates, found both");
  EXPECT_EQ(fails({{"near_duplicates", 0.5}, {"max_size", 80}, {"size_spread", 0.5}}),
            "set_collection: expected a universe of at least max_size × (1 + replaced) + 1, 107, found 100");
}

TEST(DistinctSets, DropsSetsThatEqualAnEarlierOne) {
  const Content kept =
      changed(sets_content_of({{3, 4}, {}, {1}, {3, 4}, {4}, {}, {1, 3, 4}, {1}, {3, 4}}), "distinct_sets");
  EXPECT_EQ(lists_of(kept), (Lists{{3, 4}, {}, {1}, {4}, {1, 3, 4}}));
  EXPECT_EQ((std::vector<std::uint32_t>(kept.original_ids.begin(), kept.original_ids.end())),
            (std::vector<std::uint32_t>{0, 1, 2, 4, 6}));
  EXPECT_TRUE(lists_of(changed(sets_content_of({}), "distinct_sets")).empty());
}

TEST(DistinctSets, AgreesWithASetOfSets) {
  const Content many{
      generated({{"sets", 5'000}, {"universe", 12}, {"mean_size", 4.0}, {"max_size", 9}, {"size_spread", 0.5}}),
      {},
      {}};
  const Lists before = lists_of(many);
  const Lists kept = lists_of(changed(many, "distinct_sets"));
  EXPECT_LT(kept.size(), before.size());
  EXPECT_EQ((std::set<std::vector<Token>>(kept.begin(), kept.end()).size()), kept.size());
  EXPECT_EQ((std::set<std::vector<Token>>(before.begin(), before.end()).size()), kept.size());
}

TEST(Enlarge, PutsTheNextTokenByFrequencyInThePlaceOfEach) {
  // By ascending frequency: 5 and 9 once, 2 twice, 7 three times. 10 and 11 are new.
  const Content thrice = changed(sets_content_of({{2, 7}, {2, 5, 7}, {}, {7, 9}}), "enlarge", {{"times", 3}});
  EXPECT_EQ(
      lists_of(thrice),
      (Lists{{2, 7}, {2, 5, 7}, {}, {7, 9}, {7, 10}, {7, 9, 10}, {}, {2, 10}, {10, 11}, {2, 10, 11}, {}, {7, 11}}));
  EXPECT_EQ((std::vector<std::uint32_t>(thrice.original_ids.begin(), thrice.original_ids.end())),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(lists_of(changed(sets_content_of({{2, 7}, {1}}), "enlarge", {{"times", 1}})), (Lists{{2, 7}, {1}}));
}

TEST(Enlarge, MakesSimilarPairsGrowLinearly) {
  const SetCollection once = generated(with_copies(0.2, 0.3, 600), 3);
  const I distinct = std::get<I>(once.describe().at("distinct_tokens"));
  const I pairs = similar_pairs(once, 60);
  ASSERT_GT(pairs, 50);
  const Content content = changed({once, {}, {}}, "enlarge", {{"times", 3}});
  const auto& thrice = std::get<SetCollection>(content.data);
  EXPECT_EQ(thrice.count(), 3 * once.count());
  EXPECT_EQ(thrice.total(), 3 * once.total());
  EXPECT_EQ(similar_pairs(thrice, 60), 3 * pairs);
  EXPECT_EQ(std::get<I>(thrice.describe().at("distinct_tokens")), distinct + 2) << "one new token a copy";
  EXPECT_EQ(digest_of(std::get<SetCollection>(changed({once, {}, {}}, "enlarge", {{"times", 3}}, 1).data)),
            digest_of(thrice));
}

TEST(Enlarge, RefusesWhatWouldNotFit) {
  const auto fails = [](const Content& content, const Properties& parameters) {
    const auto error = error_of([&] { return transform(content, "enlarge", parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(
      fails(sets_content_of({{1, 4'294'967'295}}), {{"times", 2}}),
      "transform enlarge: expected at most 4294967295 sets of at most 4294967296 different tokens, found 2 times "
      "1 sets of 4294967296 (enlarge fewer times, or apply tokens_by_frequency before, which numbers tokens from 0)");
  EXPECT_EQ(fails(sets_content_of({{1}}), {}),
            "transform enlarge: expected a value for \"times\", found none (as many sets as there were)");
  EXPECT_EQ(fails({build_csr(std::vector<Edge>{{0, 1}}, 2), {}, {}}, {{"times", 2}}),
            "transform enlarge: expected sets, found graph");
}

}  // namespace
}  // namespace warpbench::datasets::testing
