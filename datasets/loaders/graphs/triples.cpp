#include "datasets/loaders/graphs/triples.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// The count of the first line, and where the triples begin.
struct Head {
  std::string_view body;
  std::uint64_t first_line = 1;
  bool has_count = false;
  std::uint64_t count = 0;
  std::uint64_t line = 0;  // where the count is
};

/// A run of whole lines, with the results of the first pass.
struct Chunk {
  LineChunk lines;
  std::uint64_t triples = 0;
  std::uint64_t first_triple = 0;
  std::uint64_t max_id = 0;
  std::uint64_t max_id_line = 0;
};

/// Reads the head. A first line with a single number is the count, because no triple has one field.
Head read_head(const Text& text) {
  Head head{text.bytes};
  LineReader reader(text.bytes, text.file);
  do {
    if (!reader.next()) reader.fail("at least one triple", "the end of the file");
  } while (reader.at_end());
  const std::string_view first = reader.field();
  if (!reader.at_end() || first.find_first_not_of("0123456789") != std::string_view::npos) return head;
  LineReader again(first, text.file, reader.number());
  static_cast<void>(again.next());
  head.count = again.number_field("a number of triples", 1, std::numeric_limits<std::int64_t>::max());
  head.has_count = true;
  head.line = reader.number();
  head.body = reader.rest();
  head.first_line = reader.number() + 1;
  return head;
}

/// Calls triple(edge, line) for every non-empty line; refuses lines that are not triples.
template <typename Consumer>
void scan(const Chunk& chunk, const std::string& file, bool relation_last, Consumer&& triple) {
  LineReader reader(chunk.lines.bytes, file, chunk.lines.first_line);
  const auto relation = [&reader] {
    return static_cast<std::uint32_t>(reader.number_field("a relation id", 0, kMaxLabel));
  };
  while (reader.next()) {
    if (reader.at_end()) continue;
    LabelledEdge edge;
    edge.source = static_cast<Vertex>(reader.number_field("a head id", 0, kMaxVertex));
    if (!relation_last) edge.label = relation();
    edge.target = static_cast<Vertex>(reader.number_field("a tail id", 0, kMaxVertex));
    if (relation_last) edge.label = relation();
    reader.expect_end();
    triple(edge, reader.number());
  }
}

/// First pass: checks every line and stores no triples.
void check(std::vector<Chunk>& chunks, const std::string& file, bool relation_last, int threads) {
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    Chunk& chunk = chunks[i];
    scan(chunk, file, relation_last, [&chunk](const LabelledEdge& edge, std::uint64_t line) {
      ++chunk.triples;
      const std::uint64_t larger = std::max(edge.source, edge.target);
      if (larger <= chunk.max_id && chunk.max_id_line != 0) return;
      chunk.max_id = larger;
      chunk.max_id_line = line;
    });
  });
  std::uint64_t total = 0;
  for (Chunk& chunk : chunks) chunk.first_triple = std::exchange(total, total + chunk.triples);
}

/// Second pass: collects the triples in the file's order.
std::vector<LabelledEdge> fill(const std::vector<Chunk>& chunks, const std::string& file, bool relation_last,
                               int threads) {
  std::vector<LabelledEdge> edges(chunks.back().first_triple + chunks.back().triples);
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    std::size_t at = chunks[i].first_triple;
    scan(chunks[i], file, relation_last, [&](const LabelledEdge& edge, std::uint64_t) { edges[at++] = edge; });
  });
  return edges;
}

/// The number of vertices, once all ids are known; refuses a count and ids that do not fit.
std::uint64_t vertices_of(const std::vector<Chunk>& chunks, const Text& text, const Head& head) {
  const std::uint64_t triples = chunks.empty() ? 0 : chunks.back().first_triple + chunks.back().triples;
  if (head.has_count && triples != head.count) {
    throw InputError(text.file, head.line, std::to_string(triples) + " triples, as many as follow",
                     std::to_string(head.count), "the file is cut, or its first line is no count");
  }
  const auto highest = std::ranges::max_element(chunks, {}, &Chunk::max_id);
  if (highest->max_id >= max_vertices(triples)) {
    throw InputError(
        text.file, highest->max_id_line,
        "ids below " + std::to_string(max_vertices(triples)) + " for " + std::to_string(triples) + " triples",
        std::to_string(highest->max_id), "number the entities from 0");
  }
  return highest->max_id + 1;
}

/// The number of distinct relations, including those of self-loops.
std::int64_t relations_of(const std::vector<LabelledEdge>& edges) {
  std::vector<std::uint32_t> labels(edges.size());
  std::ranges::transform(edges, labels.begin(), &LabelledEdge::label);
  std::ranges::sort(labels);
  return std::ranges::unique(labels).begin() - labels.begin();
}

}  // namespace

Content parse_triples(const Text& text, const Options& options, int threads) {
  const bool relation_last = options.at("order") == "head_tail_relation";
  const Head head = read_head(text);
  std::vector<Chunk> chunks;
  for (const LineChunk& lines : chunks_of_lines(head.body, head.first_line, threads)) chunks.push_back({lines});
  check(chunks, text.file, relation_last, threads);
  const std::uint64_t vertices = vertices_of(chunks, text, head);
  const std::vector<LabelledEdge> edges = fill(chunks, text.file, relation_last, threads);
  EdgeCounts counts;
  LabelledGraph graph = build_labelled_graph(edges, static_cast<std::int64_t>(vertices), threads, &counts);
  if (graph.edges() == 0) {
    throw InputError(text.file, head.first_line, "at least one triple of two different entities",
                     std::to_string(counts.self_loops_dropped) + " self-loops only");
  }
  graph.vertex_labels = std::vector<std::uint32_t>(vertices, 0);
  Content content;
  content.data = std::move(graph);
  content.properties = {{"triples", static_cast<std::int64_t>(edges.size())},
                        {"relations", relations_of(edges)},
                        {"self_loops_dropped", counts.self_loops_dropped},
                        {"duplicates_merged", counts.duplicates_merged}};
  return content;
}

}  // namespace warpbench::datasets
