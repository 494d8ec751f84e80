#include "datasets/loaders/graphs/triples.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/delimited/fields.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/name_numbers.hpp"
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
  std::uint64_t line = 0;  // where the count is, or the first triple
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
  head.line = reader.number();
  const std::string_view first = reader.field();
  if (!reader.at_end() || first.find_first_not_of("0123456789") != std::string_view::npos) return head;
  LineReader again(first, text.file, reader.number());
  static_cast<void>(again.next());
  head.count = again.number_field("a number of triples", 1, std::numeric_limits<std::int64_t>::max());
  head.has_count = true;
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
    const char first = reader.line().front();
    if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '/') {
      reader.fail("a head id from 0 to " + std::to_string(kMaxVertex), quoted(reader.field()),
                  "set ids: names if entities and relations have names");
    }
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

void check_count(const std::string& file, const Head& head, std::uint64_t triples) {
  if (!head.has_count || triples == head.count) return;
  throw InputError(file, head.line, std::to_string(triples) + " triples, as many as follow", std::to_string(head.count),
                   "the file is cut, or its first line is no count");
}

/// The number of vertices, once all ids are known; refuses a count and ids that do not fit.
std::uint64_t vertices_of(const std::vector<Chunk>& chunks, const Text& text, const Head& head) {
  const std::uint64_t triples = chunks.empty() ? 0 : chunks.back().first_triple + chunks.back().triples;
  check_count(text.file, head, triples);
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

/// Whether the relation is the last of three. Only OpenKE's files, which begin with a count, tell.
bool has_relation_last(const Text& text, const Head& head, const std::string& order) {
  if (order == "ask" && !head.has_count) {
    throw InputError(text.file, head.line, "a word on the order of a triple", "none",
                     "set order: head_relation_tail, or order: head_tail_relation");
  }
  return order != "head_relation_tail";
}

struct NamedTriples {
  std::vector<LabelledEdge> edges;
  std::uint64_t entities = 0;
};

/// The three names of a line: between tabs if it has some, else between blanks.
std::array<std::string_view, 3> names_of(const LineReader& line) {
  const bool tabs = line.line().find('\t') != std::string_view::npos;
  refuse_zero_byte(line);
  std::array<std::string_view, 3> names;
  std::size_t found = 0;
  Fields fields(line, tabs ? kTab : kBlank, Quotes::none);
  for (std::string_view field; fields.next(field); ++found) {
    if (found < names.size()) names[found] = field;
    if (field.empty()) line.fail("a name", "an empty field");
  }
  if (found != names.size()) line.fail("three names", std::to_string(found));
  return names;
}

NamedTriples read_named(const Head& head, const std::string& file, bool relation_last) {
  NamedTriples triples;
  NameNumbers entities;
  NameNumbers relations;
  LineReader reader(head.body, file, head.first_line);
  while (reader.next()) {
    if (reader.at_end()) continue;
    const auto names = names_of(reader);
    const std::uint32_t source = entities.number_of(names[0]);
    const std::uint32_t target = entities.number_of(names[relation_last ? 1 : 2]);
    triples.edges.push_back({source, target, relations.number_of(names[relation_last ? 2 : 1])});
    if (entities.size() > kMaxVertex + 1) reader.fail("at most " + std::to_string(kMaxVertex + 1) + " names", "more");
  }
  check_count(file, head, triples.edges.size());
  triples.entities = entities.size();
  return triples;
}

}  // namespace

Content parse_triples(const Text& text, const Options& options, int threads) {
  const Head head = read_head(text);
  const bool relation_last = has_relation_last(text, head, options.at("order"));
  std::vector<LabelledEdge> edges;
  std::uint64_t vertices = 0;
  if (options.at("ids") == "names") {
    NamedTriples named = read_named(head, text.file, relation_last);
    edges = std::move(named.edges);
    vertices = named.entities;
  } else {
    std::vector<Chunk> chunks;
    for (const LineChunk& lines : chunks_of_lines(head.body, head.first_line, threads)) chunks.push_back({lines});
    check(chunks, text.file, relation_last, threads);
    vertices = vertices_of(chunks, text, head);
    edges = fill(chunks, text.file, relation_last, threads);
  }
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
