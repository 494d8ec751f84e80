// Relations: validated, described, cached, cut, and with S from a second file.
#include "datasets/relations.hpp"

#include <string>
#include <vector>

#include "datasets/io/cache.hpp"
#include "datasets/transforms/transforms.hpp"
#include "source_fixture.hpp"

namespace warpbench::datasets::testing {
namespace {

using Values = std::vector<std::int32_t>;

Relations three_by_four() {
  return {{Values{5, kMost, 2}, Values{1, 1, 1}}, {Values{2, 5, kLeast, 2}, Values{-3, 0, 7, 7}}};
}

TEST(Relations, AreDescribed) {
  const Relations relations = three_by_four();
  relations.validate();
  // R.a = 5 is above three of S.a, the greatest integer above all four, 2 above one.
  EXPECT_EQ(relations.describe(), (Properties{{"r_tuples", 3},
                                              {"s_tuples", 4},
                                              {"r_a_smallest", 2},
                                              {"r_a_largest", kMost},
                                              {"r_a_distinct", 3},
                                              {"r_x_smallest", 1},
                                              {"r_x_largest", 1},
                                              {"r_x_distinct", 1},
                                              {"s_a_smallest", kLeast},
                                              {"s_a_largest", 5},
                                              {"s_a_distinct", 3},
                                              {"s_x_smallest", -3},
                                              {"s_x_largest", 7},
                                              {"s_x_distinct", 3},
                                              {"selectivity_greater", 8.0 / 12.0}}));
}

TEST(Relations, WithoutTuplesAreDescribed) {
  Relations relations = three_by_four();
  relations.s = {};
  relations.validate();
  const Properties facts = relations.describe();
  EXPECT_EQ(facts.at("s_tuples"), Property(0));
  EXPECT_EQ(facts.at("s_a_smallest"), Property(0));
  EXPECT_EQ(facts.at("s_x_distinct"), Property(0));
  EXPECT_EQ(facts.at("r_a_distinct"), Property(3));
  EXPECT_EQ(facts.at("selectivity_greater"), Property(0.0));
}

TEST(Relations, EqualKeysAreNotGreater) {
  const Relations relations{{Values{7, 7}, Values{0, 0}}, {Values{7, 7, 7}, Values{0, 0, 0}}};
  EXPECT_EQ(relations.describe().at("selectivity_greater"), Property(0.0));
}

TEST(Relations, ValidateNamesTheColumns) {
  Relations bad = three_by_four();
  bad.s.x = Values{1};
  const auto error = error_of([&] {
    bad.validate();
    return 0;
  });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "relations: expected as many values of S.x as of S.a, found 1 and 4");
}

TEST(Relations, SurviveTheCache) {
  const TemporaryFolder folder;
  CacheEntry entry{{three_by_four(), {{"r_tuples", 3}}, {}}, ""};
  entry.digest = digest_of(entry.content.data);
  write_cache(folder / "r.warpdata", entry);
  const auto again = read_cache(folder / "r.warpdata");
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Relations>(again->content.data), three_by_four());
  EXPECT_EQ(kind_of(again->content.data), Kind::Relation);
}

TEST(FirstTuples, AreKeptOfBothRelations) {
  const auto first = [](std::int64_t count) {
    return std::get<Relations>(transform({three_by_four(), {}, {}}, "first", {{"tuples", count}}).data);
  };
  EXPECT_EQ(first(2), (Relations{{Values{5, kMost}, Values{1, 1}}, {Values{2, 5}, Values{-3, 0}}}));
  EXPECT_EQ(first(0), three_by_four());
  const auto fails = [](const Properties& parameters) {
    const auto error = error_of([&] { return transform({three_by_four(), {}, {}}, "first", parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails({{"tuples", 4}}), "transform first: expected at least 4 tuples in R, found 3");
  EXPECT_EQ(fails({{"sets", 2}}), "transform first: expected a number of tuples to keep, found sets: 2");
}

class RelationSource : public SourceFixture {
 protected:
  RelationSource() : SourceFixture("j", {"r.csv", "csv", "", "", "", {{"a", "1"}, {"x", "2"}}}) {
    write_file(folder_ / "r.csv", "p,1,10\nq,2,20\n");
    write_file(folder_ / "s.csv", "u,3,30\nv,4,40\nw,5,50\n");
    write_file(folder_ / "other.csv", "age;x\n6;60\n");
  }
  void second(const std::string& path, const Options& options = {}) {
    source_.queries = QueriesSource{.file = {path, "csv", "", "", "", options}, .key = "s"};
  }
  Relations loaded() {
    const Dataset dataset = load(source_, options_);
    validate(dataset.data);
    return dataset.as<Relations>();
  }

  const Relation r_{Values{1, 2}, Values{10, 20}};
};

TEST_F(RelationSource, OneFileIsBothRelations) {
  EXPECT_EQ(loaded(), (Relations{r_, r_}));
  EXPECT_EQ(loaded(), (Relations{r_, r_})) << "from the cache";
}

TEST_F(RelationSource, ASecondFileIsReadAsTheFirst) {
  second("s.csv");
  EXPECT_EQ(loaded(), (Relations{r_, {Values{3, 4, 5}, Values{30, 40, 50}}}));
  source_.queries->first = 2;
  EXPECT_EQ(loaded(), (Relations{r_, {Values{3, 4}, Values{30, 40}}}));
  EXPECT_EQ(files_of(source_).size(), 2u);
}

TEST_F(RelationSource, ASecondFileMayHaveOptionsOfItsOwn) {
  second("other.csv", {{"separator", "semicolon"}, {"header", "names"}, {"a", "age"}});
  EXPECT_EQ(loaded(), (Relations{r_, {Values{6}, Values{60}}}));
  second("s.csv", {{"a", "2"}, {"x", "1"}});
  EXPECT_EQ(loaded(), (Relations{r_, {Values{30, 40, 50}, Values{3, 4, 5}}})) << "and does not come from the cache";
  second("r.csv", {{"a", "2"}, {"x", "1"}});
  EXPECT_EQ(loaded(), (Relations{r_, {Values{10, 20}, Values{1, 2}}})) << "the same file, other columns";
}

TEST_F(RelationSource, RefusesSecondFilesThatDoNotFit) {
  second("s.csv");
  source_.queries->first = 4;
  EXPECT_EQ(refusal(), at("s.csv") + ": expected at least 4 tuples, found 3");
  source_.queries->first = 0;
  source_.queries->match = "u";
  EXPECT_EQ(refusal(), "dataset j, s: expected no \"match\", which chooses among query graphs, found \"u\"");
  source_.queries->match = "";
  source_.queries->key = "test";
  EXPECT_EQ(refusal(), "dataset j, test: expected the key \"s\" beside relation, found \"test\"");
  second("other.csv");
  EXPECT_EQ(refusal(),
            at("other.csv") + ":1: expected column 1, as option a asks, found 1 column (columns are counted from 0)");
  source_.queries->file.format = "snap";
  EXPECT_EQ(refusal(), "dataset j, s: expected kind relation, found graph");
}

}  // namespace
}  // namespace warpbench::datasets::testing
