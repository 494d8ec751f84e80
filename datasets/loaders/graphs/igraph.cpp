#include "datasets/loaders/graphs/igraph.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sizes.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kMaxCount = std::numeric_limits<std::int64_t>::max();

/// Numbers of lines that the file declares.
struct DeclaredLines {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t line = 0;
};

/// Reads the lines in order. Vectors grow with the file's length, never with its claims.
class IgraphReader {
 public:
  IgraphReader(const Text& text, bool several) : lines_(text.bytes, text.file), several_(several) {}

  void read() {
    head();
    while (!ended_ && next()) {
      const std::string_view letter = lines_.field();
      std::uint64_t number = 0;
      if (letter == "v") {
        vertex();
      } else if (letter == "e") {
        edge();
      } else if (letter == "t") {
        end();
      } else if (!declared_ && vertices() == 0 && parse_whole(letter, number)) {
        declare(number);
      } else {
        lines_.fail("a line `v ID LABEL` or `e U V`", shown_field(letter));
      }
    }
    if (next()) lines_.fail("the end of the file after `t # -1`", quoted(lines_.line()));
    if (vertices() == 0) lines_.fail("at least one vertex", "none");
    check_declared();
  }

  [[nodiscard]] std::uint64_t vertices() const { return label_offsets_.size() - 1; }

  [[nodiscard]] Content content(int threads) {
    LabelledGraph graph;
    EdgeCounts counts;
    const auto count = static_cast<std::int64_t>(vertices());
    if (has_edge_labels_.value_or(false)) {
      graph = build_labelled_graph(edges_, count, threads, &counts);
    } else {
      std::vector<Edge> edges;
      edges.reserve(edges_.size());
      for (const LabelledEdge& edge : edges_) edges.push_back({edge.source, edge.target});
      graph.graph = build_csr(edges, count, threads, &counts);
    }
    if (labels_.size() != vertices()) graph.vertex_label_offsets = std::move(label_offsets_);
    graph.vertex_labels = std::move(labels_);
    return {std::move(graph),
            {{"self_loops_dropped", counts.self_loops_dropped}, {"duplicates_merged", counts.duplicates_merged}},
            {}};
  }

 private:
  bool next() {
    while (lines_.next()) {
      if (!lines_.at_end()) return true;
    }
    return false;
  }

  void declare(std::uint64_t vertices) {
    declared_ = DeclaredLines{vertices, lines_.number_field("a number of edges", 0, kMaxCount), lines_.number()};
    while (!lines_.at_end()) static_cast<void>(lines_.number_field("a number of labels", 0, kMaxCount));
  }

  void head() {
    const std::string wanted = "a line `t # 0`, the first of a graph";
    if (!next()) lines_.fail(wanted, "the end of the file");
    if (const std::string_view letter = lines_.field(); letter != "t") lines_.fail(wanted, shown_field(letter));
    const bool numbered = lines_.skip('#');
    if (lines_.at_end()) return;
    const std::uint64_t number = lines_.number_field("a number of the graph or of its vertices", 0, kMaxCount);
    if (numbered) return lines_.expect_end();
    if (!lines_.at_end()) declare(number);
  }

  void vertex() {
    if (has_edge_labels_) lines_.fail("all v lines before the first e line", "one after it");
    if (const auto found = lines_.number_field("a vertex id", 0, kMaxVertex); found != vertices()) {
      lines_.fail("vertex id " + std::to_string(vertices()) + " (ids in order)", std::to_string(found));
    }
    const auto first = static_cast<std::ptrdiff_t>(labels_.size());
    do {
      labels_.push_back(static_cast<std::uint32_t>(lines_.number_field("a label", 0, kMaxLabel)));
      if (several_ || lines_.at_end()) continue;
      lines_.fail("one label, or a word on the numbers after it", quoted(lines_.line()),
                  "set labels: several if they are labels; a file with degrees is read with format: graph");
    } while (!lines_.at_end());
    std::sort(labels_.begin() + first, labels_.end());
    if (const auto twice = std::adjacent_find(labels_.begin() + first, labels_.end()); twice != labels_.end()) {
      lines_.fail("each label once", "label " + std::to_string(*twice) + " again");
    }
    label_offsets_.push_back(labels_.size());
  }

  void edge() {
    if (vertices() == 0) lines_.fail("v lines before the first e line", "none");
    LabelledEdge edge;
    edge.source = static_cast<Vertex>(lines_.number_field("a vertex id", 0, vertices() - 1));
    edge.target = static_cast<Vertex>(lines_.number_field("a second vertex id", 0, vertices() - 1));
    const bool labelled = !lines_.at_end();
    if (labelled != has_edge_labels_.value_or(labelled)) {
      lines_.fail(labelled ? "no edge label, as on the lines before" : "an edge label, as on the lines before",
                  labelled ? quoted(lines_.line()) : "the end of the line");
    }
    has_edge_labels_ = labelled;
    if (labelled) edge.label = static_cast<std::uint32_t>(lines_.number_field("an edge label", 0, kMaxLabel));
    lines_.expect_end();
    edges_.push_back(edge);
  }

  void end() {
    static_cast<void>(lines_.skip('#'));
    if (lines_.field() != "-1") lines_.fail("one graph in the file", "a second one", "split the file at its t lines");
    lines_.expect_end();
    ended_ = true;
  }

  void check_declared() const {
    if (!declared_) return;
    if (declared_->vertices == vertices() && declared_->edges == edges_.size()) return;
    throw InputError(
        lines_.file(), declared_->line,
        std::to_string(vertices()) + " vertices and " + std::to_string(edges_.size()) + " edges, as many as follow",
        std::to_string(declared_->vertices) + " and " + std::to_string(declared_->edges),
        "the file is cut, or begin it with `t # 0` if these are no counts");
  }

  LineReader lines_;
  bool several_;
  bool ended_ = false;
  std::optional<DeclaredLines> declared_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint64_t> label_offsets_{0};
  std::optional<bool> has_edge_labels_;  // unknown before the first edge
  std::vector<LabelledEdge> edges_;
};

}  // namespace

Content parse_igraph(const Text& text, const Options& options, int threads) {
  IgraphReader reader(text, options.at("labels") == "several");
  reader.read();
  return reader.content(threads);
}

}  // namespace warpbench::datasets
