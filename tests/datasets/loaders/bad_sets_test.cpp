// Every malformed file of sets is refused with its exact place, expectation and finding, quickly and without allocating
// the sizes that it merely claims. The files are in tests/data/bad_sets, their refusals in expected.tsv beside them.
#include "tests/datasets/loaders/bad_files.hpp"

namespace warpbench::datasets::testing {
namespace {

class BadSetFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadSetFile, IsRefusedWithPlaceExpectationAndFinding) {
  expect_refusal(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, BadSetFile, ::testing::ValuesIn(bad_files("bad_sets")), name_of_file);

TEST(BadSetFiles, EachLoaderHasSomeFilesAndAllAreListed) {
  auto listed = listed_per_format("bad_sets");
  for (const Format& format : formats()) {
    if (format.kind == Kind::Sets) {
      EXPECT_GE(listed[format.name], 10) << format.name;
    }
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
