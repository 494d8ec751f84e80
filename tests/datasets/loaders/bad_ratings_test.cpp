// Every malformed file of ratings is refused with its exact place, expectation and finding, quickly and without
// allocating the sizes that it merely claims. The files are in tests/data/bad_ratings, their refusals in expected.tsv
// beside them.
#include "tests/datasets/loaders/bad_files.hpp"

namespace warpbench::datasets::testing {
namespace {

class BadRatingFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadRatingFile, IsRefusedWithPlaceExpectationAndFinding) {
  expect_refusal(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, BadRatingFile, ::testing::ValuesIn(bad_files("bad_ratings")), name_of_file);

TEST(BadRatingFiles, EachLoaderHasManyFilesAndAllAreListed) {
  auto listed = listed_per_format("bad_ratings");
  for (const Format& format : formats()) {
    if (format.kind == Kind::Ratings) {
      EXPECT_GE(listed[format.name], format.name == "csv_ratings" ? 20 : 40) << format.name;
    }
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
