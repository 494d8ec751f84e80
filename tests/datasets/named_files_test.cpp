// The files that a source names in an archive or a folder, and the outline of a dataset before it is read.
#include "datasets/named_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "datasets/input_error.hpp"
#include "datasets/loaders/archive_names.hpp"
#include "datasets/loaders/text.hpp"
#include "datasets/outline.hpp"

namespace warpbench::datasets {
namespace {

namespace fs = std::filesystem;

std::string tar_entry(const std::string& name, std::size_t size) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  std::string digits(11, '0');
  for (std::size_t i = digits.size(), rest = size; rest > 0; rest /= 8) digits[--i] = static_cast<char>('0' + rest % 8);
  header.replace(124, 11, digits);
  header[156] = '0';
  header.replace(257, 8, std::string("ustar\00000", 8));
  return header + std::string((size + 511) / 512 * 512, 'x');
}

class NamedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("warpbench-named-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    const std::string archive = tar_entry("q/a_1.graph", 5) + tar_entry("q/a_2.graph", 70'000) + tar_entry("q/x", 512);
    write("plain.tar", archive + std::string(1024, '\0'));
    write("unended.tar", archive);
    write("cut.tar", archive.substr(0, 40'000));
    const gzFile packed = ::gzopen((folder_ / "packed.tar.gz").c_str(), "wb");
    ASSERT_EQ(::gzwrite(packed, archive.data(), static_cast<unsigned>(archive.size())),
              static_cast<int>(archive.size()));
    ASSERT_EQ(::gzclose(packed), Z_OK);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) { std::ofstream(folder_ / name) << bytes; }

  /// The refusal of a graph with queries at `name`; "" if nothing is missing.
  std::string lacks(const std::string& name, const std::string& match, std::int64_t first = 0,
                    const std::string& member = {}) {
    Source source;
    source.name = "mine";
    source.from = FileSource{"data.graph", "graph", {}, {}, {}, {}};
    source.queries = QueriesSource{{name, "graph", {}, {}, member, {}}, first, match};
    try {
      check_named_files(source, source.queries->file, folder_);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  fs::path folder_;
};

TEST_F(NamedFiles, AreListedWithoutTheirContents) {
  const std::vector<std::string> names{"q/a_1.graph", "q/a_2.graph", "q/x"};
  EXPECT_EQ(archive_names(folder_ / "plain.tar"), names);
  EXPECT_EQ(archive_names(folder_ / "unended.tar"), names);
  EXPECT_EQ(archive_names(folder_ / "packed.tar.gz"), names);
  write("none", "0 1\n");
  EXPECT_EQ(archive_names(folder_ / "none"), std::nullopt);
  EXPECT_EQ(archive_names(folder_), std::nullopt);
  EXPECT_EQ(archive_names("/dev/zero"), std::nullopt);
  EXPECT_THROW(static_cast<void>(archive_names(folder_ / "cut.tar")), InputError);
}

TEST_F(NamedFiles, AreMissedInArchivesAsInFolders) {
  fs::create_directory(folder_ / "q");
  write("q/a_1.graph", "");
  write("q/a_2.graph", "");
  for (const char* const place : {"plain.tar", "packed.tar.gz", "q"}) {
    EXPECT_EQ(lacks(place, ""), "") << place;
    EXPECT_EQ(lacks(place, "a_", 2), "") << place;
    EXPECT_NE(lacks(place, "b_").find("begin with \"b_\""), std::string::npos) << place;
    EXPECT_NE(lacks(place, "a_", 3).find("expected at least 3 queries, found 2"), std::string::npos) << place;
  }
  EXPECT_EQ(lacks("plain.tar", "", 0, "q/x"), "");
  EXPECT_NE(lacks("plain.tar", "", 0, "q/y").find("expected a tar member \"q/y\", found 3 others"), std::string::npos);
  EXPECT_EQ(lacks("absent.tar", "b_"), "") << "a missing file is another matter";
}

/// `cut.tar` is damaged behind its first file.
TEST_F(NamedFiles, AreLookedUpNoFurtherThanTheMember) {
  EXPECT_EQ(lacks("cut.tar", "", 0, "q/a_1.graph"), "");
  EXPECT_NE(lacks("cut.tar", "", 0, "q/x").find("bytes of a tar member"), std::string::npos);
}

/// The refusal of load(), in its words.
TEST_F(NamedFiles, OfADamagedArchiveOrNoneAreMissedAsTheyAreWhenRead) {
  std::ifstream packed(folder_ / "packed.tar.gz", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(packed), {}};
  write("torn.tgz", bytes.substr(0, bytes.size() / 2));
  write("long.txt", std::string(2000, '7'));
  write("short.txt", "0 1\n");
  write("empty.txt", "");
  write("zeros.txt", std::string(2000, '\0'));
  for (const char* const name : {"torn.tgz", "cut.tar", "long.txt", "short.txt", "empty.txt", "zeros.txt"}) {
    std::string read;
    try {
      static_cast<void>(read_text(folder_ / name, "q/nothing"));
    } catch (const InputError& error) {
      read = error.what();
    }
    EXPECT_NE(read, "") << name;
    EXPECT_EQ(lacks(name, "", 0, "q/nothing"), read);
  }
}

Source generated(const std::string& generator, Properties parameters) {
  Source source;
  source.name = "made";
  source.from = GeneratorSource{generator, std::move(parameters), 1};
  return source;
}

TEST(Outline, HasTheNumbersThatParametersTell) {
  const Properties vectors{{"points", std::int64_t{100}}, {"dimension", std::int64_t{4}}, {"queries", std::int64_t{0}}};
  Source points = generated("uniform_vectors", vectors);
  EXPECT_EQ(outline_of(points).queries, 0);
  points.transforms = {{"hold_out", {{"queries", std::int64_t{7}}}}};
  EXPECT_EQ(outline_of(points).queries, 7);
  Source sets =
      generated("set_collection",
                {{"sets", std::int64_t{600}}, {"universe", std::int64_t{100}}, {"mean_size", 5.0}, {"scale", 0.1}});
  EXPECT_EQ(outline_of(sets).sets, 60);
  sets.transforms = {{"enlarge", {{"times", std::int64_t{2}}}}, {"first", {{"sets", std::int64_t{80}}}}};
  EXPECT_EQ(outline_of(sets).sets, 80);
  sets.transforms.push_back({"distinct_sets", {}});
  EXPECT_EQ(outline_of(sets).sets, std::nullopt);
}

TEST(Outline, OfFilesKnowsTheirSecondPartAlone) {
  Source source;
  source.name = "mine";
  source.from = FileSource{"x", "libmf", {}, {}, {}, {}};
  EXPECT_EQ(outline_of(source).test_ratings, 0);
  source.transforms = {{"hold_out_ratings", {{"test_share", 0.5}}}};
  EXPECT_EQ(outline_of(source).test_ratings, std::nullopt);
  source.transforms = {};
  source.from = FileSource{"x", "fvecs", {}, {}, {}, {}};
  EXPECT_EQ(outline_of(source).queries, 0);
  source.from = FileSource{"x", "hdf5", {}, {}, {}, {}};
  EXPECT_EQ(outline_of(source).queries, std::nullopt);
  source.from = FileSource{"x", "transactions", {}, {}, {}, {}};
  EXPECT_EQ(outline_of(source).sets, std::nullopt);
}

}  // namespace
}  // namespace warpbench::datasets
