// Every malformed file of sets is refused with its exact place, expectation and finding, fast and without memory for
// what it merely claims. The files lie in tests/data/bad_sets, what is said of each in expected.tsv beside them.
#include <chrono>
#include <set>
#include <sstream>

#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

struct BadFile {
  std::string format;
  Options options;
  std::string file;
  std::string place;  // `line N`, `byte N` or `file`
  std::string expected;
  std::string found;
};

std::filesystem::path folder() {
  return source_dir() / "tests" / "data" / "bad_sets";
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

std::string place_of(const InputError& error) {
  if (error.byte()) return "byte " + std::to_string(*error.byte());
  return error.line() == 0 ? "file" : "line " + std::to_string(error.line());
}

class BadSetFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadSetFile, IsRefusedWithPlaceExpectationAndFinding) {
  const BadFile& bad = GetParam();
  const auto path = folder() / bad.file;
  const auto start = std::chrono::steady_clock::now();
  const auto error = error_of([&] { return parse(read_text(path), bad.format, bad.options); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(error);
  EXPECT_EQ(error->file(), path.string());
  EXPECT_EQ(place_of(*error), bad.place);
  EXPECT_EQ(error->expected(), bad.expected);
  EXPECT_EQ(error->found(), bad.found);
  EXPECT_LT(seconds.count(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Files, BadSetFile, ::testing::ValuesIn(bad_files()), [](const auto& one) {
  std::string name = one.param.file.substr(0, one.param.file.find('.'));
  return name;
});

TEST(BadSetFiles, EachLoaderHasSomeAndEachFileIsListed) {
  std::map<std::string, int> per_loader;
  std::set<std::string> listed{"expected.tsv"};
  for (const BadFile& bad : bad_files()) {
    ++per_loader[bad.format];
    EXPECT_TRUE(listed.insert(bad.file).second) << bad.file << " twice";
  }
  for (const Format& format : formats()) {
    if (format.kind == Kind::Sets) {
      EXPECT_GE(per_loader[format.name], 10) << format.name;
    }
  }
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    EXPECT_TRUE(listed.contains(file.path().filename().string())) << file.path();
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
