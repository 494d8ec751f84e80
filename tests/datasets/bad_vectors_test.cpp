// Every malformed file of vectors is refused with its exact place, expectation and finding, fast and without memory for
// what it merely claims. The files lie in tests/data/bad_vectors, what is said of each in expected.tsv beside them.
#include <chrono>
#include <set>
#include <sstream>

#include "datasets/loaders/hdf5_vectors.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

struct BadFile {
  std::string format;
  Options options;
  std::string file;
  std::string place;  // `line N`, `byte N`, `file`, or a part of it, `:train`
  std::string expected;
  std::string found;
};

std::filesystem::path folder() {
  return source_dir() / "tests" / "data" / "bad_vectors";
}

std::vector<BadFile> bad_files() {
  std::vector<BadFile> all;
  std::ifstream table(folder() / "expected.tsv");
  for (std::string row; std::getline(table, row);) {
    if (row.starts_with('#')) continue;
    std::istringstream fields(row);
    BadFile bad;
    std::string options;
    for (std::string* const field : {&bad.format, &options, &bad.file, &bad.place, &bad.expected, &bad.found}) {
      std::getline(fields, *field, '\t');
    }
    while (bad.place.ends_with(' ')) bad.place.pop_back();
    if (const auto equals = options.find('='); equals != std::string::npos) {
      bad.options[options.substr(0, equals)] = options.substr(equals + 1);
    }
    all.push_back(bad);
  }
  return all;
}

void PrintTo(const BadFile& bad, std::ostream* out) {
  *out << bad.file;
}

std::string place_of(const InputError& error, const std::filesystem::path& path) {
  if (error.byte()) return "byte " + std::to_string(*error.byte());
  if (error.line() != 0) return "line " + std::to_string(error.line());
  const std::string part = error.file().substr(path.string().size());
  return part.empty() ? "file" : part;
}

class BadVectorFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadVectorFile, IsRefusedWithPlaceExpectationAndFinding) {
  const BadFile& bad = GetParam();
  if (bad.format == "hdf5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const auto path = folder() / bad.file;
  const auto start = std::chrono::steady_clock::now();
  const auto error = error_of([&] { return parse(read_text(path), bad.format, bad.options); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->file().starts_with(path.string())) << error->file();
  EXPECT_EQ(place_of(*error, path), bad.place);
  EXPECT_EQ(error->expected(), bad.expected);
  EXPECT_EQ(error->found(), bad.found);
  EXPECT_LT(seconds.count(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Files, BadVectorFile, ::testing::ValuesIn(bad_files()), [](const auto& one) {
  std::string name = one.param.file.substr(0, one.param.file.find('.'));
  return name;
});

TEST(BadVectorFiles, EachLoaderHasSomeAndEachFileIsListed) {
  std::map<std::string, int> per_loader;
  std::set<std::string> listed{"expected.tsv"};
  for (const BadFile& bad : bad_files()) {
    ++per_loader[bad.format];
    EXPECT_TRUE(listed.insert(bad.file).second) << bad.file << " twice";
  }
  for (const char* const format : {"fvecs", "idx", "vectors_text", "hdf5"}) EXPECT_GE(per_loader[format], 10) << format;
  for (const Format& format : formats()) {
    if (format.kind == Kind::Vectors) {
      EXPECT_GE(per_loader[format.name], 3) << format.name;
    }
  }
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    EXPECT_TRUE(listed.contains(file.path().filename().string())) << file.path();
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
