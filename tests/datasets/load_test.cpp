// load(): turns a source into a dataset and checks files, digests, expectations and the cache on the way.
#include "datasets/source.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "datasets/io/cache.hpp"
#include "datasets/io/digest.hpp"
#include "source_fixture.hpp"
#include "tests/problems/support/file_size_limit.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::datasets::testing {
namespace {

// SHA-256 of "0 1\n1 2\n0 2\n2 3\n", by sha256sum(1).
constexpr const char* kSha256 = "e1bfa5e2af1354c8abbed85ba0c7e03c6ac616880000121940ecdb3484e324bf";
constexpr const char* kText = "0 1\n1 2\n0 2\n2 3\n";

class Load : public SourceFixture {
 protected:
  Load() : SourceFixture("g", {"g.txt", "snap", "", "", "", {}}) {
    write_file(folder_ / "g.txt", kText);
    options_.threads = 2;
    options_.notice = [this](const std::string& text) { notices_.push_back(text); };
  }

  FileSource& file() { return std::get<FileSource>(source_.from); }
  std::filesystem::path only_cache_file() {
    std::vector<std::filesystem::path> files;
    for (const auto& one : std::filesystem::directory_iterator(folder_ / "cache")) files.push_back(one.path());
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? "" : files.front();
  }

  std::vector<std::string> notices_;
};

TEST_F(Load, GivesNameKindDigestAndProperties) {
  source_.stand_in = true;
  source_.published = {{"triangles", 1}};
  const Dataset dataset = load(source_, options_);
  EXPECT_EQ(dataset.name, "g");
  EXPECT_EQ(dataset.kind, Kind::Graph);
  EXPECT_TRUE(dataset.stand_in);
  EXPECT_EQ(dataset.digest, digest_of(dataset.data));
  EXPECT_EQ(dataset.digest.size(), 32u);
  EXPECT_EQ(dataset.properties.at("vertices"), Property{4});
  EXPECT_EQ(dataset.properties.at("edges"), Property{4});
  EXPECT_EQ(dataset.properties.at("average_degree"), Property{2.0});
  EXPECT_EQ(dataset.properties.at("self_loops_dropped"), Property{0});
  EXPECT_EQ(dataset.properties.at("published_triangles"), Property{1});
  EXPECT_EQ(dataset.as<Csr>().edges(), 4);
  EXPECT_THROW(static_cast<void>(dataset.as<LabelledGraph>()), InputError);
}

TEST_F(Load, IsTheSameFromFileAndFromFreshOldOrNoCache) {
  const Dataset first = load(source_, options_);
  const Dataset second = load(source_, options_);
  options_.cache_dir.clear();
  const Dataset third = load(source_, options_);
  EXPECT_EQ(first.as<Csr>(), second.as<Csr>());
  EXPECT_EQ(first.as<Csr>(), third.as<Csr>());
  EXPECT_EQ(first.digest, third.digest);
  EXPECT_EQ(first.properties, second.properties);
  EXPECT_EQ(first.properties, third.properties);
  EXPECT_TRUE(notices_.empty());
  static_cast<void>(only_cache_file());
}

TEST_F(Load, AChangedFileOptionOrTransformMakesAnotherCacheEntry) {
  const Dataset before = load(source_, options_);
  write_file(folder_ / "g.txt", "0 1\n1 2\n0 2\n1 3\n");
  EXPECT_NE(load(source_, options_).digest, before.digest);
  write_file(folder_ / "g.txt", kText);
  source_.transforms = {{"labels", {{"labels", 2}}}};
  EXPECT_EQ(load(source_, options_).kind, Kind::LabelledGraph);
  source_.transforms = {{"labels", {{"labels", 3}}}};
  EXPECT_EQ(load(source_, options_).properties.at("vertices"), Property{4});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "cache"), {}), 4);
}

TEST_F(Load, RebuildsACacheWithAnyFlippedByteOrTruncation) {
  source_.transforms = {{"labels", {{"labels", 2}}}};
  const Dataset first = load(source_, options_);
  const auto path = only_cache_file();
  const std::string whole = read_file(path);
  ASSERT_LT(whole.size(), 4096u);
  std::size_t damaged = 0;
  const auto damage = [&](const std::string& bytes) {
    write_file(path, bytes);
    EXPECT_THROW(static_cast<void>(read_cache(path)), InputError);
    const Dataset again = load(source_, options_);
    ++damaged;
    ASSERT_EQ(notices_.size(), damaged);
    EXPECT_TRUE(notices_.back().starts_with("damaged cache is rebuilt: ")) << notices_.back();
    EXPECT_EQ(again.digest, first.digest);
    EXPECT_EQ(read_file(path), whole);
  };
  const std::size_t step = warpbench::testing::usual_or_thorough(3, 1);
  for (std::size_t at = 0; at < whole.size(); at += step) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    damage(flipped);
  }
  for (std::size_t cut = 0; cut < whole.size(); cut += 13 * step) damage(whole.substr(0, cut));
  damage(whole + 'x');
  write_file(path, whole.substr(0, whole.size() - 1));
  const auto error = error_of([&] { return read_cache(path); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), std::to_string(whole.size()) + " bytes");
  EXPECT_EQ(error->byte(), whole.size() - 1);
  warpbench::testing::print_figure(std::to_string(damaged) + " damaged caches noticed and rebuilt");
}

TEST_F(Load, AnUnwritableCacheOnlyCausesANotice) {
  write_file(folder_ / "cache", "a file where the folder should be");
  EXPECT_EQ(load(source_, options_).as<Csr>().edges(), 4);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("dataset g is not cached"), std::string::npos) << notices_[0];
}

/// 1,000 × 24 points and 10 queries.
GeneratorSource clusters(std::uint64_t seed) {
  return {"clustered", {{"points", 1000}, {"dimension", 24}, {"queries", 10}, {"clusters", 5}}, seed};
}
constexpr std::size_t kClusterBytes = 1010 * 24 * sizeof(float);

TEST_F(Load, GeneratesPointsStraightIntoTheCache) {
  source_.from = clusters(3);
  const Dataset first = load(source_, options_);
  const Dataset second = load(source_, options_);
  // Once, beside two pages that arrays begin with, and little else.
  EXPECT_GE(std::filesystem::file_size(only_cache_file()), kClusterBytes);
  EXPECT_LE(std::filesystem::file_size(only_cache_file()), kClusterBytes + 3 * 4096);
  options_.cache_dir.clear();
  const Dataset third = load(source_, options_);
  EXPECT_EQ(first.as<VectorSet>(), third.as<VectorSet>());
  EXPECT_EQ(second.as<VectorSet>(), third.as<VectorSet>());
  EXPECT_EQ(first.digest, third.digest);
  EXPECT_EQ(first.properties, third.properties);
  EXPECT_TRUE(notices_.empty());
}

TEST_F(Load, GeneratesPointsInMemoryWhereTheCacheHasNoRoomForThem) {
  source_.from = clusters(4);
  Dataset limited;
  {
    const warpbench::testing::FileSizeLimit limit(kClusterBytes / 2);
    limited = load(source_, options_);
  }
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("dataset g is not cached: cannot find space for"), std::string::npos) << notices_[0];
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "cache"));
  options_.cache_dir.clear();
  EXPECT_EQ(limited.as<VectorSet>(), load(source_, options_).as<VectorSet>());
}

TEST_F(Load, APlaceInACacheFileIsCopiedNoMore) {
  const auto path = folder_ / "draft";
  VectorSet set;
  set.facts = std::vector<std::uint32_t>{2, 0};
  CacheDraft draft(path);
  constexpr std::size_t kValues = 2000;
  set.queries = filled_array<float>(
      kValues, [&draft](std::size_t bytes) { return draft.room(bytes); },
      [](std::span<float> values) { std::ranges::fill(values, 7.0F); });
  set.points = std::vector<float>{1, 2, 3, 4};
  draft.commit({{set, {}, {}}, "the digest"});
  const auto entry = read_cache(path);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->digest, "the digest");
  EXPECT_EQ(std::get<VectorSet>(entry->content.data), set);
  // Its room begins on the second page; what was copied would be behind it.
  EXPECT_LT(std::filesystem::file_size(path), 4096 + kValues * sizeof(float) + 1024);
}

TEST_F(Load, AnInterruptedWriteLeavesNothing) {
  const Dataset dataset = load(source_, options_);
  EXPECT_THROW(write_cache(folder_ / "no" / "such" / "folder", {{dataset.data, {}, {}}, dataset.digest}),
               std::system_error);
  std::filesystem::create_directory(folder_ / "taken");
  EXPECT_THROW(write_cache(folder_ / "taken", {{dataset.data, {}, {}}, dataset.digest}), std::system_error);
  for (const auto& one : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(one.path().string().find(".tmp."), std::string::npos) << one.path();
  }
}

TEST_F(Load, FindsTheCompressedFile) {
  EXPECT_EQ(locate({"g.txt", "snap", "", "", "", {}}, folder_.path()), folder_ / "g.txt");
  write_file(folder_ / "h.txt.gz", "x");
  EXPECT_EQ(locate({"h.txt", "snap", "", "", "", {}}, folder_.path()), folder_ / "h.txt.gz");
  EXPECT_FALSE(locate({"i.txt", "snap", "", "", "", {}}, folder_.path()));
  file().path = "i.txt";
  file().url = "https://example.org/i.txt";
  EXPECT_FALSE(is_available(source_, options_));
  const auto error = error_of([&] { return load(source_, options_); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fix(), "warpbench datasets fetch g");
}

TEST_F(Load, DownloadsStayInTheDataFolder) {
  const auto destination = [&](const std::string& path, const std::string& url) {
    return fetch_destination({path, "snap", url, "", "", {}}, "/data");
  };
  EXPECT_EQ(destination("a/g.txt", "https://example.org/g.txt.gz"), "/data/a/g.txt.gz");
  EXPECT_EQ(destination("a/../g.txt", "https://example.org/g.txt"), "/data/g.txt");
  for (const char* const path : {"../g.txt", "a/../../g.txt", "/etc/g.txt", ".."}) {
    const auto error = error_of([&] { return destination(path, "https://example.org/g.txt"); });
    ASSERT_TRUE(error) << path;
    EXPECT_EQ(error->expected(), "a path inside the data folder");
  }
}

TEST_F(Load, ChecksSha256) {
  if (!has_sha256()) GTEST_SKIP() << "built without OpenSSL";
  file().sha256 = kSha256;
  EXPECT_EQ(load(source_, options_).as<Csr>().edges(), 4);
  write_file(folder_ / "g.txt", "0 1\n1 2\n0 2\n2 4\n");
  const auto error = error_of([&] { return load(source_, options_); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), std::string("SHA-256 ") + kSha256);
  file().sha256 = "ABC";
  EXPECT_THROW(validate(source_), InputError);
}

TEST_F(Load, ChecksSha256OfDataThatAreInTheCacheUnderAnotherName) {
  if (!has_sha256()) GTEST_SKIP() << "built without OpenSSL";
  write_file(folder_ / "g.txt", "0 1\n1 2\n0 2\n1 3\n");  // as kText, with another last edge
  static_cast<void>(load(source_, options_));
  source_.name = "described";
  file().sha256 = kSha256;
  const auto error = error_of([&] { return load(source_, options_); });
  ASSERT_TRUE(error) << "the cache served another file than the one described";
  EXPECT_EQ(error->expected(), std::string("SHA-256 ") + kSha256);
}

TEST_F(Load, ATemporaryFileOfTheCacheNeverFollowsALink) {
  const Dataset dataset = load(source_, options_);
  write_file(folder_ / "victim", "precious");
  const auto cached = folder_ / "x.warpdata";
  std::filesystem::create_symlink(folder_ / "victim", cached.string() + ".tmp." + std::to_string(::getpid()));
  write_cache(cached, {{dataset.data, {}, {}}, dataset.digest});
  EXPECT_EQ(read_file(folder_ / "victim"), "precious");
  EXPECT_EQ(read_cache(cached)->digest, dataset.digest);
}

TEST_F(Load, ChecksExpectedProperties) {
  source_.declared_at = "graphs.yaml:7";
  source_.expected = {{"edges", 4}, {"average_degree", 2.001}};
  EXPECT_NO_THROW(static_cast<void>(load(source_, options_)));
  source_.expected = {{"edges", 5}};
  const auto wrong = error_of([&] { return load(source_, options_); });
  ASSERT_TRUE(wrong);
  EXPECT_STREQ(wrong->what(),
               "graphs.yaml:7: dataset g: expected edges = 5, found 4 (the data are not those described)");
  source_.expected = {{"average_degree", 2.01}};
  EXPECT_THROW(static_cast<void>(load(source_, options_)), InputError);
  source_.expected = {{"egdes", 4}};
  const auto unknown = error_of([&] { return load(source_, options_); });
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->fix(), "did you mean \"edges\"?");
}

TEST_F(Load, ChecksWhatIsExpectedBeforeATransform) {
  write_file(folder_ / "g.txt", "0 1\n1 2\n3 4\n");
  source_.transforms = {{"degree_descending", {}}, {"largest_component", {}}};
  EXPECT_EQ(load(source_, options_).properties.at("vertices"), Property{3});
  source_.expected = {{"vertices", 5}};
  for (const std::size_t place : {0, 1}) {
    source_.expected_before = place;
    EXPECT_NO_THROW(static_cast<void>(load(source_, options_))) << place;
  }
  source_.expected = {{"vertices", 3}};
  EXPECT_EQ(refusal(), "dataset g: expected vertices = 3, found 5 (the data are not those described)")
      << "though the same data lie in the cache";
  source_.expected_before.reset();
  EXPECT_NO_THROW(static_cast<void>(load(source_, options_)));
}

TEST_F(Load, ValidateRefusesBeforeAnythingIsRead) {
  file().path = "not there";
  EXPECT_NO_THROW(validate(source_));
  source_.kind = Kind::LabelledGraph;
  EXPECT_THROW(validate(source_), InputError);
  source_.kind.reset();
  file().options = {{"haeder", "none"}};
  EXPECT_THROW(validate(source_), InputError);
  source_.from = GeneratorSource{"uniform", {{"vertices", 10}}, 1};
  EXPECT_THROW(validate(source_), InputError);
  source_.from = GeneratorSource{"uniform", {{"vertices", 100}, {"edges", 300}}, 1};
  EXPECT_NO_THROW(validate(source_));
  source_.transforms = {{"lables", {}}};
  EXPECT_THROW(validate(source_), InputError);
}

TEST_F(Load, GeneratesAndCaches) {
  source_.from = GeneratorSource{"uniform", {{"vertices", 100}, {"edges", 300}}, 5};
  EXPECT_TRUE(is_available(source_, options_));
  const Dataset first = load(source_, options_);
  options_.threads = 1;
  EXPECT_EQ(load(source_, options_).digest, first.digest);
  static_cast<void>(only_cache_file());
  std::get<GeneratorSource>(source_.from).seed = 6;
  EXPECT_NE(load(source_, options_).digest, first.digest);
}

TEST(Sha256, RefusesAPipeInsteadOfWaitingForIt) {
  if (!has_sha256()) GTEST_SKIP() << "built without OpenSSL";
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto error = error_of([&] { return sha256_file(folder / "pipe"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->found(), "a device, socket or pipe");
}

TEST(Digest, KeepsTextsApart) {
  Digest first;
  first.add(std::string_view("ab"));
  first.add(std::string_view("c"));
  Digest second;
  second.add(std::string_view("a"));
  second.add(std::string_view("bc"));
  EXPECT_NE(first.hex(), second.hex());
}

TEST(Digest, DependsOnEveryPart) {
  const Csr graph = build_csr(std::vector<Edge>{{0, 1}}, 2);
  const std::string plain = digest_of(graph);
  EXPECT_NE(digest_of(build_csr(std::vector<Edge>{{0, 1}}, 3)), plain);
  EXPECT_NE(digest_of(LabelledGraph{graph, Ids{0, 0}, {}}), plain);
  EXPECT_NE(digest_of(LabelledGraph{graph, Ids{0, 0}, {}}), digest_of(LabelledGraph{graph, Ids{0, 1}, {}}));
  EXPECT_NE(digest_of(LabelledGraph{graph, Ids{0, 0}, {}}), digest_of(LabelledGraph{graph, Ids{0, 0}, Ids{0, 0}}));
}

}  // namespace
}  // namespace warpbench::datasets::testing
