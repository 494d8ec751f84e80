// theta_relations: its selectivity, ties, extremes, range and correlation. coordinates: its places and towns.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/generators.hpp"
#include "datasets/relations.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

Relations relations_of(const std::string& generator, const Properties& parameters, std::uint64_t seed = 1,
                       int threads = 2) {
  const Content content = generate(generator, parameters, seed, threads);
  validate(content.data);
  return std::get<Relations>(content.data);
}

Relations theta(Properties parameters, std::uint64_t seed = 1, int threads = 2) {
  parameters.insert({{"r_tuples", 20'000}, {"s_tuples", 10'000}});
  return relations_of("theta_relations", parameters, seed, threads);
}

double selectivity_of(const Relations& relations) {
  return std::get<double>(relations.describe().at("selectivity_greater"));
}

// If the digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(ThetaRelations, DependOnTheSeedAndNotOnThreadsOrMachine) {
  const Properties parameters{{"r_tuples", 200'000}, {"selectivity", 0.3}, {"extremes", 0.01}, {"correlation", -0.5}};
  const std::string digest = "cf1a878abcb9594b52c7cc1b48f2fd21";
  EXPECT_EQ(digest_of(theta(parameters, 7, 1)), digest);
  EXPECT_EQ(digest_of(theta(parameters, 7, 4)), digest);
  EXPECT_NE(digest_of(theta(parameters, 8, 2)), digest);
}

/// The measured share of pairs has a variance of at most (1 / r + 1 / s) / 4: that of two samples' mean ranks.
TEST(ThetaRelations, HaveTheSelectivity) {
  const double deviation = std::sqrt((1.0 / 20'000 + 1.0 / 10'000) / 4);
  for (const double selectivity : {0.001, 0.1, 0.25, 0.5, 0.7, 0.9, 0.999}) {
    for (const std::int64_t keys : {1, 2, 3, 10, 1'000, 1'000'000'000}) {
      for (const double extremes : {0.0, 0.0008}) {
        SCOPED_TRACE(std::to_string(selectivity) + " with " + std::to_string(keys) + " keys");
        const Relations relations =
            theta({{"selectivity", selectivity}, {"distinct_keys", keys}, {"extremes", extremes}}, 3);
        EXPECT_NEAR(selectivity_of(relations), selectivity, 4 * deviation);
      }
    }
  }
}

TEST(ThetaRelations, ReachNoPairAndAllPairs) {
  for (const std::int64_t keys : {1, 7, 1'000'000'000}) {
    EXPECT_EQ(selectivity_of(theta({{"selectivity", 0.0}, {"distinct_keys", keys}})), 0.0) << keys;
    EXPECT_EQ(selectivity_of(theta({{"selectivity", 1.0}, {"distinct_keys", keys}})), 1.0) << keys;
  }
}

TEST(ThetaRelations, MayHaveOneKeyAlone) {
  const Relations relations = theta({{"selectivity", 0.0}, {"distinct_keys", 1}});
  EXPECT_EQ(std::ranges::count(relations.r.a, 0), 20'000);
  EXPECT_EQ(std::ranges::count(relations.s.a, 0), 10'000);
}

TEST(ThetaRelations, HaveUniformKeysOfTheGivenNumber) {
  const Relations relations = theta({{"distinct_keys", 16}});
  std::array<int, 16> counts{};
  for (const std::int32_t key : relations.s.a) {
    ASSERT_TRUE(key >= 0 && key < 16) << key;
    ++counts[static_cast<std::size_t>(key)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000 / 16, 5 * std::sqrt(10'000.0 / 16));
  // Half of R has moved by one.
  const auto top = static_cast<double>(std::ranges::count(relations.r.a, 16));
  EXPECT_NEAR(top, 20'000 / 32, 5 * std::sqrt(20'000.0 / 32));
}

TEST(ThetaRelations, AreIndependent) {
  const Relations relations = theta({{"s_tuples", 20'000}});
  EXPECT_NE(relations.r, relations.s);
  EXPECT_NE(relations.r.a, relations.r.x);
  EXPECT_FALSE(std::ranges::is_sorted(relations.r.a));
}

TEST(ThetaRelations, KeepXWithinItsRange) {
  for (const auto& [low, high] :
       {std::pair<std::int64_t, std::int64_t>{0, 999'999}, {-3, 3}, {5, 5}, {kLeast, kMost}}) {
    const Relations relations = theta({{"x_low", low}, {"x_high", high}});
    for (const Relation* relation : {&relations.r, &relations.s}) {
      const auto [least, most] = std::ranges::minmax(relation->x.span());
      EXPECT_GE(least, low);
      EXPECT_LE(most, high);
      const auto span = static_cast<double>(high - low);
      EXPECT_NEAR(static_cast<double>(least), static_cast<double>(low), span / 1000);
      EXPECT_NEAR(static_cast<double>(most), static_cast<double>(high), span / 1000);
    }
  }
}

TEST(ThetaRelations, MayHaveExtremes) {
  const Relations relations = theta({{"extremes", 0.1}});
  for (const Array<std::int32_t>* column : {&relations.r.a, &relations.r.x}) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(*column, kLeast)), 1'000, 160);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(*column, kMost)), 1'000, 160);
  }
  for (const std::int32_t key : theta({{"extremes", 1.0}, {"selectivity", 0.25}}).s.a) {
    ASSERT_TRUE(key == kLeast || key == kMost);
  }
  const auto error = error_of([] { return theta({{"extremes", 1.0}}); });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(),
               "theta_relations: expected a selectivity from 0.25 to 0.25 beside that share of extremes, found "
               "selectivity: 0.5");
}

double correlation_of(const Relation& relation) {
  const auto mean = [](const Array<std::int32_t>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double mean_a = mean(relation.a);
  const double mean_x = mean(relation.x);
  double aa = 0;
  double ax = 0;
  double xx = 0;
  for (std::size_t i = 0; i < relation.a.size(); ++i) {
    const double a = relation.a[i] - mean_a;
    const double x = relation.x[i] - mean_x;
    aa += a * a;
    ax += a * x;
    xx += x * x;
  }
  return ax / std::sqrt(aa * xx);
}

TEST(ThetaRelations, CorrelateXWithTheKey) {
  for (const double correlation : {-1.0, -0.4, 0.0, 0.7, 1.0}) {
    const Relations relations = theta({{"correlation", correlation}, {"x_low", -1'000'000}});
    EXPECT_NEAR(correlation_of(relations.r), correlation, 4 / std::sqrt(20'000.0));
    EXPECT_NEAR(correlation_of(relations.s), correlation, 4 / std::sqrt(10'000.0));
  }
}

TEST(ThetaRelations, MayBeEmptyAndShrink) {
  const Relations relations = theta({{"s_tuples", 0}, {"scale", 0.25}});
  EXPECT_EQ(relations.r.count(), 5'000);
  EXPECT_EQ(relations.s.count(), 0);
}

TEST(ThetaRelations, RefuseWhatCannotBeMade) {
  const auto fails = [](const Properties& parameters) {
    const auto error = error_of([&parameters] { return theta(parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails({{"x_low", 5}, {"x_high", 4}}), "theta_relations: expected an x_high of at least x_low: 5, found 4");
  EXPECT_EQ(fails({{"r_tuples", 2'000'000'000}, {"scale", 2.0}}),
            "theta_relations: expected at most 2147483647 tuples after scaling, found r_tuples: 4000000000");
  EXPECT_NE(fails({{"selectivity", 1.5}}).find("a number from 0 to 1"), std::string::npos);
}

Relations checkins(Properties parameters, std::uint64_t seed = 1, int threads = 2) {
  parameters.insert({{"r_tuples", 40'000}, {"s_tuples", 9'000}, {"places", 8'000}, {"centres", 50}});
  return relations_of("coordinates", parameters, seed, threads);
}

using Place = std::pair<std::int32_t, std::int32_t>;

std::set<Place> places_of(const Relation& relation) {
  std::set<Place> places;
  for (std::size_t i = 0; i < relation.a.size(); ++i) places.emplace(relation.a[i], relation.x[i]);
  return places;
}

TEST(Coordinates, DependOnTheSeedAndNotOnThreadsOrMachine) {
  const std::string digest = "acc03df5a46bb168dee87033821f1329";
  EXPECT_EQ(digest_of(checkins({{"r_tuples", 200'000}}, 7, 1)), digest);
  EXPECT_EQ(digest_of(checkins({{"r_tuples", 200'000}}, 7, 4)), digest);
  EXPECT_NE(digest_of(checkins({{"r_tuples", 200'000}}, 8, 2)), digest);
}

TEST(Coordinates, AreThoseOfThePlacesAndOnTheGlobe) {
  const Relations relations = checkins({{"spread", 5.0}});
  const std::set<Place> places = places_of(relations.r);
  EXPECT_EQ(places.size(), 8'000u) << "each place has a check-in";
  EXPECT_EQ(places_of(relations.s), places);
  EXPECT_NE(relations.r.a, checkins({{"spread", 5.0}}, 2).r.a);
  for (const auto& [latitude, longitude] : places) {
    ASSERT_TRUE(latitude >= -900'000'000 && latitude <= 900'000'000) << latitude;
    ASSERT_TRUE(longitude >= -1'800'000'000 && longitude < 1'800'000'000) << longitude;
  }
}

TEST(Coordinates, LieAroundCentres) {
  const Relations relations = checkins({{"spread", 0.1}, {"centres", 1}});
  double sum = 0;
  double squares = 0;
  const std::set<Place> places = places_of(relations.r);
  for (const auto& [latitude, ignored] : places) {
    sum += latitude;
    squares += static_cast<double>(latitude) * latitude;
  }
  const auto count = static_cast<double>(places.size());
  EXPECT_NEAR(std::sqrt(squares / count - sum / count * (sum / count)), 1e6, 4e4) << "0.1 degrees";
  EXPECT_EQ(places_of(checkins({{"spread", 0.0}}).r).size(), 50u) << "one place a centre";
}

TEST(Coordinates, SomePlacesArePopular) {
  const auto most = [](const Properties& parameters) {
    std::map<Place, int> counts;
    const Relations relations = checkins(parameters);
    for (std::size_t i = 0; i < relations.r.a.size(); ++i) ++counts[{relations.r.a[i], relations.r.x[i]}];
    return std::ranges::max_element(counts, {}, &std::pair<const Place, int>::second)->second;
  };
  EXPECT_GT(most({}), 300);
  EXPECT_LT(most({{"place_exponent", 0.0}}), 25);
}

TEST(Coordinates, ScaleShrinksCheckinsAndPlaces) {
  const Content content = generate(
      "coordinates", {{"r_tuples", 40'000}, {"s_tuples", 100}, {"places", 8'000}, {"centres", 50}, {"scale", 0.1}});
  const auto& relations = std::get<Relations>(content.data);
  EXPECT_EQ(relations.r.count(), 4'000);
  EXPECT_EQ(relations.s.count(), 10);
  EXPECT_EQ(places_of(relations.r).size(), 800u);
  EXPECT_EQ(content.properties.at("places"), Property(800));
}

}  // namespace
}  // namespace warpbench::datasets::testing
