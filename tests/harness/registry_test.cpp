// The dataset registry: how entries are read, and the exact messages that refuse malformed ones.
#include "harness/spec/registry.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "harness/spec/spec.hpp"
#include "harness/spec/spec_error.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// A folder of registry files, removed at the end of the scope.
class TemporaryRegistry {
 public:
  explicit TemporaryRegistry(const std::map<std::string, std::string>& files)
      : path_(fs::temp_directory_path() / ("warpbench-registry-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
    for (const auto& [name, text] : files) std::ofstream(path_ / name) << text;
  }
  TemporaryRegistry(const TemporaryRegistry&) = delete;
  TemporaryRegistry& operator=(const TemporaryRegistry&) = delete;
  ~TemporaryRegistry() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The message that refuses a registry with one file, without the folder's name.
std::string registry_refusal(const std::string& text) {
  const TemporaryRegistry folder({{"r.yaml", text}});
  try {
    static_cast<void>(read_registry(folder.path()));
    return "";
  } catch (const SpecError& error) {
    const std::string message = error.what();
    const std::string prefix = (folder.path() / "r.yaml").string() + ':';
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
}

TEST(Registry, ReadsFilesAndGenerators) {
  const TemporaryRegistry folder({{"a.yaml",
                                   "lj:\n  kind: graph\n  title: LiveJournal\n  citation: someone\n  licence: free\n"
                                   "  file: lj.txt\n  format: snap\n  url: https://example.org/lj.txt.gz\n"
                                   "  expected: {vertices: 5}\n  published: {density: 0.5, note: big}\n"},
                                  {"b.yaml",
                                   "# comment\nlj-like:\n  stand_in: true\n  generator: rmat\n  seed: 7\n"
                                   "  parameters: {log2_vertices: 4, a: 0.5}\n  transforms: [{labels: {labels: 3}}]\n"},
                                  {"notes.txt", "not a registry"}});
  const Registry registry = read_registry(folder.path());
  ASSERT_EQ(names_of(registry), (std::vector<std::string>{"lj", "lj-like"}));
  const datasets::Source& file = registry.at("lj");
  EXPECT_EQ(file.kind, datasets::Kind::Graph);
  EXPECT_EQ(file.citation, "someone");
  EXPECT_EQ(std::get<datasets::FileSource>(file.from).url, "https://example.org/lj.txt.gz");
  EXPECT_EQ(std::get<std::int64_t>(file.expected.at("vertices")), 5);
  EXPECT_EQ(std::get<double>(file.published.at("density")), 0.5);
  EXPECT_TRUE(file.declared_at.ends_with("a.yaml:1"));
  const datasets::Source& made = registry.at("lj-like");
  EXPECT_TRUE(made.stand_in);
  EXPECT_EQ(std::get<datasets::GeneratorSource>(made.from).seed, 7U);
  EXPECT_EQ(std::get<double>(std::get<datasets::GeneratorSource>(made.from).parameters.at("a")), 0.5);
  ASSERT_EQ(made.transforms.size(), 1U);
  EXPECT_EQ(made.transforms[0].name, "labels");
  EXPECT_TRUE(made.declared_at.ends_with("b.yaml:2"));
}

TEST(Registry, RefusesMalformedEntries) {
  const std::string entry = "x: {file: x.txt, format: snap";
  EXPECT_EQ(registry_refusal(""), "1:1: expected a map of keys, found an empty file");
  EXPECT_EQ(registry_refusal("[x]\n"), "1:1: registry: expected a map of keys, found a list");
  EXPECT_EQ(registry_refusal("x: snap\n"), "1:4: dataset 'x': expected a map of keys, found 'snap'");
  EXPECT_EQ(registry_refusal("x: {title: t}\n"), "1:1: dataset 'x': expected a key 'file' or 'generator', found none");
  EXPECT_EQ(registry_refusal("x: {file: x.txt}\n"), "1:4: dataset 'x': expected a key 'format', found none");
  EXPECT_EQ(registry_refusal(entry + ", generator: rmat}\n"), "1:32: dataset 'x': 'generator' does not go with 'file'");
  EXPECT_EQ(registry_refusal(entry + ", seed: 1}\n"), "1:32: dataset 'x': 'seed' does not go with 'file'");
  EXPECT_EQ(registry_refusal("x: {generator: rmat, url: u}\n"),
            "1:22: dataset 'x': 'url' does not go with 'generator'");
  EXPECT_EQ(registry_refusal(entry + ", kind: grpah}\n"),
            "1:38: dataset 'x': unknown kind 'grpah' (did you mean 'graph'?)");
  EXPECT_EQ(registry_refusal(entry + ", stand_in: yes}\n"),
            "1:42: dataset 'x', stand_in: expected true or false, found 'yes'");
  EXPECT_EQ(registry_refusal(entry + ", expected: {vertices: many, edges: .inf}}\n"),
            "1:66: dataset 'x', expected, edges: expected a finite number, found '.inf'");
  EXPECT_EQ(registry_refusal(entry + ", transforms: []}\n"),
            "1:44: transforms: expected at least one entry, found an empty list");
  EXPECT_EQ(registry_refusal(entry + ", transforms: [{a: {}, b: {}}]}\n"),
            "1:45: transforms: expected a name or a map with one key, the transform");
  EXPECT_EQ(registry_refusal("x: {generator: rmat, seed: -1}\n"),
            "1:28: dataset 'x', seed: expected a whole number from 0 to 9223372036854775807, found '-1'");
  EXPECT_EQ(registry_refusal("x: {file: x, format: snap}\nx: {file: y, format: snap}\n"),
            "2:1: key 'x' is given twice, first in line 1");
}

TEST(Registry, ReadsQueriesFromASecondFile) {
  const std::string text =
      "far: {file: p.fvecs, format: fvecs, queries: {file: q.txt, format: vectors_text, url: u, first: 5,"
      " options: {last_column: drop}}}\n"
      "same: {file: p.tar.gz, format: fvecs, member: p.fvecs, url: u, queries: {member: q.fvecs}}\n";
  const TemporaryRegistry folder(std::map<std::string, std::string>{{"v.yaml", text}});
  const Registry registry = read_registry(folder.path());
  const datasets::QueriesSource& far = registry.at("far").queries.value();
  EXPECT_EQ(far.file.path, "q.txt");
  EXPECT_EQ(far.file.format, "vectors_text");
  EXPECT_EQ(far.file.url, "u");
  EXPECT_EQ(far.file.options.at("last_column"), "drop");
  EXPECT_EQ(far.first, 5);
  const datasets::QueriesSource& same = registry.at("same").queries.value();
  EXPECT_EQ(same.file.path, "p.tar.gz");
  EXPECT_EQ(same.file.member, "q.fvecs");
  EXPECT_EQ(same.file.format, "fvecs");
  EXPECT_EQ(same.first, 0);
}

TEST(Registry, ReadsTestRatingsFromASecondFile) {
  const TemporaryRegistry folder(std::map<std::string, std::string>{
      {"r.yaml", "r: {kind: ratings, file: u1.base, format: movielens, test: {file: u1.test, first: 5}}\n"}});
  const Registry registry = read_registry(folder.path());
  const datasets::QueriesSource& test = registry.at("r").queries.value();
  EXPECT_EQ(test.key, "test");
  EXPECT_EQ(test.file.path, "u1.test");
  EXPECT_EQ(test.file.format, "movielens");
  EXPECT_EQ(test.first, 5);
  EXPECT_EQ(registry_refusal("r: {file: u, format: movielens, queries: {file: t}}\n"),
            "1:1: dataset 'r': expected the key \"test\" beside ratings, found \"queries\"");
  EXPECT_EQ(registry_refusal("r: {file: u, format: fvecs, test: {file: t}}\n"),
            "1:1: dataset 'r': expected the key \"queries\" beside vectors, found \"test\"");
  EXPECT_EQ(registry_refusal("r: {file: u, format: movielens, test: {file: t}, queries: {file: t}}\n"),
            "1:33: dataset 'r': expected 'queries' or 'test', found both");
  EXPECT_EQ(registry_refusal("r: {generator: planted_ratings, test: {file: t}}\n"),
            "1:33: dataset 'r': 'test' does not go with 'generator'");
}

TEST(Registry, ReadsTheSecondRelationFromASecondFile) {
  const TemporaryRegistry folder(std::map<std::string, std::string>{
      {"j.yaml", "j: {kind: relation, file: r, format: csv, options: {a: age, x: 2}, s: {file: s, first: 5}}\n"}});
  const datasets::Source source = read_registry(folder.path()).at("j");
  EXPECT_EQ(std::get<datasets::FileSource>(source.from).options, (datasets::Options{{"a", "age"}, {"x", "2"}}));
  ASSERT_TRUE(source.queries.has_value());
  EXPECT_EQ(source.queries->key, "s");
  EXPECT_EQ(source.queries->file.path, "s");
  EXPECT_EQ(source.queries->file.format, "csv");
  EXPECT_EQ(source.queries->first, 5);
  EXPECT_EQ(registry_refusal("j: {file: r, format: csv, test: {file: s}}\n"),
            "1:1: dataset 'j': expected the key \"s\" beside relation, found \"test\"");
  EXPECT_EQ(
      registry_refusal("j: {file: r, format: csv, options: {separator: pipe}}\n"),
      "1:1: dataset 'j': expected a value of option \"separator\" (one of comma, semicolon, tab, blank, a character "
      "in quotes, such as '|', or '::'), found \"pipe\"");
}

TEST(Registry, ReadsQueryGraphsFromAFolderOrAnArchive) {
  const std::string text =
      "g: {kind: graph_queries, file: g.graph, format: graph, queries: {file: q, match: query_dense_8_, first: 3}}\n";
  const TemporaryRegistry folder(std::map<std::string, std::string>{{"g.yaml", text}});
  const Registry registry = read_registry(folder.path());
  const datasets::QueriesSource& queries = registry.at("g").queries.value();
  EXPECT_EQ(queries.file.path, "q");
  EXPECT_EQ(queries.file.format, "graph");
  EXPECT_EQ(queries.match, "query_dense_8_");
  EXPECT_EQ(queries.first, 3);
  EXPECT_FALSE(queries.counts.has_value());
  const std::string with_counts =
      "g: {file: g.graph, format: graph, queries: {file: q, counts: {file: counts.txt, url: https://x/c}}}\n";
  const TemporaryRegistry counted(std::map<std::string, std::string>{{"g.yaml", with_counts}});
  const auto counts = read_registry(counted.path()).at("g").queries.value().counts;
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(counts->path, "counts.txt");
  EXPECT_EQ(counts->url, "https://x/c");
  EXPECT_EQ(registry_refusal("x: {file: p, format: fvecs, queries: {file: q, counts: {file: c}}}\n"),
            "1:1: dataset 'x': expected no \"counts\", which are of query graphs, found some");
  EXPECT_EQ(registry_refusal("g: {kind: labelled_graph, file: g, format: graph, queries: {file: q}}\n"),
            "1:1: dataset 'g': expected kind labelled_graph, found graph_queries");
  EXPECT_EQ(registry_refusal("g: {file: g, format: graph, queries: {file: q, format: snap}}\n"),
            "1:1: dataset 'g': expected queries in format graph or igraph, found \"snap\" (say format: graph)");
  EXPECT_EQ(registry_refusal("g: {file: g, format: graph, queries: {file: q, member: a, match: b}}\n"),
            "1:1: dataset 'g': expected \"member\", one file of an archive, or \"match\", found both");
  EXPECT_EQ(registry_refusal("x: {file: p, format: fvecs, queries: {file: q, match: a}}\n"),
            "1:1: dataset 'x': expected no \"match\", which chooses among query graphs, found \"a\"");
}

TEST(Registry, QueriesThatDoNotFitAreRefused) {
  const std::string entry = "x: {file: p.fvecs, format: fvecs, queries: ";
  EXPECT_EQ(registry_refusal(entry + "{first: 5}}\n"),
            "1:44: dataset 'x', queries: expected a key 'member', found none");
  EXPECT_EQ(registry_refusal(entry + "{file: q, first: 0}}\n"),
            "1:61: dataset 'x', queries, first: expected a whole number from 1 to 9223372036854775807, found '0'");
  EXPECT_EQ(registry_refusal("x: {file: g.txt, format: snap, queries: {file: q.fvecs, format: fvecs}}\n"),
            "1:1: dataset 'x': expected a file of vectors, of ratings, of a relation or of a labelled graph beside "
            "them, found another source");
  EXPECT_EQ(registry_refusal("x: {generator: clustered, queries: {file: q}}\n"),
            "1:27: dataset 'x': 'queries' does not go with 'generator'");
}

TEST(Registry, UnknownKeysAreRefusedWithTheNearest) {
  const std::string text = registry_refusal("x: {file: x.txt, format: snap, titel: t}\n");
  EXPECT_TRUE(text.starts_with("1:32: dataset 'x': unknown key 'titel' (did you mean 'title'?); known: kind, "))
      << text;
}

TEST(Registry, NamesAreUniqueOverAllFiles) {
  const TemporaryRegistry folder(
      {{"a.yaml", "x: {file: x, format: snap}\n"}, {"b.yaml", "x: {file: y, format: snap}\n"}});
  try {
    static_cast<void>(read_registry(folder.path()));
    FAIL() << "accepted";
  } catch (const SpecError& error) {
    EXPECT_EQ(std::string(error.what()), (folder.path() / "b.yaml").string() +
                                             ":1:1: dataset 'x' is given twice, first at " +
                                             (folder.path() / "a.yaml").string() + ":1");
  }
}

TEST(Registry, UnknownGeneratorsFormatsAndTransformsNameTheNearest) {
  EXPECT_NE(registry_refusal("x: {generator: rmatt}\n").find("rmat"), std::string::npos);
  EXPECT_NE(registry_refusal("x: {file: x, format: snapp}\n").find("snap"), std::string::npos);
  EXPECT_NE(registry_refusal("x: {file: x, format: snap, transforms: [lables]}\n").find("labels"), std::string::npos);
}

TEST(Registry, TheProjectsRegistryIsWellFormed) {
  EXPECT_FALSE(read_registry(fs::path(WARPBENCH_SOURCE_DIR) / "datasets" / "registry").empty());
}

}  // namespace
}  // namespace warpbench::harness
