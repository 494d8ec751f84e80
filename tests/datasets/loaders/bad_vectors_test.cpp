// Every malformed file of vectors is refused with its exact place, expectation and finding, quickly and without
// allocating the sizes that it merely claims. The files are in tests/data/bad_vectors, their refusals in expected.tsv
// beside them.
#include "datasets/loaders/vectors/hdf5_vectors.hpp"
#include "tests/datasets/loaders/bad_files.hpp"

namespace warpbench::datasets::testing {
namespace {

class BadVectorFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadVectorFile, IsRefusedWithPlaceExpectationAndFinding) {
  if (GetParam().format == "hdf5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  expect_refusal(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, BadVectorFile, ::testing::ValuesIn(bad_files("bad_vectors")), name_of_file);

TEST(BadVectorFiles, EachLoaderHasSomeFilesAndAllAreListed) {
  std::map<std::string, int> listed = listed_per_format("bad_vectors");
  for (const char* const format : {"fvecs", "idx", "vectors_text", "hdf5"}) EXPECT_GE(listed[format], 10) << format;
  for (const Format& format : formats()) {
    if (format.kind == Kind::Vectors) {
      EXPECT_GE(listed[format.name], 3) << format.name;
    }
  }
}

TEST(BadVectorFiles, WithoutTheLibraryHdf5NamesThePackage) {
  if (has_hdf5()) GTEST_SKIP() << "built with HDF5";
  const auto error = error_of([] { return parse_string("x", "hdf5"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fix(), "install the Debian package libhdf5-dev and build again");
}

}  // namespace
}  // namespace warpbench::datasets::testing
