// Query graphs from files beside a labelled graph.
#include "datasets/graphs/graph_queries.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "datasets/graphs/candidates.hpp"
#include "source_fixture.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

constexpr const char* kData = "t 4 4\nv 0 5 2\nv 1 6 2\nv 2 5 3\nv 3 7 1\ne 0 1\ne 1 2\ne 0 2\ne 2 3\n";
constexpr const char* kEdge = "t 2 1\nv 0 5 1\nv 1 6 1\ne 0 1\n";
constexpr const char* kVertex = "t 1 0\nv 0 7 0\n";

FileSource graph_file(const std::string& path) {
  return {path, "graph", "", "", "", {}};
}

class GraphQueriesSource : public SourceFixture {
 protected:
  GraphQueriesSource() : SourceFixture("g", graph_file("g.graph")) {
    write_file(folder_ / "g.graph", kData);
    std::filesystem::create_directory(folder_ / "q");
    write_file(folder_ / "q/d_2_1.graph", kEdge);
    write_file(folder_ / "q/d_2_10.graph", kVertex);
    write_file(folder_ / "q/d_2_9.graph", kEdge);
    write_file(folder_ / "q/s_1.graph", kVertex);
    write_file(folder_ / "q/README", "no graph");
    source_.queries = QueriesSource{graph_file("q"), 0, ""};
  }

  Dataset loaded() { return load(source_, options_); }
  std::vector<std::string> names() { return loaded().names_of_queries(); }
};

using Names = std::vector<std::string>;

TEST_F(GraphQueriesSource, TakesAFolderInNaturalOrderWithNames) {
  for (const char* const run : {"fresh", "from the cache"}) {
    SCOPED_TRACE(run);
    const Dataset dataset = loaded();
    EXPECT_EQ(dataset.kind, Kind::GraphQueries);
    validate(dataset.data);
    const auto& graphs = dataset.as<GraphQueries>();
    EXPECT_EQ(graphs.data.vertices(), 4);
    ASSERT_EQ(graphs.count(), 4);
    EXPECT_EQ(graphs.query(1).vertices(), 2);
    EXPECT_EQ(labels_of(graphs.query(2), 0), Ids{7});
    EXPECT_EQ(dataset.names_of_queries(), (Names{"d_2_1.graph", "d_2_9.graph", "d_2_10.graph", "s_1.graph"}));
    EXPECT_EQ(dataset.properties.at("queries"), Property{4});
    EXPECT_EQ(dataset.properties.at("query_vertices"), Property{1.5});
    EXPECT_EQ(dataset.properties.at("vertices"), Property{4});
  }
}

TEST_F(GraphQueriesSource, MatchAndFirstSelectQueries) {
  source_.queries->match = "d_2_";
  EXPECT_EQ(names(), (Names{"d_2_1.graph", "d_2_9.graph", "d_2_10.graph"}));
  source_.queries->first = 2;
  EXPECT_EQ(names(), (Names{"d_2_1.graph", "d_2_9.graph"}));
  source_.queries->first = 4;
  EXPECT_EQ(refusal(), at("q") + ": expected at least 4 queries, found 3");
  source_.queries->match = "x_";
  EXPECT_EQ(
      refusal(),
      at("q") +
          ": expected query graphs, files whose names begin with \"x_\" and end in .graph or .igraph, found 5 others");
}

TEST_F(GraphQueriesSource, TakesQueriesWithoutDegrees) {
  std::filesystem::create_directory(folder_ / "i");
  write_file(folder_ / "i/q_10.igraph", "t # 0\nv 0 7\n");
  write_file(folder_ / "i/q_9.igraph", "t # 0\nv 0 5 6\nv 1 6\ne 0 1\n");
  source_.queries->file = FileSource{"i", "igraph", "", "", "", {{"labels", "several"}}};
  const Dataset dataset = loaded();
  EXPECT_EQ(dataset.names_of_queries(), (Names{"q_9.igraph", "q_10.igraph"}));
  EXPECT_EQ(labels_of(dataset.as<GraphQueries>().query(0), 0), (Ids{5, 6}));
}

TEST_F(GraphQueriesSource, PublishedCountsSelectQueriesAndAreKept) {
  const auto counts_are = [&](const std::string& text) {
    write_file(folder_ / "counts", text);
    source_.queries->counts = FileSource{"counts", "", "", "", "", {}};
  };
  counts_are("\ns_1:18446744073709551615\nd_2_9.graph 7\nx_1 3\n");
  for (const char* const run : {"fresh", "from the cache"}) {
    SCOPED_TRACE(run);
    EXPECT_EQ(names(), (Names{"d_2_9.graph", "s_1.graph"}));
    const Dataset dataset = loaded();
    const auto& counts = dataset.as<GraphQueries>().published_counts;
    EXPECT_EQ(std::vector(counts.begin(), counts.end()), (std::vector<std::uint64_t>{7, 18446744073709551615U}));
  }
  source_.queries->first = 1;
  EXPECT_EQ(loaded().as<GraphQueries>().published_counts.size(), 1U);
  counts_are("d_2_9 8\n");
  EXPECT_EQ(loaded().as<GraphQueries>().published_counts[0], 8U) << "a change is seen";

  counts_are("d_2_9 7\nd_2_9.graph 8\n");
  EXPECT_EQ(refusal(), at("counts") + ":2: expected each query once, found \"d_2_9.graph\" again");
  counts_are("d_2_9: 7 8\n");
  EXPECT_EQ(refusal(), at("counts") + ":1: expected the end of the line, found \"8\"");
  counts_are("d_2_9: -1\n");
  EXPECT_EQ(refusal(), at("counts") + ":1: expected a number of matches from 0 to 18446744073709551615, found \"-1\"");
  counts_are(": 7\n");
  EXPECT_EQ(refusal(), at("counts") + ":1: expected a query's name, found \": 7\"");
  counts_are("\n");
  EXPECT_EQ(refusal(), at("counts") + ":1: expected at least one query's number of matches, found the end of the file");
  counts_are("x_1 3\n");
  EXPECT_EQ(refusal(), at("counts") + ": expected counts of queries in " + at("q") + ", found none of any");
  source_.queries->counts->sha256 = std::string(64, '0');
  EXPECT_NE(refusal().find("SHA-256 0000"), std::string::npos);
  source_.queries->counts->path = "absent";
  EXPECT_NE(refusal().find("no such file"), std::string::npos);
  EXPECT_FALSE(is_available(source_, options_));
}

TEST_F(GraphQueriesSource, CountsAreKeptIfAllVerticesStay) {
  write_file(folder_ / "counts", "d_2_9 7\n");
  source_.queries->counts = FileSource{"counts", "", "", "", "", {}};
  for (const auto& [transform, counts] : {std::pair("degree_descending", 1U), std::pair("largest_component", 1U)}) {
    source_.transforms = {{transform, {}}};
    EXPECT_EQ(loaded().as<GraphQueries>().published_counts.size(), counts) << transform << ", a graph of one part";
  }
  write_file(folder_ / "g.graph", "t 5 4\nv 0 5 2\nv 1 6 2\nv 2 5 3\nv 3 7 1\nv 4 7 0\ne 0 1\ne 1 2\ne 0 2\ne 2 3\n");
  for (const auto& [transform, counts] : {std::pair("degree_descending", 1U), std::pair("largest_component", 0U)}) {
    source_.transforms = {{transform, {}}};
    EXPECT_EQ(loaded().as<GraphQueries>().published_counts.size(), counts) << transform << ", a graph of two";
  }
}

TEST_F(GraphQueriesSource, ASingleFileIsAQuery) {
  source_.queries->file = graph_file("q/d_2_9.graph");
  EXPECT_EQ(names(), Names{"d_2_9.graph"});
  source_.queries->match = "s_";
  EXPECT_NE(refusal().find("begin with \"s_\""), std::string::npos);
}

TEST_F(GraphQueriesSource, FolderContentIsPartOfTheCacheKey) {
  const std::string before = loaded().digest;
  EXPECT_EQ(loaded().digest, before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "cache"), {}), 1);
  write_file(folder_ / "q/s_1.graph", kEdge);
  EXPECT_NE(loaded().digest, before);
  std::filesystem::rename(folder_ / "q/s_1.graph", folder_ / "q/a_1.graph");
  EXPECT_EQ(names().front(), "a_1.graph");
  source_.queries->match = "a_";
  EXPECT_EQ(names(), Names{"a_1.graph"});
  write_file(folder_ / "q/README", "changed");
  EXPECT_EQ(names(), Names{"a_1.graph"});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "cache"), {}), 4);
}

TEST_F(GraphQueriesSource, RefusesFilesThatAreNotQueries) {
  write_file(folder_ / "q/s_1.graph", "t 2 0\nv 0 5 0\nv 1 5 0\n");
  EXPECT_EQ(refusal(), at("q/s_1.graph") +
                           ": expected a connected query, found one of whose 2 vertices 1 hang together (ask for "
                           "each part by itself)");
  write_file(folder_ / "q/s_1.graph", "t 2 1\nv 0 5 1\nv 1 6 1\ne 0 1 3\n");
  EXPECT_EQ(refusal(), at("q/s_1.graph") + ": expected no edge labels, as in the data graph, found some");
  write_file(folder_ / "q/s_1.graph", "t 2 1\nv 0 5 1\n");
  EXPECT_TRUE(refusal().starts_with(at("q/s_1.graph") + ":1: expected at most ")) << refusal();
  source_.queries->file.sha256 = std::string(64, 'a');
  EXPECT_EQ(refusal(), at("q") + ": expected of a folder of queries neither \"sha256\" nor \"member\", found a sha256");
  source_.queries->file = graph_file("none");
  EXPECT_FALSE(is_available(source_, options_));
  EXPECT_NE(refusal().find("no such file"), std::string::npos);
  source_.queries->file.format = "snap";
  EXPECT_EQ(refusal(),
            "dataset g, queries: expected queries in format graph or igraph, found \"snap\" (say format: graph)");
}

TEST_F(GraphQueriesSource, AllZeroEdgeLabelsAreIgnoredIfTheDataHaveNone) {
  write_file(folder_ / "q/s_1.graph", "t 3 2\nv 0 5 1\nv 1 6 2\nv 2 5 1\ne 0 1 0\ne 1 2 0\n");
  source_.queries->match = "s_";
  EXPECT_FALSE(loaded().as<GraphQueries>().queries.has_edge_labels());
  write_file(folder_ / "q/s_1.graph", "t 3 2\nv 0 5 1\nv 1 6 2\nv 2 5 1\ne 0 1 0\ne 1 2 1\n");
  EXPECT_NE(refusal().find("expected no edge labels"), std::string::npos);
  write_file(folder_ / "g.graph", "t 3 2\nv 0 5 1\nv 1 6 2\nv 2 5 1\ne 0 1 0\ne 1 2 1\n");
  EXPECT_TRUE(loaded().as<GraphQueries>().queries.has_edge_labels());
  write_file(folder_ / "q/s_1.graph", kEdge);
  EXPECT_NE(refusal().find("expected edge labels, as the data graph has, found none"), std::string::npos);
}

TEST(GraphQueries, FirstQueriesKeepTheirOrder) {
  const auto graph = [](const char* text) { return std::get<LabelledGraph>(parse_string(text, "graph").data); };
  const GraphQueries all =
      with_queries(graph(kData), std::vector<LabelledGraph>{graph(kEdge), graph(kVertex), graph(kEdge)});
  all.validate();
  const GraphQueries two = first_queries(all, 2);
  two.validate();
  EXPECT_EQ(two.count(), 2);
  EXPECT_EQ(two.query(1), all.query(1));
  EXPECT_EQ(two.data, all.data);
  EXPECT_THROW(static_cast<void>(first_queries(all, 4)), InputError);
}

TEST(GraphQueries, CountsTheCandidatesOfEachQueryVertex) {
  const auto graph = [](const char* text) { return std::get<LabelledGraph>(parse_string(text, "graph").data); };
  // A's middle has two neighbours of label 6, B's three, C's one, and D's middle has another label.
  const LabelledGraph data = graph(
      "t 12 8\nv 0 5 2\nv 1 6 1\nv 2 6 1\nv 3 5 3\nv 4 6 1\nv 5 6 1\nv 6 6 1\nv 7 5 2\nv 8 6 1\nv 9 7 1\n"
      "v 10 7 1\nv 11 6 1\ne 0 1\ne 0 2\ne 3 4\ne 3 5\ne 3 6\ne 7 8\ne 7 9\ne 10 11\n");
  const char* const two = "t 3 2\nv 0 5 2\nv 1 6 1\nv 2 6 1\ne 0 1\ne 0 2\n";
  const char* const three = "t 4 3\nv 0 5 3\nv 1 6 1\nv 2 6 1\nv 3 6 1\ne 0 1\ne 0 2\ne 0 3\n";
  const GraphQueries graphs =
      with_queries(data, std::vector<LabelledGraph>{graph(kEdge), graph(two), graph(three), graph(kVertex)});
  const CandidateCounts counts = count_candidates(graphs, 1);
  EXPECT_EQ(counts.by_signature, (std::vector<I>{3, 6, 2, 6, 6, 2, 6, 6, 6, 2})) << "three neighbours count as two";
  EXPECT_EQ(counts.by_degree, (std::vector<I>{3, 7, 3, 7, 7, 1, 7, 7, 7, 2}));
  EXPECT_EQ(count_candidates(graphs, 3).by_signature, counts.by_signature);
  const Properties facts = graphs.describe();
  EXPECT_DOUBLE_EQ(std::get<double>(facts.at("smallest_candidates")), (3 + 2 + 2 + 2) / 4.0);
  EXPECT_DOUBLE_EQ(std::get<double>(facts.at("smallest_candidates_by_degree")), (3 + 3 + 1 + 2) / 4.0);
}

TEST(GraphQueries, CandidatesHaveTheEdgesLabelsToo) {
  const auto graph = [](const char* text) { return std::get<LabelledGraph>(parse_string(text, "graph").data); };
  const LabelledGraph data = graph("t 4 2\nv 0 5 1\nv 1 6 1\nv 2 5 1\nv 3 6 1\ne 0 1 3\ne 2 3 4\n");
  const GraphQueries graphs =
      with_queries(data, std::vector<LabelledGraph>{graph("t 2 1\nv 0 5 1\nv 1 6 1\ne 0 1 4\n")});
  EXPECT_EQ(count_candidates(graphs).by_signature, (std::vector<I>{1, 1}));
  EXPECT_EQ(count_candidates(graphs).by_degree, (std::vector<I>{2, 2}));
}

struct RealQueries {
  std::string name;
  std::string data;
  std::string queries;
  std::string match;
  I count;
  double vertices;
};

void PrintTo(const RealQueries& one, std::ostream* out) {
  *out << one.name;
}

class RealQueriesNamed : public ::testing::TestWithParam<RealQueries> {};

TEST_P(RealQueriesNamed, HaveThePublishedNumbers) {
  const auto folder = data_dir();
  if (!folder) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  const RealQueries& one = GetParam();
  Source source;
  source.name = one.name;
  source.from = graph_file(one.data);
  source.queries = QueriesSource{graph_file(one.queries), 0, one.match};
  source.expected = {{"queries", one.count}};
  if (one.vertices > 0) source.expected["query_vertices"] = one.vertices;
  LoadOptions options;
  options.data_dir = *folder;
  if (!is_available(source, options)) GTEST_SKIP() << one.data << " is not in " << *folder;
  const Dataset dataset = load(source, options);
  validate(dataset.data);
  EXPECT_EQ(dataset.names_of_queries().size(), static_cast<std::size_t>(one.count));
}

TEST(RealQueries, PublishedCountsNameThem) {
  const auto folder = data_dir();
  if (!folder || !std::filesystem::exists(*folder / "subgraph/yeast"))
    GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  Source source;
  source.name = "yeast";
  source.from = graph_file("subgraph/yeast/yeast.graph");
  source.queries = QueriesSource{graph_file("subgraph/yeast/query_graphs.1-100.tar.gz"), 0, "",
                                 FileSource{"subgraph/yeast/yeast_ans.txt", "", "", "", "", {}}};
  LoadOptions options;
  options.data_dir = *folder;
  const Dataset dataset = load(source, options);
  const auto& graphs = dataset.as<GraphQueries>();
  ASSERT_EQ(graphs.count(), 858);
  EXPECT_EQ(graphs.published_counts.size(), 858U);
  const Names names = dataset.names_of_queries();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::int64_t vertices = graphs.query(static_cast<std::int64_t>(i)).vertices();
    EXPECT_EQ(vertices, std::stoi(names[i].substr(names[i].find_first_of("0123456789")))) << names[i];
  }
  EXPECT_EQ(names.front(), "query_dense_4_1.graph");
  EXPECT_EQ(graphs.published_counts[0], 720U);
}

constexpr const char* kYeast = "subgraph/yeast/yeast.graph";
constexpr const char* kYeastQueries = "subgraph/yeast/query_graphs.1-100.tar.gz";

INSTANTIATE_TEST_SUITE_P(
    All, RealQueriesNamed,
    ::testing::Values(
        RealQueries{"yeast", kYeast, kYeastQueries, "", 900, 0},
        RealQueries{"yeast_dense_8", kYeast, kYeastQueries, "query_dense_8_", 100, 8},
        RealQueries{"yeast_sparse_32", kYeast, kYeastQueries, "query_sparse_32_", 100, 32},
        RealQueries{"hprd_regression", "subgraph/hprd/HPRD.graph", "subgraph/hprd/query_graph", "", 100, 16},
        RealQueries{"hprd", "subgraph/hprd/HPRD.graph", "subgraph/hprd/query_graphs_paper.1-100.tar.gz", "", 900, 0},
        RealQueries{"wordnet_dense_20", "subgraph/wordnet/wordnet.graph", "subgraph/wordnet/query_graphs.1-100.tar.gz",
                    "query_dense_20_", 100, 20}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpbench::datasets::testing
