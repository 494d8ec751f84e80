// The formats of ratings: each reads back what was written. Then the real files, where they are.
#include "datasets/ratings.hpp"

#include <optional>
#include <string>
#include <vector>

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

struct ReadRating {
  std::uint32_t user;
  std::uint32_t item;
  float value;
  friend bool operator==(const ReadRating&, const ReadRating&) = default;
};

struct ReadRatings {
  std::int64_t users = 0;
  std::int64_t items = 0;
  std::vector<ReadRating> ratings;
  std::vector<std::uint32_t> original;
};

ReadRatings ratings_in(const Content& content) {
  validate(content.data);
  const auto& ratings = std::get<Ratings>(content.data);
  EXPECT_EQ(ratings.test.count(), 0);
  ReadRatings read{ratings.users(), ratings.items(), {}, {content.original_ids.begin(), content.original_ids.end()}};
  for (std::size_t i = 0; i < ratings.train.values.size(); ++i) {
    read.ratings.push_back({ratings.train.users[i], ratings.train.items[i], ratings.train.values[i]});
  }
  return read;
}

ReadRatings read_ratings(const std::string& bytes, const std::string& format, const Options& options = {}) {
  return ratings_in(parse_string(bytes, format, options));
}

using WantedRatings = std::vector<ReadRating>;

TEST(MovielensLoader, ReadsAllThreeForms) {
  const WantedRatings wanted{{1, 1, 5.0F}, {0, 1, 0.5F}, {1, 0, 3.0F}};
  for (const std::string& text :
       {std::string("7::122::5::838985046\n3::122::0.5::0\r\n7::9::3::1"),
        std::string("userId,movieId,rating,timestamp\n7,122,5.0,838985046\n3,122,.5,0\r\n7,9,3,1\n"),
        std::string("7\t122\t5\t838985046\n3\t122\t5e-1\t0\r\n7\t9\t3.0\t1\n")}) {
    SCOPED_TRACE(text);
    const ReadRatings read = read_ratings(text, "movielens");
    EXPECT_EQ(read.ratings, wanted);
    EXPECT_EQ(read.users, 2);
    EXPECT_EQ(read.items, 2);
    EXPECT_EQ(read.original, (Ids{3, 7, 9, 122})) << "users, then items";
  }
}

TEST(MovielensLoader, KeepsIdsOnDemand) {
  const std::string text = "2::1::5::0\n4::3::4::0\n2::1::3::0\n";
  const ReadRatings kept = read_ratings(text, "movielens", {{"relabel", "none"}});
  EXPECT_EQ(kept.ratings, (WantedRatings{{2, 1, 5}, {4, 3, 4}, {2, 1, 3}})) << "a pair may occur twice";
  EXPECT_EQ(kept.users, 5);
  EXPECT_EQ(kept.items, 4);
  EXPECT_TRUE(kept.original.empty());
  const ReadRatings shifted = read_ratings(text, "movielens", {{"relabel", "from_one"}});
  EXPECT_EQ(shifted.ratings, (WantedRatings{{1, 0, 5}, {3, 2, 4}, {1, 0, 3}}));
  EXPECT_EQ(shifted.users, 4) << "users 1 and 3 have no ratings";
  EXPECT_EQ(shifted.items, 3);
}

TEST(MovielensLoader, ReadsTheLargestIds) {
  const ReadRatings read = read_ratings("4294967294::4294967294::-3.4e38::9223372036854775807\n", "movielens");
  EXPECT_EQ(read.ratings, (WantedRatings{{0, 0, -3.4e38F}}));
  EXPECT_EQ(read.original, (Ids{4294967294, 4294967294}));
}

TEST(NetflixLoader, ReadsMoviesAndTheirRatings) {
  const std::string text = "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\r\n3:\n2:\r\n822109,4.5,2005-01-01";
  const ReadRatings read = read_ratings(text, "netflix");
  EXPECT_EQ(read.ratings, (WantedRatings{{1, 0, 3}, {0, 0, 5}, {0, 1, 4.5F}}));
  EXPECT_EQ(read.original, (Ids{822109, 1488844, 1, 2})) << "a movie without ratings does not occur";
  const ReadRatings kept = read_ratings("2:\n9,1,2005-01-01\n", "netflix", {{"relabel", "from_one"}});
  EXPECT_EQ(kept.users, 9);
  EXPECT_EQ(kept.items, 2);
}

TEST(NetflixLoader, AMoviesRatingsMayCrossChunks) {
  std::string text;
  std::vector<ReadRating> wanted;
  std::uint32_t customer = 0;
  for (std::uint32_t movie = 0; movie < 3; ++movie) {  // chunks are 4 MiB; the second movie fills more than one
    text += std::to_string(movie) + ":\n";
    const std::size_t end = text.size() + (movie == 1 ? std::size_t{9} << 20U : 100);
    while (text.size() < end) {
      text += std::to_string(customer) + ",3,2005-09-06\n";
      wanted.push_back({customer++, movie, 3});
    }
  }
  const auto parsed = [&text] { return parse(Text{nullptr, text, "test"}, "netflix", {{"relabel", "none"}}, 4); };
  EXPECT_EQ(ratings_in(parsed()).ratings, wanted);
  text.replace(0, 2, "x:");
  const auto error = error_of(parsed);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), 1u) << "and not where its chunk looks for the movie";
  text += "5,nan,2005-09-06\n";
  text.replace(0, 2, "0:");
  const auto late = error_of(parsed);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->line(), wanted.size() + 4);
}

TEST(LibmfLoader, ReadsIdsAsTheyAre) {
  const ReadRatings read = read_ratings("0 5 3.5\n2\t1\t-1e-3\r\n  2  1   4 \n", "libmf");
  EXPECT_EQ(read.ratings, (WantedRatings{{0, 5, 3.5F}, {2, 1, -1e-3F}, {2, 1, 4}}));
  EXPECT_EQ(read.users, 3);
  EXPECT_EQ(read.items, 6);
  EXPECT_EQ(read_ratings("9 7 1\n4 7 1\n", "libmf", {{"relabel", "compact"}}).original, (Ids{4, 9, 7}));
  EXPECT_EQ(read_ratings("1 1 1", "libmf", {{"relabel", "from_one"}}).users, 1);
}

TEST(LibmfLoader, ReadsRatingsWithAPlus) {
  EXPECT_EQ(read_ratings("0 0 +1\n1 0 -1\n2 0 +1.5e0\n", "libmf").ratings,
            (WantedRatings{{0, 0, 1}, {1, 0, -1}, {2, 0, 1.5F}}));
}

TEST(LibmfLoader, AHeaderDeclaresTheShape) {
  const ReadRatings read = read_ratings("9 4 2\n0 3 1\n1 0 2\n", "libmf", {{"header", "counts"}});
  EXPECT_EQ(read.ratings, (WantedRatings{{0, 3, 1}, {1, 0, 2}}));
  EXPECT_EQ(read.users, 9) << "seven have no ratings";
  EXPECT_EQ(read.items, 4);
  const Options from_one{{"header", "counts"}, {"relabel", "from_one"}};
  EXPECT_EQ(read_ratings("9 4 2\n9 4 1\n1 1 2\n", "libmf", from_one).ratings, (WantedRatings{{8, 3, 1}, {0, 0, 2}}));
  const Options compact{{"header", "counts"}, {"relabel", "compact"}};
  EXPECT_EQ(read_ratings("9 4 2\n9 4 1\n1 1 2\n", "libmf", compact).original, (Ids{1, 9, 1, 4}));
}

TEST(LibmfLoader, AHeaderRevealsEveryCutOfALine) {
  const std::string text = "9 4 3\n0 3 1\n1 0 2\n5 1 4\n";
  for (std::size_t cut = 1; cut < text.size() - 1; ++cut) {
    EXPECT_THROW(static_cast<void>(parse_string(text.substr(0, cut), "libmf", {{"header", "counts"}})), InputError)
        << cut;
  }
}

struct RealRatingFile {
  std::string name;
  FileSource train;
  std::optional<FileSource> test;
  Properties expected;
};

class RealRatings : public ::testing::TestWithParam<RealRatingFile> {};

TEST_P(RealRatings, HaveThePublishedSize) {
  const auto data = data_dir();
  if (!data) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  Source source;
  source.name = GetParam().name;
  source.from = GetParam().train;
  source.expected = GetParam().expected;
  if (GetParam().test) source.queries = QueriesSource{.file = *GetParam().test, .key = "test"};
  LoadOptions options;
  options.data_dir = *data;
  if (!is_available(source, options)) GTEST_SKIP() << GetParam().train.path << " is not in " << *data;
  const Dataset dataset = load(source, options);
  validate(dataset.data);
  const double of_mean = std::get<double>(dataset.properties.at("mean_rmse"));
  EXPECT_TRUE(!GetParam().test || of_mean > 0.5) << of_mean;
}

FileSource real_file(const std::string& path, const std::string& format, const Options& options = {}) {
  return {"ratings/" + path, format, "", "", "", options};
}

Properties counts_of(std::int64_t users, std::int64_t items, std::int64_t train, std::int64_t test) {
  return {{"users", users}, {"items", items}, {"train_ratings", train}, {"test_ratings", test}};
}

INSTANTIATE_TEST_SUITE_P(
    All, RealRatings,
    ::testing::Values(
        RealRatingFile{
            "movielens_100k", real_file("ml-100k/u.data", "movielens"), {}, counts_of(943, 1'682, 100'000, 0)},
        RealRatingFile{"movielens_100k_u1", real_file("ml-100k/u1.base", "movielens"),
                       real_file("ml-100k/u1.test", "movielens"), counts_of(943, 1'682, 80'000, 20'000)},
        RealRatingFile{"movielens_1m", real_file("ml-1m-pmf.train.txt", "libmf", {{"relabel", "compact"}}),
                       real_file("ml-1m-pmf.test.txt", "libmf"), counts_of(6'040, 3'706, 900'000, 100'203)},
        RealRatingFile{"libmf_real", real_file("libmf-demo/real_matrix.tr.txt", "libmf"),
                       real_file("libmf-demo/real_matrix.te.txt", "libmf"), counts_of(2'309, 1'368, 5'000, 794)}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpbench::datasets::testing
