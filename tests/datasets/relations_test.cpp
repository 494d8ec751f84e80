// Relations: validated, described and cached.
#include "datasets/relations.hpp"

#include <limits>
#include <string>
#include <vector>

#include "datasets/io/cache.hpp"
#include "source_fixture.hpp"

namespace warpbench::datasets::testing {
namespace {

using Values = std::vector<std::int32_t>;
constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

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

}  // namespace
}  // namespace warpbench::datasets::testing
