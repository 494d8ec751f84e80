// Loaders read files written by hand: what they accept, and the graphs they build.
#include <zlib.h>

#include <array>
#include <cstdio>

#include "datasets/loaders/graphs/query_files.hpp"
#include "datasets/loaders/text.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

const Csr& graph_of(const Content& content) {
  return std::get<Csr>(content.data);
}

std::int64_t count_of(const Content& content, const std::string& name) {
  return std::get<std::int64_t>(content.properties.at(name));
}

TEST(Snap, AcceptsCommentsBlanksTabsCommasCrlfAndNoLastNewline) {
  const Content content = parse_string("# one\r\n% two\n\n0\t1\r\n 1 ,  2 \n\t2 0\n# end\n2,3", "snap");
  const Csr& graph = graph_of(content);
  graph.validate();
  EXPECT_EQ(graph.vertices(), 4);
  EXPECT_EQ(graph.edges(), 4);
  EXPECT_EQ(row_of(graph, 2), (Ids{0, 1, 3}));
}

TEST(Loaders, SkipAByteOrderMarkBeforeText) {
  struct Case {
    std::string format;
    std::string text;
    Options options = {};
  };
  for (const Case& one :
       {Case{"snap", "0 1\n"}, Case{"matrix_market", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n"},
        Case{"graph", "t 2 1\nv 0 0 1\nv 1 0 1\ne 0 1\n"}, Case{"igraph", "t # 0\nv 0 1\nv 1 1\ne 0 1\n"},
        Case{"triples", "0 1 0\n", {{"order", "head_tail_relation"}}},
        Case{"triples", "a b c\n", {{"order", "head_tail_relation"}, {"ids", "names"}}},
        Case{"ntriples", "<a> <p> <b> .\n"}, Case{"movielens", "userId,movieId,rating,timestamp\n1,2,3,4\n"},
        Case{"netflix", "1:\n2,3,2005-09-06\n"}, Case{"libmf", "0 1 2\n"}, Case{"transactions", "1 2\n"},
        Case{"spmf", "1 -1 -2\n"}, Case{"text_lines", "a b\n"}, Case{"vectors_text", "1 2\n"},
        Case{"csv", "a,x\n1,2\n", {{"header", "names"}, {"a", "a"}, {"x", "x"}}}}) {
    const Content plain = parse_string(one.text, one.format, one.options);
    const Content marked = parse_string("\xef\xbb\xbf" + one.text, one.format, one.options);
    EXPECT_EQ(digest_of(marked.data), digest_of(plain.data)) << one.format;
  }
  const auto error = error_of([] { return parse_string("\xef\xbb\xbf", "snap"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->found(), "a byte order mark only");
}

TEST(Graph, NamesTheFormatOfGraphsWithoutDegrees) {
  for (const char* const text : {"t # 0\nv 0 1\n", "t\nv 0 1\n", "t 2 1\nv 0 33333333\nv 1 44444444\ne 0 1\n"}) {
    const auto error = error_of([&] { return parse_string(text, "graph"); });
    ASSERT_TRUE(error) << text;
    EXPECT_NE(std::string(error->what()).find("format: igraph"), std::string::npos) << error->what();
  }
}

TEST(Snap, KeepsIdsAsPublishedSizesDo) {
  EXPECT_EQ(graph_of(parse_string("1 2\n2 7\n", "snap")).vertices(), 8);
}

TEST(Snap, RefusesAFileThatIsShorterThanItsHeaderSays) {
  const std::string header = "# Directed graph: g.txt\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n";
  EXPECT_EQ(graph_of(parse_string(header + "0 1\n1 2\n2 3\n", "snap")).edges(), 3);
  EXPECT_EQ(graph_of(parse_string(header + "0 1\n1 2\n2 3\n1 0\n", "snap")).edges(), 3) << "some list both directions";
  const auto cut = error_of([&] { return parse_string(header + "0 1\n1 2\n", "snap"); });
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->line(), 2U);
  EXPECT_EQ(cut->expected(), "3 edge lines, as this header says");
  EXPECT_EQ(cut->found(), "2");
  EXPECT_NO_THROW(static_cast<void>(parse_string("# Nodes: many Edges: some\n0 1\n", "snap"))) << "a comment like any";
  EXPECT_NO_THROW(static_cast<void>(parse_string("0 1\n# Nodes: 9 Edges: 9\n", "snap"))) << "no header";
}

TEST(Snap, CompactNumbersTheIdsThatOccur) {
  const Content content = parse_string("4294967294 7\n100 7\n", "snap", {{"relabel", "compact"}});
  EXPECT_EQ(graph_of(content).vertices(), 3);
  EXPECT_EQ(content.original_ids, Array<std::uint32_t>(Ids{7, 100, 4294967294}));
  EXPECT_EQ(row_of(graph_of(content), 0), (Ids{1, 2}));
}

TEST(Snap, CountsLoopsAndRepeats) {
  const Content content = parse_string("0 1\n1 0\n2 2\n1 2\n1 2\n", "snap");
  EXPECT_EQ(graph_of(content).edges(), 2);
  EXPECT_EQ(count_of(content, "self_loops_dropped"), 1);
  EXPECT_EQ(count_of(content, "duplicates_merged"), 2);
}

TEST(Snap, HeaderOfCountsGivesIsolatedVertices) {
  const Content content = parse_string("# c\n6 2\n0 1\n1 2\n", "snap", {{"header", "counts"}});
  EXPECT_EQ(graph_of(content).vertices(), 6);
}

TEST(Snap, HeaderOfNames) {
  EXPECT_EQ(graph_of(parse_string("node_1,node_2\n0,1\n", "snap", {{"header", "names"}})).edges(), 1);
}

TEST(Snap, TrailingFieldsByOption) {
  EXPECT_EQ(graph_of(parse_string("0 1 0.5 7\n", "snap", {{"trailing", "ignore"}})).edges(), 1);
  EXPECT_EQ(graph_of(parse_string("0 1 {'w': 2}\n1 2 {}\n1 3\n", "edgelist")).edges(), 3);
  const auto error = error_of([] { return parse_string("0 1 {}\n", "edgelist", {{"trailing", "refuse"}}); });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(),
               "test:1: expected the end of the line, found \"{}\" (set trailing: ignore to leave out what follows the "
               "two ids)");
}

TEST(Snap, LineNumbersAndEdgesSurviveTheSplitIntoChunks) {
  std::string text = "# about ten chunks of 4 MiB\n";
  std::int64_t edges = 0;
  while (text.size() < (std::size_t{40} << 20U)) {
    text += std::to_string(edges) + ' ' + std::to_string(edges + 1) + '\n';
    ++edges;
  }
  const Content content = parse(Text{nullptr, text, "test"}, "snap", {}, 3);
  EXPECT_EQ(graph_of(content).edges(), edges);
  EXPECT_EQ(graph_of(content).max_degree(), 2);
  text += "0 x\n1 y\n";
  const auto error = error_of([&] { return parse(Text{nullptr, text, "test"}, "snap", {}, 3); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), static_cast<std::uint64_t>(edges) + 2);
  EXPECT_EQ(error->found(), "\"x\"");
}

TEST(MatrixMarket, ReadsEveryFieldAndSymmetry) {
  const auto edges = [](const std::string& text) {
    const Content content = parse_string(text, "matrix_market");
    graph_of(content).validate();
    return graph_of(content).edges();
  };
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(edges(banner + "pattern general\n% c\n\n3 3 2\n1 2\n3 1\n"), 2);
  EXPECT_EQ(edges(banner + "pattern general\n3 3 3\n1 2\n2 1\n2 2\n"), 1);
  EXPECT_EQ(edges(banner + "integer symmetric\n3 3 2\n2 1 -4\n3 3 1\n"), 1);
  EXPECT_EQ(edges(banner + "real general\r\n3 3 2\r\n1 2 1e-400\r\n2 3 +1.5E+3\r\n"), 2);
  EXPECT_EQ(edges(banner + "real skew-symmetric\n3 3 1\n3 1 0\n"), 1);
  EXPECT_EQ(edges(banner + "complex hermitian\n3 3 2\n2 1 0 1\n3 2 1 -1"), 2);
  EXPECT_EQ(edges("%%matrixmarket MATRIX Coordinate Pattern SYMMETRIC\n2 2 1\n2 1\n"), 1);
}

TEST(LabelledGraphFile, ReadsLabelsOfVerticesAndEdges) {
  const Content content =
      parse_string("t 4 3\nv 0 5 1\nv 1 6 2\r\nv 2 5 2\nv 3 7 1\n\ne 1 0 9\ne 1 2 8\ne 2 3 4294967295", "graph");
  const auto& graph = std::get<LabelledGraph>(content.data);
  graph.validate();
  EXPECT_EQ(graph.vertex_labels, Array<std::uint32_t>(Ids{5, 6, 5, 7}));
  ASSERT_TRUE(graph.has_edge_labels());
  EXPECT_EQ(row_of(graph.graph, 1), (Ids{0, 2}));
  EXPECT_EQ(labels_of_row(graph, 1), (std::vector<Ids>{{9}, {8}}));
  EXPECT_EQ(labels_of_row(graph, 3), (std::vector<Ids>{{4294967295}}));
  EXPECT_EQ(graph.distinct_vertex_labels(), 3);
}

TEST(LabelledGraphFile, AVertexWithoutEdgesIsAGraph) {
  EXPECT_EQ(std::get<LabelledGraph>(parse_string("t 1 0\nv 0 3 0\n", "graph").data).edges(), 0);
}

TEST(LabelledGraphFile, ReadsSeveralLabelsOfAVertexInAnyOrder) {
  const Content content = parse_string("t 3 2\nv 0 9,3,7 1\nv 1 4294967295 2\nv 2 0,1 1\ne 0 1\ne 1 2\n", "graph");
  const auto& graph = std::get<LabelledGraph>(content.data);
  graph.validate();
  EXPECT_EQ(labels_of(graph, 0), (Ids{3, 7, 9}));
  EXPECT_EQ(labels_of(graph, 1), Ids{4294967295});
  EXPECT_EQ(labels_of(graph, 2), (Ids{0, 1}));
  EXPECT_EQ(graph.distinct_vertex_labels(), 6);
}

TEST(LabelledGraphFile, ParallelEdgesBecomeOneEdgeWithSeveralLabels) {
  const Content content =
      parse_string("t 3 4\nv 0 5 1\nv 1 6 2\nv 2 5 1\ne 0 1 8\ne 2 1 3\ne 1 0 2\ne 0 1 4\n", "graph");
  const auto& graph = std::get<LabelledGraph>(content.data);
  graph.validate();
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(labels_of_row(graph, 0), (std::vector<Ids>{{2, 4, 8}}));
  EXPECT_EQ(labels_of_row(graph, 1), (std::vector<Ids>{{2, 4, 8}, {3}}));
  EXPECT_TRUE(graph.vertex_label_offsets.empty()) << "one label a vertex needs none";
}

TEST(LabelledGraph, ValidateFindsLabelsThatDisagree) {
  const Csr graph = build_csr(std::vector<Edge>{{0, 1}}, 2);
  EXPECT_THROW((LabelledGraph{graph, Ids{1}, {}}.validate()), InputError);
  EXPECT_THROW((LabelledGraph{graph, Ids{1, 1}, Ids{1}}.validate()), InputError);
  EXPECT_THROW((LabelledGraph{graph, Ids{1, 1}, Ids{1, 2}}.validate()), InputError);
  EXPECT_NO_THROW((LabelledGraph{graph, Ids{1, 1}, Ids{2, 2}}.validate()));
}

TEST(Options, UnknownOnesAreRefusedWithTheNearest) {
  const auto name = error_of([] { return parse_string("0 1\n", "snap", {{"headr", "names"}}); });
  ASSERT_TRUE(name);
  EXPECT_EQ(name->found(), "\"headr\"");
  EXPECT_EQ(name->fix(), "did you mean \"header\"?");
  const auto value = error_of([] { return parse_string("0 1\n", "snap", {{"header", "count"}}); });
  ASSERT_TRUE(value);
  EXPECT_EQ(value->fix(), "did you mean \"counts\"?");
  const auto format = error_of([] { return parse_string("0 1\n", "matrixmarket"); });
  ASSERT_TRUE(format);
  EXPECT_EQ(format->fix(), "did you mean \"matrix_market\"?");
}

std::string gzip(const std::string& plain) {
  z_stream stream{};
  EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(plain.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  EXPECT_EQ(::deflateEnd(&stream), Z_OK);
  return packed;
}

TEST(Gzip, EveryTruncationAndMostFlippedBytesAreRefused) {
  const std::string packed = gzip("0 1\n1 2\n2 3\n");
  EXPECT_EQ(inflate(packed, "x", 1 << 20), "0 1\n1 2\n2 3\n");
  EXPECT_EQ(inflate(packed + packed, "x", 1 << 20).size(), 24u) << "members follow each other";
  for (std::size_t cut = 1; cut < packed.size(); ++cut) {
    EXPECT_THROW(static_cast<void>(inflate(packed.substr(0, cut), "x", 1 << 20)), InputError) << cut;
  }
  for (std::size_t at = 10; at < packed.size();
       ++at) {  // the first ten bytes hold time and system, which may be anything
    std::string flipped = packed;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_THROW(static_cast<void>(inflate(flipped, "x", 1 << 20)), InputError) << at;
  }
  const auto more = error_of([&] { return inflate(packed + "junk", "x", 1 << 20); });
  ASSERT_TRUE(more);
  EXPECT_EQ(more->byte(), packed.size());
}

TEST(Gzip, InflatedSizeIsBounded) {
  const std::string bomb = gzip(std::string(std::size_t{1} << 22U, '0'));
  const auto error = error_of([&] { return inflate(bomb, "x", 1 << 20); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), "at most 1048576 inflated bytes");
}

TEST(Gzip, AFileMayUnpackToSoManyTimesItsSize) {
  const TemporaryFolder folder;
  const std::string line = "0 1\n";
  std::string plain;
  while (plain.size() <= std::size_t{17} << 20U) plain += line + line + line + line + line + line + line + line;
  write_file(folder / "bomb.txt.gz", gzip(plain));
  const auto error = error_of([&] { return read_text(folder / "bomb.txt.gz"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), "at most 16777216 inflated bytes");
  EXPECT_NE(error->fix().find("--max-inflation"), std::string::npos) << error->fix();
  EXPECT_EQ(read_text(folder / "bomb.txt.gz", {}, 2000).bytes.size(), plain.size());
}

std::string tar_entry(const std::string& name, const std::string& bytes) {
  std::string header(512, '\0');
  std::array<char, 13> size{};
  static_cast<void>(std::snprintf(size.data(), size.size(), "%011zo", bytes.size()));
  header.replace(0, name.size(), name);
  header.replace(124, 11, size.data(), 11);
  header[156] = '0';
  header.replace(257, 8, std::string("ustar\00000", 8));
  return header + bytes + std::string((512 - bytes.size() % 512) % 512, '\0');
}

TEST(Tar, FindsMembersAndNamesTheNearest) {
  const std::string archive =
      tar_entry("a/q1.graph", "one") + tar_entry("a/q2.graph", "two!") + std::string(1024, '\0');
  EXPECT_EQ(tar_member(archive, "a/q2.graph", "x.tar"), "two!");
  const auto missing = error_of([&] { return tar_member(archive, "a/q3.graph", "x.tar"); });
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->fix(), "did you mean \"a/q1.graph\"?");
  EXPECT_THROW(static_cast<void>(tar_member(archive.substr(0, 700), "a/q2.graph", "x")), InputError);
  EXPECT_THROW(static_cast<void>(tar_member(archive.substr(0, 3 * 512 + 2), "a/q2.graph", "x")), InputError);
  EXPECT_THROW(static_cast<void>(tar_member(std::string(600, 'x'), "a", "x")), InputError);
}

TEST(QueryFiles, ComeInNaturalOrderFromAnArchive) {
  const TemporaryFolder folder;
  const std::string archive = tar_entry("q/d_8_10.graph", "ten") + tar_entry("q/d_8_2.graph", "two") +
                              tar_entry("q/d_16_1.graph", "other") + tar_entry("q/._d_8_1.graph", "hidden") +
                              tar_entry("q/d_8_1.txt", "text") + std::string(1024, '\0');
  write_file(folder / "q.tar.gz", gzip(archive));
  const auto files = read_query_files(folder / "q.tar.gz", "", "d_8_");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "d_8_2.graph");
  EXPECT_EQ(files[1].text.bytes, "ten");
  EXPECT_EQ(files[1].text.file, (folder / "q.tar.gz").string() + ":q/d_8_10.graph");
  EXPECT_EQ(read_query_files(folder / "q.tar.gz", "", "").size(), 3u);
  EXPECT_EQ(read_query_files(folder / "q.tar.gz", "q/d_16_1.graph", "").at(0).name, "d_16_1.graph");
  const auto none = error_of([&] { return read_query_files(folder / "q.tar.gz", "", "s_"); });
  ASSERT_TRUE(none);
  EXPECT_EQ(none->expected(), "query graphs, files whose names begin with \"s_\" and end in .graph or .igraph");
  EXPECT_EQ(none->found(), "5 others");
}

TEST(QueryFiles, NaturalOrder) {
  EXPECT_TRUE(natural_less("q_2", "q_10"));
  EXPECT_FALSE(natural_less("q_10", "q_2"));
  EXPECT_TRUE(natural_less("q_8_10", "q_16_1"));
  EXPECT_TRUE(natural_less("q", "q1"));
  EXPECT_TRUE(natural_less("dense_9", "sparse_1"));
  EXPECT_TRUE(natural_less("q01", "q1") != natural_less("q1", "q01"));
  EXPECT_FALSE(natural_less("q_7", "q_7"));
}

TEST(Gzip, ReadTextInflatesAndUntars) {
  const TemporaryFolder folder;
  write_file(folder / "a.tar.gz", gzip(tar_entry("g.txt", "0 1\n") + std::string(1024, '\0')));
  EXPECT_EQ(read_text(folder / "a.tar.gz", "g.txt").bytes, "0 1\n");
}

}  // namespace
}  // namespace warpbench::datasets::testing
