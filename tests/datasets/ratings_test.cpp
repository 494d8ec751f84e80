// Ratings: validated, described, cached, split at random, and with test ratings from a second file.
#include "datasets/ratings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/io/cache.hpp"
#include "datasets/transforms/transforms.hpp"
#include "source_fixture.hpp"

namespace warpbench::datasets::testing {
namespace {

using RatingValues = std::vector<float>;

Ratings four_by_three() {
  Ratings ratings;
  ratings.shape = std::vector<std::uint64_t>{4, 3};
  ratings.train = {Ids{0, 0, 3, 0}, Ids{0, 1, 1, 1}, RatingValues{1, 5, 4, 2}};
  ratings.test = {Ids{1, 3}, Ids{2, 0}, RatingValues{3, 7}};
  return ratings;
}

std::string ratings_refusal(const Ratings& ratings) {
  const auto error = error_of([&] {
    ratings.validate();
    return 0;
  });
  return error ? error->what() : "";
}

TEST(Ratings, AreDescribed) {
  const Ratings ratings = four_by_three();
  ratings.validate();
  EXPECT_EQ(ratings.mean(), 3.0);
  EXPECT_EQ(ratings.describe(), (Properties{{"users", 4},
                                            {"items", 3},
                                            {"train_ratings", 4},
                                            {"test_ratings", 2},
                                            {"mean", 3.0},
                                            {"smallest", 1.0},
                                            {"largest", 5.0},
                                            {"mean_rmse", std::sqrt(8.0)},
                                            {"idle_users", 2},
                                            {"idle_items", 1},
                                            {"top_users_share", 0.75},
                                            {"top_items_share", 0.75},
                                            {"users_gini", 0.25},
                                            {"items_gini", 0.25}}));
}

TEST(Ratings, WithoutRatingsAreDescribed) {
  Ratings empty;
  EXPECT_EQ(empty.users() + empty.items() + empty.train.count(), 0);
  EXPECT_EQ(std::get<double>(empty.describe().at("mean_rmse")), 0.0);
  empty.shape = std::vector<std::uint64_t>{2, 1};
  empty.validate();
  const Properties facts = empty.describe();
  EXPECT_EQ(facts.at("idle_users"), Property(2));
  EXPECT_EQ(facts.at("largest"), Property(0.0));
  EXPECT_EQ(facts.at("top_items_share"), Property(0.0));
  EXPECT_EQ(facts.at("items_gini"), Property(0.0));
}

TEST(Ratings, ValidateNamesTheRating) {
  EXPECT_EQ(ratings_refusal(Ratings()), "ratings: expected two sizes, users and items, found 0");
  Ratings bad = four_by_three();
  bad.shape = std::vector<std::uint64_t>{4, std::uint64_t{1} << 32U};
  EXPECT_EQ(ratings_refusal(bad), "ratings: expected at most 4294967295 users and items, found 4294967296");
  bad = four_by_three();
  bad.train.users = Ids{0, 0, 4, 0};
  EXPECT_EQ(ratings_refusal(bad), "ratings: expected a user below 4 in training rating 2, found 4");
  bad = four_by_three();
  bad.test.items = Ids{2, 3};
  EXPECT_EQ(ratings_refusal(bad), "ratings: expected an item below 3 in test rating 1, found 3");
  bad = four_by_three();
  bad.test.values = RatingValues{std::numeric_limits<float>::quiet_NaN(), 1};
  EXPECT_EQ(ratings_refusal(bad), "ratings: expected a finite value in test rating 0, found nan");
  bad = four_by_three();
  bad.train.items = Ids{0, 1, 1};
  EXPECT_EQ(ratings_refusal(bad), "ratings: expected training users, items and values of one number, found 4, 3 and 4");
}

TEST(Ratings, SurviveTheCache) {
  const TemporaryFolder folder;
  CacheEntry entry{{four_by_three(), {{"mean", 3.0}}, Ids{5, 6, 7, 8, 1, 2, 3}}, ""};
  entry.digest = digest_of(entry.content.data);
  write_cache(folder / "r.warpdata", entry);
  const auto again = read_cache(folder / "r.warpdata");
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Ratings>(again->content.data), four_by_three());
  EXPECT_EQ(again->content.original_ids, entry.content.original_ids);
  EXPECT_EQ(kind_of(again->content.data), Kind::Ratings);
}

Content hundred_ratings() {
  Ratings ratings;
  ratings.shape = std::vector<std::uint64_t>{100, 100};
  Ids ids;
  RatingValues values;
  for (std::uint32_t i = 0; i < 100; ++i) {
    ids.push_back(i);
    values.push_back(static_cast<float>(i));
  }
  ratings.train = {ids, ids, values};
  return {std::move(ratings), {}, {}};
}

TEST(HoldOutRatings, MovesAShareAndLosesNone) {
  const auto split = [](double share, std::int64_t seed) {
    const Content content = transform(hundred_ratings(), "hold_out_ratings", {{"test_share", share}, {"seed", seed}});
    validate(content.data);
    return std::get<Ratings>(content.data);
  };
  const Ratings ratings = split(0.1, 1);
  EXPECT_EQ(ratings.shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{100, 100})));
  EXPECT_EQ(ratings.train.count(), 90);
  EXPECT_EQ(ratings.test.count(), 10);
  std::set<float> seen;
  for (const RatingList* list : {&ratings.train, &ratings.test}) {
    EXPECT_TRUE(std::ranges::is_sorted(list->users)) << "the order is kept";
    for (std::size_t i = 0; i < list->values.size(); ++i) {
      EXPECT_EQ(static_cast<float>(list->users[i]), list->values[i]);
      EXPECT_EQ(list->users[i], list->items[i]);
      seen.insert(list->values[i]);
    }
  }
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(split(0.1, 1), ratings);
  EXPECT_NE(split(0.1, 2), ratings);
}

TEST(HoldOutRatings, RefusesWhatItCannotSplit) {
  const auto fails = [](Content content, double share) {
    const auto error = error_of([&] {
      return transform(std::move(content), "hold_out_ratings", {{"test_share", share}});
    });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(
      fails(hundred_ratings(), 0.001),
      "transform hold_out_ratings: expected a test_share that leaves ratings to train and to test, found 0 of 100 "
      "to test");
  EXPECT_NE(fails(hundred_ratings(), 1.0).find("found 100 of 100 to test"), std::string::npos);
  EXPECT_EQ(fails({four_by_three(), {}, {}}, 0.5), "transform hold_out_ratings: expected no test ratings, found 2");
  EXPECT_EQ(fails({SetCollection{std::vector<std::uint64_t>{0}, {}}, {}, {}}, 0.5),
            "transform hold_out_ratings: expected ratings, found sets");
}

FileSource rating_file(const std::string& path, const std::string& format, const Options& options = {}) {
  return {path, format, "", "", "", options};
}

class RatingSource : public SourceFixture {
 protected:
  RatingSource() : SourceFixture("r", rating_file("train.dat", "movielens")) {
    write_file(folder_ / "train.dat", "9::5::4::1\n2::5::3::1\n9::70::1::1\n");
    write_file(folder_ / "test.dat", "2::70::5::1\n4::6::2::1\n");
    write_file(folder_ / "train.txt", "1 1 4\n3 2 5\n");
    write_file(folder_ / "test.txt", "3 1 2\n");
    source_.queries = QueriesSource{.file = rating_file("test.dat", "movielens"), .key = "test"};
  }
  void use_libmf(const Options& options) {
    source_.from = rating_file("train.txt", "libmf", options);
    source_.queries->file = rating_file("test.txt", "libmf");
  }
  Ratings loaded() {
    const Dataset dataset = load(source_, options_);
    validate(dataset.data);
    original_ = {dataset.original_ids.begin(), dataset.original_ids.end()};
    return dataset.as<Ratings>();
  }

  Ids original_;
};

TEST_F(RatingSource, IdsOfBothFilesAreCompactedTogether) {
  const Ratings ratings = loaded();
  EXPECT_EQ(original_, (Ids{2, 4, 9, 5, 6, 70})) << "users, then items";
  EXPECT_EQ(ratings.shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{3, 3})));
  EXPECT_EQ(ratings.train, (RatingList{Ids{2, 0, 2}, Ids{0, 0, 2}, RatingValues{4, 3, 1}}));
  EXPECT_EQ(ratings.test, (RatingList{Ids{0, 1}, Ids{2, 1}, RatingValues{5, 2}}));
  source_.queries->first = 1;
  EXPECT_EQ(loaded().test, (RatingList{Ids{0}, Ids{1}, RatingValues{5}}));
  EXPECT_EQ(original_, (Ids{2, 9, 5, 70})) << "user 4 and item 6 are of the second test rating alone";
  EXPECT_EQ(files_of(source_).size(), 2u);
}

TEST_F(RatingSource, NamesOfTwoFilesAreRefused) {
  write_file(folder_ / "train.csv", "ann,lamp,5\n");
  write_file(folder_ / "test.csv", "bob,lamp,4\n");
  source_.from = rating_file("train.csv", "csv_ratings", {{"ids", "names"}});
  source_.queries->file = rating_file("test.csv", "csv_ratings", {{"ids", "names"}});
  EXPECT_NE(refusal().find("hold_out_ratings"), std::string::npos) << refusal();
}

TEST_F(RatingSource, IdsOfTestRatingsThatAreNotTakenDoNotCount) {
  use_libmf({});
  write_file(folder_ / "test.txt", "3 1 2\n5000 9 2\n");
  source_.queries->first = 1;
  EXPECT_EQ(loaded().shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{4, 3})));
  EXPECT_EQ(loaded().test, (RatingList{Ids{3}, Ids{1}, RatingValues{2}}));
}

/// As programs write that cut a matrix in two: both headers have the shape of the whole.
TEST_F(RatingSource, ATestFileMayDeclareTheShapeOfTheWholeMatrix) {
  use_libmf({{"header", "counts"}});
  source_.queries->file.options["header"] = "counts";
  std::string train = "9000 8000 200\n";
  for (int i = 0; i < 200; ++i) train += std::to_string(40 * i) + " 7999 3\n";
  write_file(folder_ / "train.txt", train);
  write_file(folder_ / "test.txt", "9000 8000 1\n8999 1 2\n");
  EXPECT_EQ(loaded().shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{9000, 8000})));
  EXPECT_EQ(loaded().test, (RatingList{Ids{8999}, Ids{1}, RatingValues{2}}));
}

TEST_F(RatingSource, KeptIdsMeanTheSameInBothFiles) {
  use_libmf({});
  EXPECT_EQ(loaded().shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{4, 3})));
  EXPECT_EQ(loaded().test, (RatingList{Ids{3}, Ids{1}, RatingValues{2}}));
  EXPECT_EQ(original_, Ids{});
  use_libmf({{"relabel", "from_one"}});
  EXPECT_EQ(loaded().shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{3, 2})));
  EXPECT_EQ(loaded().train, (RatingList{Ids{0, 2}, Ids{0, 1}, RatingValues{4, 5}}));
  EXPECT_EQ(loaded().test, (RatingList{Ids{2}, Ids{0}, RatingValues{2}}));
  write_file(folder_ / "test.txt", "6 9 2\n");
  EXPECT_EQ(loaded().shape, (Array<std::uint64_t>(std::vector<std::uint64_t>{6, 9}))) << "the test file has more";
}

TEST_F(RatingSource, RefusesTestIdsThatTheTrainingFileExcludes) {
  use_libmf({{"header", "counts"}});
  write_file(folder_ / "train.txt", "4 3 2\n1 1 4\n3 2 5\n");
  EXPECT_EQ(loaded().test.count(), 1);
  write_file(folder_ / "test.txt", "3 1 2\n4 1 2\n");
  EXPECT_EQ(refusal(),
            at("test.txt") + ": expected user ids up to 3, as the header of " + at("train.txt") + " says, found 4");
  write_file(folder_ / "test.txt", "3 7 2\n");
  EXPECT_NE(refusal().find("item ids up to 2"), std::string::npos);
  use_libmf({{"relabel", "from_one"}});
  write_file(folder_ / "train.txt", "1 1 4\n3 2 5\n");
  write_file(folder_ / "test.txt", "3 0 2\n");
  EXPECT_EQ(refusal(),
            at("test.txt") + ": expected item ids from 1, found 0 (relabel: from_one is the training file's option)");
  use_libmf({});
  write_file(folder_ / "test.txt", "5000 0 2\n");
  EXPECT_EQ(refusal(),
            at("test.txt") + ": expected user ids below 4288 for that many ratings, found 5000 (set relabel: compact)");
}

TEST_F(RatingSource, RefusesTestFilesThatDoNotFit) {
  source_.queries->first = 3;
  EXPECT_EQ(refusal(), at("test.dat") + ": expected at least 3 ratings, found 2");
  source_.queries->first = 0;
  source_.queries->file.options["relabel"] = "none";
  EXPECT_EQ(refusal(),
            "dataset r, test: expected no option \"relabel\", as that of the training file holds, found \"none\"");
  source_.queries->file = rating_file("test.dat", "snap");
  EXPECT_EQ(refusal(), "dataset r, test: expected kind ratings, found graph");
  source_.queries->file = rating_file("test.dat", "movielens");
  source_.queries->match = "u1";
  EXPECT_NE(refusal().find("no \"match\""), std::string::npos);
  source_.queries->match = "";
  source_.queries->key = "queries";
  EXPECT_EQ(refusal(), "dataset r, queries: expected the key \"test\" beside ratings, found \"queries\"");
  source_.queries->key = "test";
  write_file(folder_ / "test.dat", "2::70::nan::1\n");
  EXPECT_EQ(refusal(), at("test.dat") + ":1: expected a finite number that a float holds as a rating, found \"nan\"");
}

}  // namespace
}  // namespace warpbench::datasets::testing
