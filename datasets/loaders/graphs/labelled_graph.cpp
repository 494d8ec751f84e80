#include "datasets/loaders/graphs/labelled_graph.hpp"

#include <algorithm>

#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/loaders/strict.hpp"

namespace warpbench::datasets {
namespace {

/// The file's lines in order. Vectors grow with the file's length, never with its claims.
struct Parsed {
  std::uint64_t vertices = 0;
  std::uint64_t edge_count = 0;
  std::uint64_t head_line = 1;
  std::vector<std::uint32_t> labels;
  std::vector<std::uint64_t> label_offsets;  // vertices + 1
  std::vector<std::uint32_t> degrees;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> edge_labels;
};

constexpr const char* kSayIgraph = "a graph without degrees is read with format: igraph";

/// Goes to the next non-empty line; false at the end.
bool next_line(LineReader& reader) {
  while (reader.next()) {
    if (!reader.at_end()) return true;
  }
  return false;
}

/// Requires the line to start with `letter`; `what` describes the missing line in messages.
void expect_letter(LineReader& reader, std::string_view letter, const std::string& what) {
  if (!next_line(reader)) reader.fail(what, "the end of the file");
  const std::string_view field = reader.field();
  if (field != letter) reader.fail(what, quoted(field));
}

void read_head(LineReader& reader, Parsed& parsed) {
  expect_letter(reader, "t", "a line `t vertices edges`");
  if (reader.at_end() || reader.line().starts_with('#')) {
    reader.fail("a number of vertices", shown_field(reader.line()), kSayIgraph);
  }
  parsed.vertices = reader.number_field("a number of vertices", 1, kMaxVertex + 1);
  parsed.edge_count = reader.number_field("a number of edges", 0, std::uint64_t{1} << 62U);
  reader.expect_end();
  parsed.head_line = reader.number();
  const std::uint64_t left = reader.rest().size() + 1;  // the last line may lack its line feed
  if (parsed.vertices > left / 8) {                     // shortest line: `v 0 0 0\n`
    reader.fail("at most " + std::to_string(left / 8) + " vertices, as many as fit the file",
                std::to_string(parsed.vertices));
  }
  if (parsed.edge_count > (left - 8 * parsed.vertices) / 6) {  // shortest line: `e 0 1\n`
    reader.fail("at most " + std::to_string((left - 8 * parsed.vertices) / 6) + " edges, as many as fit the file",
                std::to_string(parsed.edge_count));
  }
}

/// Reads one or more labels, separated by commas without blanks, and sorts them.
void read_labels(LineReader& reader, std::vector<std::uint32_t>& labels) {
  const auto first = static_cast<std::ptrdiff_t>(labels.size());
  labels.push_back(static_cast<std::uint32_t>(reader.number_field("a label", 0, kMaxLabel)));
  while (reader.line().starts_with(',')) {
    const bool blank = reader.line().size() > 1 && (reader.line()[1] == ' ' || reader.line()[1] == '\t');
    if (blank) reader.fail("a label after the comma", quoted(reader.line().substr(0, 2)), "write 3,7 without blanks");
    static_cast<void>(reader.skip(','));
    labels.push_back(static_cast<std::uint32_t>(reader.number_field("a label", 0, kMaxLabel)));
  }
  std::sort(labels.begin() + first, labels.end());
  if (const auto twice = std::adjacent_find(labels.begin() + first, labels.end()); twice != labels.end()) {
    reader.fail("each label once", "label " + std::to_string(*twice) + " again");
  }
}

void read_vertices(LineReader& reader, Parsed& parsed) {
  parsed.labels.reserve(parsed.vertices);
  parsed.label_offsets.reserve(parsed.vertices + 1);
  parsed.label_offsets.push_back(0);
  parsed.degrees.reserve(parsed.vertices);
  for (std::uint64_t id = 0; id < parsed.vertices; ++id) {
    expect_letter(reader, "v", "line `v " + std::to_string(id) + " label degree`");
    if (const auto found = reader.number_field("a vertex id", 0, parsed.vertices - 1); found != id) {
      reader.fail("vertex id " + std::to_string(id) + " (ids in order)", std::to_string(found));
    }
    read_labels(reader, parsed.labels);
    parsed.label_offsets.push_back(parsed.labels.size());
    if (reader.at_end()) {
      reader.fail("a degree from 0 to " + std::to_string(parsed.vertices - 1), "the end of the line", kSayIgraph);
    }
    parsed.degrees.push_back(static_cast<std::uint32_t>(reader.number_field("a degree", 0, parsed.vertices - 1)));
    reader.expect_end();
  }
}

void read_edges(LineReader& reader, Parsed& parsed) {
  const std::string declared =
      std::to_string(parsed.edge_count) + " edges that line " + std::to_string(parsed.head_line) + " declares";
  parsed.edges.reserve(parsed.edge_count);
  for (std::uint64_t i = 0; i < parsed.edge_count; ++i) {
    expect_letter(reader, "e", "edge " + std::to_string(i + 1) + " of " + declared);
    const auto u = static_cast<Vertex>(reader.number_field("a vertex id", 0, parsed.vertices - 1));
    const auto v = static_cast<Vertex>(reader.number_field("a second vertex id", 0, parsed.vertices - 1));
    if (u == v) reader.fail("an edge between two different vertices", "a self-loop of " + std::to_string(u));
    const bool labelled = !reader.at_end();
    if (labelled) {
      if (i > 0 && parsed.edge_labels.empty()) {
        reader.fail("no edge label, as on the lines before", quoted(reader.line()));
      }
      parsed.edge_labels.push_back(static_cast<std::uint32_t>(reader.number_field("an edge label", 0, kMaxLabel)));
      reader.expect_end();
    } else if (!parsed.edge_labels.empty()) {
      reader.fail("an edge label, as on the lines before", "the end of the line");
    }
    parsed.edges.push_back({u, v});
  }
  if (next_line(reader)) reader.fail("no more than the " + declared, quoted(reader.line()));
}

/// The line of the index-th line that starts with `letter`; called only for a message.
std::uint64_t line_of(const Text& text, char letter, std::uint64_t index) {
  LineReader reader(text.bytes, text.file);
  while (next_line(reader)) {
    if (reader.line().front() == letter && index-- == 0) return reader.number();
  }
  return reader.number();
}

void check_degrees(const Text& text, const Parsed& parsed, const Csr& graph) {
  for (std::uint64_t v = 0; v < parsed.vertices; ++v) {
    const std::int64_t degree = graph.degree(static_cast<Vertex>(v));
    if (degree != static_cast<std::int64_t>(parsed.degrees[v])) {
      throw InputError(
          text.file, line_of(text, 'v', v),
          "degree " + std::to_string(degree) + ", as many as vertex " + std::to_string(v) + " has neighbours",
          std::to_string(parsed.degrees[v]));
    }
  }
}

/// Builds the graph of the edges, with their labels if they have any; refuses repeated edges.
LabelledGraph graph_of(const Text& text, const Parsed& parsed, int threads) {
  LabelledGraph graph;
  EdgeCounts counts;
  if (parsed.edge_labels.empty()) {
    graph.graph = build_csr(parsed.edges, static_cast<std::int64_t>(parsed.vertices), threads, &counts);
  } else {
    std::vector<LabelledEdge> edges(parsed.edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = {parsed.edges[i].source, parsed.edges[i].target, parsed.edge_labels[i]};
    }
    graph = build_labelled_graph(edges, static_cast<std::int64_t>(parsed.vertices), threads, &counts);
  }
  if (counts.duplicates_merged > 0) {
    const auto line = [&text](std::uint64_t edge) { return line_of(text, 'e', edge); };
    refuse_loops_and_repeats(text.file, parsed.edges, line, parsed.edge_labels);
  }
  return graph;
}

}  // namespace

Content parse_labelled_graph(const Text& text, const Options&, int threads) {
  Parsed parsed;
  LineReader reader(text.bytes, text.file);
  read_head(reader, parsed);
  read_vertices(reader, parsed);
  read_edges(reader, parsed);
  LabelledGraph graph = graph_of(text, parsed, threads);
  check_degrees(text, parsed, graph.graph);
  if (parsed.labels.size() != parsed.vertices) graph.vertex_label_offsets = std::move(parsed.label_offsets);
  graph.vertex_labels = std::move(parsed.labels);
  Content content;
  content.data = std::move(graph);
  return content;
}

}  // namespace warpbench::datasets
