// Every malformed file is refused with its exact place, expectation and finding, in under a second and without
// allocating the sizes that it merely declares. The files are in tests/data/bad_graphs, the expected messages in
// expected.tsv beside them; files that git cannot store are made here.
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>

#include "tests/datasets/loaders/bad_files.hpp"

namespace warpbench::datasets::testing {
namespace {

class BadGraphFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadGraphFile, IsRefusedWithPlaceExpectationAndFinding) {
  expect_refusal(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, BadGraphFile, ::testing::ValuesIn(bad_files("bad_graphs")), name_of_file);

TEST(BadGraphFiles, EachLoaderHasThirtyFilesAndAllAreListed) {
  std::map<std::string, int> listed = listed_per_format("bad_graphs");
  for (const char* const format : {"snap", "matrix_market", "graph", "igraph", "triples", "ntriples"})
    EXPECT_GE(listed[format], 30) << format;
}

const std::map<std::string, std::string>& good_files() {
  static const std::map<std::string, std::string> files{
      {"snap", "# c\n0 1\n1 2\n"},
      {"matrix_market", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"},
      {"graph", "t 3 2\nv 0 0 1\nv 1 0 2\nv 2 0 1\ne 0 1\ne 1 2\n"},
      {"igraph", "t 3 2\nv 0 0\nv 1 0\nv 2 0\ne 0 1\ne 1 2\n"},
      {"triples", "2\n0 1 5\n1 2 6\n"},
      {"ntriples", "<a> <p> _:b .\n<a> <q> \"\\u00e9\"@en .\n"}};
  return files;
}

TEST(BadGraphFiles, UnreadableFilesAreRefused) {
  const TemporaryFolder folder;
  write_file(folder / "empty", "");
  write_file(folder / "unreadable", "0 1\n");
  std::filesystem::permissions(folder / "unreadable", std::filesystem::perms::none);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto found_in = [&](const std::string& name) {
    const auto error = error_of([&] { return read_text(folder / name); });
    return error ? error->expected() + "; " + error->found() : "";
  };
  EXPECT_EQ(found_in("empty"), "data; an empty file");
  EXPECT_EQ(found_in("missing"), "a readable file; No such file or directory");
  EXPECT_EQ(found_in("."), "a regular file; a directory");
  EXPECT_EQ(found_in("pipe"), "a regular file; a device, socket or pipe");
  if (::geteuid() != 0) {  // root can read everything
    EXPECT_EQ(found_in("unreadable"), "a readable file; Permission denied");
  }
}

TEST(BadGraphFiles, EveryTruncationIsRefusedOrGivesASmallerGraph) {
  for (const auto& [format, text] : good_files()) {
    ASSERT_NO_THROW(static_cast<void>(parse_string(text, format)));
    for (std::size_t cut = 1; cut + 1 < text.size(); ++cut) {
      SCOPED_TRACE(format + " cut at " + std::to_string(cut));
      // Only `header: counts` says how long an edge list is, so some cuts are complete edge lists. The same holds for
      // RDF.
      try {
        const Content content = parse_string(text.substr(0, cut), format);
        EXPECT_TRUE(format == "snap" || format == "ntriples");
        validate(content.data);
      } catch (const InputError& error) {
        EXPECT_GT(error.line(), 0u);
      }
    }
  }
}

TEST(BadGraphFiles, DeclaredCountsRevealEveryTruncationOfAnEdgeList) {
  const std::string text = "13 3\n10 11\n11 12\n10 12\n";
  ASSERT_NO_THROW(static_cast<void>(parse_string(text, "snap", {{"header", "counts"}})));
  for (std::size_t cut = 1; cut < text.size() - 2; ++cut) {
    EXPECT_THROW(static_cast<void>(parse_string(text.substr(0, cut), "snap", {{"header", "counts"}})), InputError)
        << cut;
  }
}

TEST(BadGraphFiles, ALateErrorCostsLittleTimeAndMemory) {
  std::string text;
  while (text.size() < (std::size_t{64} << 20U)) text += "1000000 1000001\n";
  text += "oops\n";
  rusage before{};
  rusage after{};
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &before), 0);
  const auto start = std::chrono::steady_clock::now();
  const auto error = error_of([&] { return parse(Text{nullptr, text, "test"}, "snap", {}, 1); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &after), 0);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->found(), "\"oops\"");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(seconds.count(), 4.0) << "64 MiB, on a busy machine";
  EXPECT_LT((after.ru_maxrss - before.ru_maxrss) * 1024, static_cast<long>(text.size() / 4));
#endif
}

}  // namespace
}  // namespace warpbench::datasets::testing
