// Folders of malformed files. tests/data/bad_*/expected.tsv says how each file in its folder is read, and where and why
// it is refused. A test over such a folder:
//
//   class BadGraphFile : public ::testing::TestWithParam<BadFile> {};
//   TEST_P(BadGraphFile, IsRefused…) { expect_refusal(GetParam()); }
//   INSTANTIATE_TEST_SUITE_P(Files, BadGraphFile, ::testing::ValuesIn(bad_files("bad_graphs")), name_of_file);
//   TEST(BadGraphFiles, …EachFileIsListed) { auto listed = listed_per_format("bad_graphs"); … }
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "datasets/loaders/text.hpp"
#include "tests/datasets/support.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::datasets::testing {

/// A row of expected.tsv; these members are its tab-separated columns, in this order.
struct BadFile {
  std::string format;
  Options options;  ///< `name=value`, more of them after commas, or `-` for none
  std::filesystem::path path;
  std::string place;  ///< `line N` from 1, `byte N` from 0, `file`, or a part of the file such as `:train`
  std::string expected;
  std::string found;
};

inline std::filesystem::path bad_folder(const std::string& name) {
  return source_dir() / "tests" / "data" / name;
}

inline std::vector<BadFile> bad_files(const std::string& folder) {
  std::vector<BadFile> all;
  std::ifstream table(bad_folder(folder) / "expected.tsv");
  for (std::string row; std::getline(table, row);) {
    if (row.starts_with('#')) continue;
    std::istringstream fields(row);
    BadFile bad;
    std::string options;
    std::string file;
    for (std::string* const field : {&bad.format, &options, &file, &bad.place, &bad.expected, &bad.found}) {
      std::getline(fields, *field, '\t');
    }
    bad.path = bad_folder(folder) / file;
    std::istringstream each(options);
    for (std::string option; std::getline(each, option, ',');) {
      if (const auto equals = option.find('='); equals != std::string::npos) {
        bad.options[option.substr(0, equals)] = option.substr(equals + 1);
      }
    }
    all.push_back(bad);
  }
  return all;
}

inline void PrintTo(const BadFile& bad, std::ostream* out) {
  *out << bad.path.filename().string();
}

/// The test's name: the file's name up to its first dot.
inline std::string name_of_file(const ::testing::TestParamInfo<BadFile>& bad) {
  const std::string file = bad.param.path.filename().string();
  return file.substr(0, file.find('.'));
}

/// The place of `error` in `path`, in the table's notation.
inline std::string place_of(const InputError& error, const std::filesystem::path& path) {
  if (error.byte()) return "byte " + std::to_string(*error.byte());
  if (error.line() != 0) return "line " + std::to_string(error.line());
  const std::string part = error.file().substr(path.string().size());
  return part.empty() ? "file" : part;
}

/// The `place` of `path`, in the notation of messages.
inline std::string as_named(const std::filesystem::path& path, const std::string& place) {
  if (place.starts_with("line ")) return path.string() + ':' + place.substr(5);
  if (place.starts_with("byte ")) return path.string() + ": " + place;
  return place == "file" ? path.string() : path.string() + place;
}

/// Reads `bad` and expects the refusal of its row within a second.
inline void expect_refusal(const BadFile& bad) {
  const auto start = std::chrono::steady_clock::now();
  const auto error = error_of([&bad] { return parse(read_text(bad.path), bad.format, bad.options); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(error);
  ASSERT_TRUE(error->file().starts_with(bad.path.string())) << error->file();
  EXPECT_EQ(place_of(*error, bad.path), bad.place);
  EXPECT_EQ(error->expected(), bad.expected);
  EXPECT_EQ(error->found(), bad.found);
  EXPECT_LT(seconds.count(), 1.0);
  const std::string sentence = as_named(bad.path, bad.place) + ": expected " + bad.expected + ", found " + bad.found;
  EXPECT_TRUE(std::string(error->what()).starts_with(sentence)) << error->what();
}

/// The number of files of each format in the folder's table; fails if a file is listed twice or not at all.
inline std::map<std::string, int> listed_per_format(const std::string& folder) {
  std::map<std::string, int> per_format;
  std::set<std::filesystem::path> listed{bad_folder(folder) / "expected.tsv"};
  for (const BadFile& bad : bad_files(folder)) {
    ++per_format[bad.format];
    EXPECT_TRUE(listed.insert(bad.path).second) << bad.path << " twice";
  }
  for (const auto& file : std::filesystem::directory_iterator(bad_folder(folder))) {
    EXPECT_TRUE(listed.contains(file.path())) << file.path() << " is not in expected.tsv";
  }
  std::string counts;
  for (const auto& [format, files] : per_format) counts += ' ' + format + ' ' + std::to_string(files);
  warpbench::testing::print_figure("malformed files:" + counts);
  return per_format;
}

}  // namespace warpbench::datasets::testing
