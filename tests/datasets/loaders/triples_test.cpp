// Triples of ids and N-Triples: files written by hand, and the real sets of ids.
#include <algorithm>

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

const LabelledGraph& graph_of(const Content& content) {
  return std::get<LabelledGraph>(content.data);
}

I count_of(const Content& content, const std::string& name) {
  return std::get<I>(content.properties.at(name));
}

TEST(Triples, BecomeEdgesLabelledByRelations) {
  for (const char* const text : {"5\n0 1 7\n1\t0\t3\n1 2 4\n\n2 1 4\n3 3 1\n", "0 1 7\r\n1 0 3\n1 2 4\n2 1 4\n3 3 1"}) {
    const Content content = parse_string(text, "triples", {{"order", "head_tail_relation"}});
    const LabelledGraph& graph = graph_of(content);
    graph.validate();
    EXPECT_EQ(graph.vertices(), 4);
    EXPECT_EQ(graph.edges(), 2);
    EXPECT_EQ(labels_of_row(graph, 1), (std::vector<Ids>{{3, 7}, {4}}));
    EXPECT_EQ(graph.vertex_labels, Array<std::uint32_t>(Ids{0, 0, 0, 0}));
    EXPECT_EQ(count_of(content, "self_loops_dropped"), 1);
    EXPECT_EQ(count_of(content, "duplicates_merged"), 1);
    EXPECT_EQ(graph.describe().at("edge_labels"), Property{3});
    EXPECT_EQ(count_of(content, "triples"), 5);
    EXPECT_EQ(count_of(content, "relations"), 4) << "that of the self-loop too";
  }
}

TEST(Triples, ColumnsFollowTheOrderOption) {
  const Content content = parse_string("0 9 1\n1 8 2\n", "triples", {{"order", "head_relation_tail"}});
  EXPECT_EQ(graph_of(content).vertices(), 3);
  EXPECT_EQ(labels_of_row(graph_of(content), 1), (std::vector<Ids>{{9}, {8}}));
}

TEST(Triples, MayHaveNames) {
  const Options names{{"order", "head_relation_tail"}, {"ids", "names"}};
  const std::string codex = "Q1\tP5\tQ2\nQ2\tP3\tQ9\nQ1\tP3\tQ2\n";
  const std::string blanks = "/m/1 /film/x /m/2\r\n\n/m/2 \"y\" /m/9\n/m/1 \"y\" /m/2";
  for (const std::string& text : {codex, blanks}) {
    const Content content = parse_string(text, "triples", names);
    graph_of(content).validate();
    EXPECT_EQ(graph_of(content).vertices(), 3);
    EXPECT_EQ(labels_of_row(graph_of(content), 1), (std::vector<Ids>{{0, 1}, {1}}));
    EXPECT_EQ(count_of(content, "relations"), 2);
  }
  const std::string spaced = "San Marino\tpart of\tItaly\nItaly\tis\tSan Marino\n";
  EXPECT_EQ(graph_of(parse_string(spaced, "triples", names)).vertices(), 2) << "tabs separate, blanks do not";
  const auto order = error_of([&] { return parse_string(codex, "triples", {{"ids", "names"}}); });
  ASSERT_TRUE(order);
  EXPECT_NE(std::string(order->what()).find("order: head_relation_tail"), std::string::npos) << order->what();
  const auto ids = error_of([&] { return parse_string(codex, "triples", {{"order", "head_relation_tail"}}); });
  ASSERT_TRUE(ids);
  EXPECT_NE(std::string(ids->what()).find("ids: names"), std::string::npos) << ids->what();
}

TEST(Igraph, ReadsLabelledGraphsWithoutDegrees) {
  const std::string body = "v 0 4\nv 1 7\nv 2 4\ne 0 1 5\ne 1 2 6\ne 1 0 5\ne 2 2 6\n";
  for (const char* const head :
       {"t # 0\n", "t\n", "t 17\n", "t 3 4\n", "t 3 4 2 2\r\n", "t # 0\n3 4 2 2\n", "\nt #0\n"}) {
    for (const char* const end : {"", "t # -1\n", "\n\n"}) {
      SCOPED_TRACE(std::string(head) + "…" + end);
      const Content content = parse_string(head + body + end, "igraph");
      graph_of(content).validate();
      EXPECT_EQ(graph_of(content).vertex_labels, Array<std::uint32_t>(Ids{4, 7, 4}));
      EXPECT_EQ(labels_of_row(graph_of(content), 1), (std::vector<Ids>{{5}, {6}}));
      EXPECT_EQ(count_of(content, "self_loops_dropped"), 1);
      EXPECT_EQ(count_of(content, "duplicates_merged"), 1);
    }
  }
  EXPECT_FALSE(graph_of(parse_string("t # 0\nv 0 4\nv 1 7\ne 0 1\n", "igraph")).has_edge_labels());
  const Content several = parse_string("t # 0\nv 0 9 4\nv 1 7\ne 0 1\n", "igraph", {{"labels", "several"}});
  EXPECT_EQ(labels_of(graph_of(several), 0), (Ids{4, 9}));
  EXPECT_EQ(labels_of(graph_of(several), 1), Ids{7});
}

TEST(Triples, AreTheSameOnAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; text.size() < (std::size_t{9} << 20U); ++i) {
    text += std::to_string(i * 7 % 1000) + ' ' + std::to_string(i * 13 % 997) + ' ' + std::to_string(i % 11) + '\n';
  }
  const Text all{nullptr, text, "test"};
  const Options order{{"order", "head_tail_relation"}};
  EXPECT_EQ(parse(all, "triples", order, 1).data, parse(all, "triples", order, 3).data);
  const auto error = error_of([&] { return parse(Text{nullptr, text + "1 2\n", "test"}, "triples", order, 3); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1);
}

constexpr const char* kRdf = R"(# people
<http://e/ann> <http://e/knows> <http://e/bob> .
<http://e/ann> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Person> .   # a comment
<http://e/ann> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Agent>.

<http://e/bob><http://e/likes><http://e/ann>.
<http://e/bob> <http://e/name> "Bob \"B\" \u00e9"@en .
_:b.1 <http://e/name> "Bob \"B\" \u00E9"@EN .
_:b.1 <http://e/age> "4"^^<http://e/int> .
_:b.1 <http://e/knows> _:b.1 .
<http://e/bo\u0062> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Agent> .
_:b.1 <http://e/knows> <http://e/\U00000062ob> .
)";

TEST(NTriples, TypesAreLabelsAndPredicatesEdges) {
  const Content content = parse_string(kRdf, "ntriples");
  const LabelledGraph& graph = graph_of(content);
  graph.validate();
  ASSERT_EQ(graph.vertices(), 3) << "ann, bob, _:b.1";
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(labels_of(graph, 0), (Ids{1, 2})) << "Person, Agent";
  EXPECT_EQ(labels_of(graph, 1), Ids{2});
  EXPECT_EQ(labels_of(graph, 2), Ids{0}) << "none";
  EXPECT_EQ(labels_of_row(graph, 1), (std::vector<Ids>{{0, 1}, {0}})) << "knows, likes; knows";
  EXPECT_EQ(count_of(content, "literals_dropped"), 3);
  EXPECT_EQ(count_of(content, "self_loops_dropped"), 1);
  EXPECT_EQ(count_of(content, "duplicates_merged"), 0);
}

TEST(NTriples, LiteralsAreVerticesOnRequest) {
  const Content content = parse_string(kRdf, "ntriples", {{"literals", "keep"}});
  const LabelledGraph& graph = graph_of(content);
  graph.validate();
  ASSERT_EQ(graph.vertices(), 5) << "two names are one, and an age";
  EXPECT_EQ(row_of(graph.graph, 2), (Ids{1, 3})) << "the name of both: escapes and the language's case mean nothing";
  EXPECT_EQ(count_of(content, "literals_dropped"), 0);
}

TEST(NTriples, LiteralsDifferInTextLanguageOrType) {
  const std::string start = "<a> <p> ";
  std::string text;
  for (const char* const literal :
       {R"("x")", R"("x"@en)", R"("x"@en-GB)", R"("x"^^<t>)", R"("x"^^<u>)", R"("X")", R"("x\"@en")"}) {
    text += start + literal + " .\n";
  }
  EXPECT_EQ(graph_of(parse_string(text, "ntriples", {{"literals", "keep"}})).vertices(), 8);
}

TEST(NTriples, EscapesMeanTheirCharacters) {
  const std::string text =
      "<a> <p> \"\\t\\b\\n\\r\\f\\\"\\'\\\\\\u20ac\\U0001F600\" .\n<b> <p> "
      "\"\t\b\\u000a\\u000d\f\\u0022'\\u005c\xe2\x82\xac\xf0\x9f\x98\x80\" .\n";
  EXPECT_EQ(graph_of(parse_string(text, "ntriples", {{"literals", "keep"}})).vertices(), 3) << "both say the same";
}

struct RealTriples {
  std::string name;
  std::string path;
  I triples;
  I relations;
};

TEST(RealTriplesFiles, HaveThePublishedNumbers) {
  const auto data = data_dir();
  if (!data || !std::filesystem::exists(*data / "kg")) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  for (const auto& [name, path, triples, relations] :
       {RealTriples{"FB15K237", "kg/FB15K237/train2id.txt", 272'115, 237},
        RealTriples{"WN18RR", "kg/WN18RR/train2id.txt", 86'835, 11},
        RealTriples{"WN18", "kg/WN18/train2id.txt", 141'442, 18}}) {
    SCOPED_TRACE(name);
    Source source;
    source.name = name;
    source.from = FileSource{path, "triples", "", "", "", {}};
    source.expected = {{"triples", triples}, {"relations", relations}, {"vertex_labels", 1}};
    LoadOptions options;
    options.data_dir = *data;
    const Dataset dataset = load(source, options);
    validate(dataset.data);
    // All triples are different; (a, r, b) and (b, r, a) are one labelled edge here.
    const auto& graph = dataset.as<LabelledGraph>();
    EXPECT_EQ(static_cast<I>(graph.edge_labels.size()) / 2 + std::get<I>(dataset.properties.at("self_loops_dropped")) +
                  std::get<I>(dataset.properties.at("duplicates_merged")),
              triples);
  }
}

}  // namespace
}  // namespace warpbench::datasets::testing
