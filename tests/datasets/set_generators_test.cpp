// The generators of sets: the same collection for any number of threads, with statistics near the requested ones.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "datasets/generators/generators.hpp"
#include "datasets/generators/sets/distinct_tokens.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/sets.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

SetCollection made(const std::string& generator, const Properties& parameters, std::uint64_t seed = 1,
                   int threads = 2) {
  const Content content = generate(generator, parameters, seed, threads);
  validate(content.data);
  return std::get<SetCollection>(content.data);
}

bool contains(std::span<const Token> larger, std::span<const Token> smaller) {
  return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
}

I shared(const SetCollection& sets) {
  std::vector<Token> both;
  std::ranges::set_intersection(sets.set(0), sets.set(1), std::back_inserter(both));
  return static_cast<I>(both.size());
}

struct Case {
  std::string generator;
  Properties parameters;
  std::string digest;
};

std::vector<Case> cases() {
  const Properties pair{{"size", 30'000}, {"second_size", 7'000}, {"universe", 1'000'000}};
  Properties zipf = pair;
  zipf["distribution"] = "zipf";
  Properties normal = pair;
  normal["distribution"] = "normal";
  const Properties sets{{"sets", 2'000},         {"universe", 3'000},     {"mean_size", 40.0},    {"max_size", 400},
                        {"largest_share", 0.01}, {"token_exponent", 0.8}, {"size_exponent", 2.2}, {"contained", 300}};
  const Properties sparse{{"sets", 100},
                          {"universe", 50'000'000},  // too large for a bitmap
                          {"mean_size", 1000.0},
                          {"token_order", "frequency"}};
  const Properties large{{"sets", 3}, {"universe", 5'000'000}, {"mean_size", 300'000.0}, {"token_order", "frequency"}};
  return {{"set_pair", pair, "67defe287d3e6839e50ee68420397b2a"},
          {"set_pair", zipf, "216010afd1684aab8a206009d503d7c1"},
          {"set_pair", normal, "b58f095de3a9073882e8104b030b9584"},
          {"set_collection", sets, "ce12e6435a7ede06695663472326700c"},
          {"set_collection", sparse, "b98d7610b4a116efb525b899dd05e2e3"},
          {"set_collection", large, "c55af4b2a47d6ca9564624ce94a6f71f"}};
}

// If a digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(SetGenerators, DependOnTheSeedAndNotOnThreadsOrMachine) {
  for (const Generator& generator : generators()) {
    const auto tested =
        std::ranges::count_if(cases(), [&](const Case& one) { return one.generator == generator.name; });
    EXPECT_EQ(tested > 0, generator.kind == Kind::Sets) << generator.name;
  }
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.generator);
    EXPECT_EQ(digest_of(made(one.generator, one.parameters, 7, 1)), one.digest);
    EXPECT_EQ(digest_of(made(one.generator, one.parameters, 7, 4)), one.digest);
    EXPECT_NE(digest_of(made(one.generator, one.parameters, 8, 2)), one.digest);
  }
}

TEST(SetPair, HasTheSizesAndTheIntersectionOfIndependentSets) {
  // Uniform: size × size / universe common tokens, within four standard deviations.
  const SetCollection uniform = made("set_pair", {{"size", 100'000}, {"universe", 1'000'000}});
  EXPECT_EQ(uniform.size(0), 100'000);
  EXPECT_EQ(uniform.size(1), 100'000);
  EXPECT_NEAR(static_cast<double>(shared(uniform)), 10'000, 400);
  const SetCollection unequal = made("set_pair", {{"size", 1'000}, {"second_size", 50'000}, {"universe", 100'000}});
  EXPECT_EQ(unequal.size(0), 1'000);
  EXPECT_EQ(unequal.size(1), 50'000);
  EXPECT_NEAR(static_cast<double>(shared(unequal)), 500, 65);
  const SetCollection whole = made("set_pair", {{"size", 5'000}, {"universe", 5'000}});
  EXPECT_EQ(shared(whole), 5'000);
  EXPECT_EQ(made("set_pair", {{"size", 1}, {"universe", I{1} << 32}}).total(), 2);
}

TEST(SetPair, NormalTokensLieAroundTheMiddle) {
  const SetCollection sets =
      made("set_pair", {{"size", 50'000}, {"universe", 100'000'000}, {"distribution", "normal"}});
  const auto set = sets.set(0);
  const double mean = std::accumulate(set.begin(), set.end(), 0.0) / 50'000;
  double squares = 0;
  for (const Token token : set) squares += (token - mean) * (token - mean);
  EXPECT_NEAR(mean, 5e7, 2.5e5);
  EXPECT_NEAR(std::sqrt(squares / 50'000), 1.25e7, 2.5e5);
}

TEST(SetPair, ZipfTokensFollowTheirRanks) {
  // A share 1 - e^(-draws / ((rank + 1) H)) of the tokens near a rank is in the set.
  const SetCollection sets =
      made("set_pair", {{"size", 20'000}, {"universe", 1'000'000}, {"distribution", "zipf"}, {"exponent", 1.0}});
  const auto set = sets.set(0);
  const auto count = [&](double low, double high) {
    return static_cast<double>(std::ranges::lower_bound(set, high) - std::ranges::lower_bound(set, low));
  };
  double draws = 0;  // times the harmonic number H
  const auto expected = [&](double low, double high) {
    double sum = 0;
    for (double rank = low; rank < high; ++rank) sum += 1 - std::exp(-draws / (rank + 1));
    return sum;
  };
  for (double step = 16'384; step > 0.1; step /= 2) {
    draws += step;
    if (expected(0, 1'000'000) > 20'000) draws -= step;
  }
  EXPECT_NEAR(count(0, 1000), expected(0, 1000), 10);
  EXPECT_NEAR(count(1000, 5000), expected(1000, 5000), 150);
  EXPECT_NEAR(count(5000, 50'000), expected(5000, 50'000), 250);
  EXPECT_NEAR(count(500'000, 1'000'000), expected(500'000, 1'000'000), 200);
  EXPECT_TRUE(contains(set, std::vector<Token>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(SetPair, ScaleShrinksSizesAndUniverse) {
  const SetCollection sets = made("set_pair", {{"size", 10'000}, {"universe", 1'000'000}, {"scale", 0.1}});
  EXPECT_EQ(sets.size(0), 1'000);
  EXPECT_LE(sets.universe(), 100'000);
  EXPECT_GT(sets.universe(), 99'000);
}

double mean_of_largest(const SetCollection& sets, std::size_t count) {
  std::vector<I> sizes;
  for (I i = 0; i < sets.count(); ++i) sizes.push_back(sets.size(i));
  std::ranges::sort(sizes, std::greater<>());
  return static_cast<double>(std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count), I{0})) /
         static_cast<double>(count);
}

TEST(SetCollectionGenerator, SizesFallFromTheLargestToTheMean) {
  // BMS of bellas2022 Table 6.1, like the registry's stand-in: means 35, 22, 17 for the 10, 50, 100 % largest sets.
  const SetCollection bms = made("set_collection", {{"sets", 100'000},
                                                    {"universe", 1'657},
                                                    {"mean_size", 17.0},
                                                    {"max_size", 50},
                                                    {"size_exponent", 3.1},
                                                    {"token_exponent", 0.8}});
  EXPECT_NEAR(mean_of_largest(bms, 100'000), 17.0, 0.1);
  EXPECT_NEAR(mean_of_largest(bms, 50'000), 22.0, 0.25);
  EXPECT_NEAR(mean_of_largest(bms, 10'000), 35.0, 0.35);
  EXPECT_EQ(bms.max_size(), 50);
  EXPECT_EQ(bms.universe(), 1'657);
  EXPECT_NE(bms.size(0), bms.max_size()) << "in random order";
}

TEST(SetCollectionGenerator, LargestShareAndConstantSizes) {
  const Properties plateau{{"sets", 1'000},   {"universe", 10'000},   {"mean_size", 90.0},
                           {"max_size", 100}, {"largest_share", 0.5}, {"size_exponent", 3.0}};
  const SetCollection sets = made("set_collection", plateau);
  I largest = 0;
  for (I i = 0; i < sets.count(); ++i) largest += sets.size(i) == 100 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(largest), 500, 15);
  EXPECT_NEAR(mean_of_largest(sets, 1'000), 90.0, 0.5);
  const SetCollection alike = made("set_collection", {{"sets", 1'000}, {"universe", 100}, {"mean_size", 7.25}});
  for (I i = 0; i < alike.count(); ++i) EXPECT_TRUE(alike.size(i) == 7 || alike.size(i) == 8);
  EXPECT_NEAR(mean_of_largest(alike, 1'000), 7.25, 0.06);
}

TEST(SetCollectionGenerator, TokensHaveTheRequestedSkew) {
  Properties parameters{
      {"sets", 20'000}, {"universe", 2'000}, {"mean_size", 5.0}, {"token_order", "frequency"}, {"token_exponent", 0.0}};
  const TokenFrequencies flat = token_frequencies(made("set_collection", parameters));
  EXPECT_LT(*std::ranges::max_element(flat.counts), 90u) << "50 each on average";
  parameters["token_exponent"] = 0.7;
  const TokenFrequencies skewed = token_frequencies(made("set_collection", parameters));
  ASSERT_EQ(skewed.tokens.size(), 2'000u);
  EXPECT_NEAR(skewed.counts[9] / std::pow(1.0 / 10, 0.7), skewed.counts[99] / std::pow(1.0 / 100, 0.7),
              0.2 * skewed.counts[99] / std::pow(1.0 / 100, 0.7));
  EXPECT_NEAR(std::accumulate(skewed.counts.begin() + 1000, skewed.counts.end(), 0.0),
              std::accumulate(skewed.counts.begin() + 200, skewed.counts.begin() + 400, 0.0) * 5 * std::pow(0.2, 0.7),
              2'000);
  parameters["token_order"] = "random";
  const TokenFrequencies shuffled = token_frequencies(made("set_collection", parameters));
  const auto top = std::ranges::max_element(shuffled.counts) - shuffled.counts.begin();
  EXPECT_NE(top, 0);
  EXPECT_GT(shuffled.counts[static_cast<std::size_t>(top)], 1'000u);
}

TEST(SetCollectionGenerator, PlantedSetsAreContainedInEarlierLargerOnes) {
  // The universe is so large that no set is contained in another by chance.
  const Properties parameters{{"sets", 500},   {"universe", 10'000'000}, {"mean_size", 30.0}, {"max_size", 200},
                              {"min_size", 5}, {"token_exponent", 0.0},  {"contained", 120}};
  const Content content = generate("set_collection", parameters, 3);
  EXPECT_EQ(std::get<I>(content.properties.at("planted_pairs")), 120);
  const auto& sets = std::get<SetCollection>(content.data);
  validate(content.data);
  I found = 0;
  for (I i = 0; i < sets.count(); ++i) {
    bool contained = false;
    for (I j = 0; j < i; ++j) contained |= sets.size(j) > sets.size(i) && contains(sets.set(j), sets.set(i));
    found += contained ? 1 : 0;
  }
  EXPECT_EQ(found, 120);
}

TEST(SetCollectionGenerator, LargeSetsAreMadeInPiecesWithTheSameDistribution) {
  const auto first_tokens = [](double size) {  // the share of the 100,000 most frequent tokens
    const SetCollection sets = made(
        "set_collection", {{"sets", 4}, {"universe", 2'000'000}, {"mean_size", size}, {"token_order", "frequency"}});
    double total = 0;
    for (I i = 0; i < 4; ++i)
      total += static_cast<double>(std::ranges::lower_bound(sets.set(i), 100'000U) - sets.set(i).begin());
    return total / 4 / size;
  };
  EXPECT_NEAR(first_tokens((1 << 18) - 1), first_tokens(1 << 18), 0.002) << "drawn one by one, and in pieces";
}

TEST(SetCollectionGenerator, WholeUniversesAreFilledByTheMostFrequentTokens) {
  const SetCollection sets =
      made("set_collection", {{"sets", 3}, {"universe", 1'000}, {"mean_size", 1'000.0}, {"token_exponent", 3.0}});
  for (I i = 0; i < 3; ++i) EXPECT_EQ(sets.set(i).back(), 999u);
}

TEST(SetCollectionGenerator, ScaleShrinksTheNumberOfSets) {
  Properties parameters = cases()[3].parameters;
  parameters["scale"] = 0.1;
  const Content content = generate("set_collection", parameters);
  EXPECT_EQ(std::get<SetCollection>(content.data).count(), 200);
  EXPECT_EQ(std::get<I>(content.properties.at("planted_pairs")), 30);
  EXPECT_NEAR(std::get<double>(describe(content.data).at("mean_size")), 40.0, 1.5);
}

TEST(SetGenerators, ParametersAreChecked) {
  const auto fails = [](const std::string& generator, const Properties& parameters) {
    const auto error = error_of([&] { return generate(generator, parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(
      fails("set_pair", {{"size", 11}, {"universe", 10}}),
      "set_pair: expected 1 token to as many as the universe has, at most 2^32, after scaling, found 11 and 11 of "
      "10");
  EXPECT_EQ(fails("set_pair", {{"size", 1'000}, {"universe", 1'000'000}, {"distribution", "zipf"}, {"exponent", 8.0}}),
            "set_pair: expected sets of at most 32 tokens, what so skewed a distribution gives, found 1000");
  const Properties sets{{"sets", 10}, {"universe", 100}, {"mean_size", 20.0}};
  const auto with = [&sets](Properties more) {
    more.insert(sets.begin(), sets.end());
    return more;
  };
  EXPECT_EQ(fails("set_collection", with({{"max_size", 101}})),
            "set_collection: expected sizes of at most 100, the universe, found 101");
  EXPECT_EQ(fails("set_collection", with({{"max_size", 20}})),
            "set_collection: expected a mean_size below max_size, 20, found 20");
  EXPECT_EQ(fails("set_collection", with({{"max_size", 50}, {"min_size", 60}})),
            "set_collection: expected a min_size of at most 50, found 60");
  EXPECT_EQ(fails("set_collection", with({{"max_size", 50}, {"largest_share", 0.5}})),
            "set_collection: expected a mean_size above largest_share × max_size, found 20");
  EXPECT_EQ(fails("set_collection", with({{"scale", 0.01}})),
            "set_collection: expected 1 to 4294967295 sets after scaling, found 0");
  EXPECT_EQ(fails("set_collection", with({{"contained", 1}})),
            "set_collection: expected at most 0 contained sets among these sizes, found 1");
}

TEST(TokenCells, CoverTheUniverseOnce) {
  for (const std::uint64_t universe : {std::uint64_t{1}, std::uint64_t{4097}, std::uint64_t{1} << 32U}) {
    for (const std::string& name : token_distribution_names()) {
      std::uint64_t next = 0;
      const auto cells = token_cells(universe, token_distribution_from_string(name), 1.2);
      for (const TokenCell& cell : cells) {
        EXPECT_EQ(cell.first, next);
        EXPECT_GT(cell.width, 0u);
        next += cell.width;
      }
      EXPECT_EQ(next, universe) << name;
      EXPECT_LT(cells.size(), 10'000u);
    }
  }
}

TEST(DistinctTokens, BitmapAndTableGiveTheSame) {
  const std::vector<Token> tokens{5, 900, 5, 0, 63, 64, 900, 999, 0};
  const std::vector<Token> wanted{0, 5, 63, 64, 900, 999};
  for (const std::uint64_t universe : {std::uint64_t{1'000}, std::uint64_t{1} << 24U, std::uint64_t{1} << 32U}) {
    DistinctTokens distinct(universe, 9);
    for (int round = 0; round < 2; ++round) {
      std::size_t fresh = 0;
      for (const Token token : tokens) fresh += distinct.add(token) ? 1 : 0;
      EXPECT_EQ(fresh, wanted.size());
      std::vector<Token> out(wanted.size());
      distinct.take(out.data());
      EXPECT_EQ(out, wanted);
    }
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
