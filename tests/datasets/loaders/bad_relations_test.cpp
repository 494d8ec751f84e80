// Every malformed file of relations is refused with its exact place, expectation and finding, quickly. The files are in
// tests/data/bad_relations, their refusals in expected.tsv beside them.
#include "tests/datasets/loaders/bad_files.hpp"

namespace warpbench::datasets::testing {
namespace {

class BadRelationFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadRelationFile, IsRefusedWithPlaceExpectationAndFinding) {
  expect_refusal(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, BadRelationFile, ::testing::ValuesIn(bad_files("bad_relations")), name_of_file);

TEST(BadRelationFiles, EachLoaderHasFortyFilesAndAllAreListed) {
  auto listed = listed_per_format("bad_relations");
  for (const Format& format : formats()) {
    if (format.kind == Kind::Relation) {
      EXPECT_GE(listed[format.name], 40) << format.name;
    }
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
