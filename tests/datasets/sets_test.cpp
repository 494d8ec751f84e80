// SetCollection: validated, described, and built from any tokens; its transforms.
#include "datasets/sets.hpp"

#include <algorithm>
#include <random>

#include "datasets/io/cache.hpp"
#include "datasets/transforms/transforms.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;
using Offsets = std::vector<std::uint64_t>;
using Tokens = std::vector<Token>;
using Sets = std::vector<Tokens>;

SetCollection collection(const Sets& sets) {
  Offsets offsets{0};
  Tokens tokens;
  for (const Tokens& set : sets) {
    tokens.insert(tokens.end(), set.begin(), set.end());
    offsets.push_back(tokens.size());
  }
  return {std::move(offsets), std::move(tokens)};
}

Sets sets_of(const SetCollection& sets) {
  Sets all;
  for (I i = 0; i < sets.count(); ++i) all.emplace_back(sets.set(i).begin(), sets.set(i).end());
  return all;
}

std::string refusal(const SetCollection& sets) {
  const auto error = error_of([&] {
    sets.validate();
    return 0;
  });
  return error ? std::string(error->what()) : "";
}

TEST(Sets, ShowsSetsAndDescribesThem) {
  const SetCollection sets = collection({{1, 5}, {}, {0, 1, 2, 9}, {1}});
  sets.validate();
  EXPECT_EQ(sets.count(), 4);
  EXPECT_EQ(sets.total(), 7);
  EXPECT_EQ(sets.size(1), 0);
  EXPECT_EQ(sets.set(2)[3], 9u);
  EXPECT_EQ(sets.describe(), (Properties{{"sets", 4},
                                         {"tokens", 7},
                                         {"universe", 10},
                                         {"distinct_tokens", 5},
                                         {"min_size", 0},
                                         {"mean_size", 1.75},
                                         {"max_size", 4},
                                         {"frequent_share", 3.0 / 7.0},
                                         {"size_class_1", 1},
                                         {"sets_of_class_1", 1},
                                         {"size_class_2", 2},
                                         {"sets_of_class_2", 1},
                                         {"size_class_3", 4},
                                         {"sets_of_class_3", 1}}));
  const Properties large = collection({{0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6}, {}}).describe();
  EXPECT_EQ(large.at("size_class_1"), (Property{I{4}}));
  EXPECT_EQ(large.at("sets_of_class_1"), (Property{I{2}}));
  EXPECT_EQ(large.count("size_class_2"), 0u);
  EXPECT_EQ(SetCollection().count(), 0);
  EXPECT_EQ(SetCollection().universe(), 0);
  EXPECT_EQ(std::get<I>(collection({{}, {}}).describe().at("universe")), 0);
  EXPECT_EQ(collection({{0, 4294967295}}).universe(), I{1} << 32);
}

TEST(Sets, RefusalsNameTheSet) {
  EXPECT_EQ(refusal(SetCollection()), "sets: expected at least one offset, found none");
  EXPECT_EQ(refusal({Offsets{1, 1}, Tokens{7}}), "sets: expected a first offset of 0, found 1");
  EXPECT_EQ(refusal({Offsets{0, 2, 1, 3}, Tokens{1, 2, 3}}),
            "sets: expected an offset of at least 2 after set 1, found 1");
  EXPECT_EQ(refusal({Offsets{0, 2}, Tokens{1, 2, 3}}),
            "sets: expected a last offset of 3, the number of tokens, found 2");
  EXPECT_EQ(refusal(collection({{1}, {1, 4, 3}})),
            "sets: expected ascending tokens without repeats in set 1, found 3 after 4");
  EXPECT_EQ(refusal(collection({{8, 8}})), "sets: expected ascending tokens without repeats in set 0, found 8 after 8");
}

TEST(Sets, AreBuiltFromAnyTokens) {
  I duplicates = -1;
  const SetCollection sets = build_sets(Offsets{0, 3, 3, 7}, Tokens{2, 1, 2, 9, 9, 0, 9}, 2, &duplicates);
  EXPECT_EQ(sets_of(sets), (Sets{{1, 2}, {}, {0, 9}}));
  EXPECT_EQ(duplicates, 3);
  EXPECT_EQ(build_sets({0}, {}).count(), 0);
  EXPECT_EQ(sets_of(build_sets({0, 2}, {4, 3})), (Sets{{3, 4}}));
}

/// Compares with a sorted copy; `spread` decides whether tables or sorting count the tokens. A token in the middle and
/// the last one make sure that slice boundaries are covered.
void expect_frequencies(std::size_t sets, std::size_t size, std::uint64_t spread) {
  std::mt19937_64 random(sets + size);
  Offsets offsets{0};
  Tokens tokens;
  for (std::size_t i = 0; i < sets; ++i) {
    for (std::size_t k = 0; k < size; ++k) tokens.push_back(static_cast<Token>(random() % spread));
    if (i == 0) tokens.insert(tokens.end(), {static_cast<Token>(spread / 2), static_cast<Token>(spread - 1)});
    offsets.push_back(tokens.size());
  }
  const SetCollection built = build_sets(std::move(offsets), std::move(tokens));
  Tokens wanted(built.tokens.begin(), built.tokens.end());
  std::sort(wanted.begin(), wanted.end());
  const TokenFrequencies found = token_frequencies(built, 2);
  ASSERT_EQ(found.counts.size(), found.tokens.size());
  EXPECT_EQ(std::ranges::count(found.counts, 0), 0);
  Tokens repeated;
  for (std::size_t i = 0; i < found.tokens.size(); ++i) {
    repeated.insert(repeated.end(), found.counts[i], found.tokens[i]);
  }
  EXPECT_TRUE(repeated == wanted);
  EXPECT_TRUE(std::ranges::adjacent_find(found.tokens) == found.tokens.end());
  EXPECT_EQ(std::get<I>(built.describe().at("distinct_tokens")), static_cast<I>(found.tokens.size()));
}

TEST(Sets, FrequenciesAreCountedInSlices) {
  expect_frequencies(3, 5, 10);
  expect_frequencies(100, 30'000, 50'000);                    // two slices, tables
  expect_frequencies(2, 1'500'000, std::uint64_t{1} << 32U);  // two slices, sorted
}

TEST(Sets, FrequentShareCountsTheTopHundredth) {
  Sets sets;
  for (Token t = 0; t < 200; ++t) sets.push_back({t, 1000, 1001});  // 202 tokens, the top 3 of 600
  EXPECT_DOUBLE_EQ(std::get<double>(collection(sets).describe().at("frequent_share")), 401.0 / 600.0);
  EXPECT_DOUBLE_EQ(std::get<double>(collection({{}}).describe().at("frequent_share")), 0.0);
}

TEST(Sets, SurviveTheCache) {
  const TemporaryFolder folder;
  CacheEntry entry{{collection({{1, 5}, {}, {4294967295}}), {{"tokens", 3}}, {}}, "d"};
  write_cache(folder / "x.warpdata", entry);
  const auto again = read_cache(folder / "x.warpdata");
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<SetCollection>(again->content.data), std::get<SetCollection>(entry.content.data));
  EXPECT_EQ(kind_of(again->content.data), Kind::Sets);
}

Content some_sets() {
  return {collection({{3, 4}, {1, 2, 3}, {}, {3, 9}, {3, 4, 5}, {2, 3, 4, 5, 6}, {3, 4}}), {}, {}};
}

struct Transformed {
  Sets sets;
  Ids original;
};

Transformed transformed(const std::string& name, const Properties& parameters, Content from = some_sets()) {
  const Content content = transform(std::move(from), name, parameters, 2);
  validate(content.data);
  return {sets_of(std::get<SetCollection>(content.data)), {content.original_ids.begin(), content.original_ids.end()}};
}

TEST(SetTransforms, LargestPrefersEarlierSetsAndKeepsTheOrder) {
  const Transformed two = transformed("largest", {{"sets", 2}});
  EXPECT_EQ(two.sets, (Sets{{1, 2, 3}, {2, 3, 4, 5, 6}}));
  EXPECT_EQ(two.original, (Ids{1, 5}));
  EXPECT_EQ(transformed("largest", {{"sets", 4}}).original, (Ids{0, 1, 4, 5}));
  EXPECT_EQ(transformed("largest", {{"sets", 7}}).sets, transformed("first", {}).sets);
}

TEST(SetTransforms, FirstCutsSets) {
  EXPECT_EQ(transformed("first", {{"sets", 2}}).sets, (Sets{{3, 4}, {1, 2, 3}}));
  EXPECT_EQ(transformed("first", {}).sets.size(), 7u);
  Content largest = transform(some_sets(), "largest", {{"sets", 4}});
  EXPECT_EQ(transformed("first", {{"sets", 2}}, std::move(largest)).original, (Ids{0, 1}));
}

TEST(SetTransforms, SetsBySizeThenByTokens) {
  EXPECT_EQ(transformed("sets_by_size", {}).original, (Ids{2, 0, 6, 3, 1, 4, 5}));
  EXPECT_EQ(transformed("sets_by_size", {{"order", "descending"}}).original, (Ids{5, 1, 4, 0, 6, 3, 2}));
}

TEST(SetTransforms, TokensByFrequency) {
  // 1, 6 and 9 are in one set each, 2 and 5 in two, 4 in four, 3 in six.
  EXPECT_EQ(transformed("tokens_by_frequency", {}).sets,
            (Sets{{5, 6}, {0, 3, 6}, {}, {2, 6}, {4, 5, 6}, {1, 3, 4, 5, 6}, {5, 6}}));
  EXPECT_EQ(transformed("tokens_by_frequency", {{"order", "descending"}}).sets,
            (Sets{{0, 1}, {0, 2, 4}, {}, {0, 6}, {0, 1, 3}, {0, 1, 2, 3, 5}, {0, 1}}));
}

TEST(SetTransforms, RefuseBadParametersAndData) {
  const auto fails = [](const std::string& name, const Properties& parameters, const Content& content) {
    const auto error = error_of([&] { return transform(content, name, parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails("largest", {{"sets", 8}}, some_sets()), "transform largest: expected at least 8 sets, found 7");
  EXPECT_EQ(fails("largest", {}, some_sets()),
            "transform largest: expected a value for \"sets\", found none (sets to keep)");
  EXPECT_EQ(fails("first", {{"sets", 8}}, some_sets()), "transform first: expected at least 8 sets, found 7");
  EXPECT_EQ(fails("first", {{"queries", 1}}, some_sets()),
            "transform first: expected a number of sets to keep, found queries: 1");
  EXPECT_EQ(fails("metric", {{"metric", "cosine"}}, some_sets()), "transform metric: expected vectors, found sets");
  const Content graph{build_csr(std::vector<Edge>{{0, 1}}, 2), {}, {}};
  for (const char* const name : {"sets_by_size", "tokens_by_frequency"}) {
    EXPECT_EQ(fails(name, {}, graph), "transform " + std::string(name) + ": expected sets, found graph");
  }
  VectorSet vectors;
  vectors.facts = std::vector<std::uint32_t>{1, 0};
  vectors.points = std::vector<float>{1};
  EXPECT_EQ(fails("first", {{"sets", 1}}, {vectors, {}, {}}),
            "transform first: expected a number of points or queries to keep, found sets: 1");
}

}  // namespace
}  // namespace warpbench::datasets::testing
