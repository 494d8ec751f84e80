#include "datasets/loaders/graphs/edge_list.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/graphs/edges_content.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/loaders/strict.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// The counts of the first line, and where the edges begin.
struct Head {
  std::string_view body;
  std::uint64_t first_line = 1;
  std::uint64_t limit = kMaxVertex + 1;  // ids must be below
  bool has_counts = false;
  std::uint64_t edges = 0;
  std::uint64_t line = 0;  // where the counts are
};

/// A run of whole lines, with the results of the first pass.
struct Chunk {
  std::string_view bytes;
  std::uint64_t first_line = 1;
  std::uint64_t edges = 0;
  std::uint64_t first_edge = 0;
  std::uint64_t max_id = 0;
  std::uint64_t max_id_line = 0;
};

/// The whole number after `word` in a comment; nothing if there is none.
std::optional<std::uint64_t> number_after(std::string_view comment, std::string_view word) {
  const std::size_t found = comment.find(word);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = comment.substr(found + word.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return error == std::errc{} && end != rest.data() ? std::optional(number) : std::nullopt;
}

/// What a comment of SNAP's before the first edge promises: `# Nodes: 36692 Edges: 367662`. Some files list more lines
/// than that, because they have both directions of an edge; one with fewer is cut.
struct Promise {
  std::uint64_t edges = 0;
  std::uint64_t line = 0;  // 0: there is no such comment
};

Promise promise_of(const Text& text) {
  LineReader reader(text.bytes, text.file);
  while (reader.next() && is_comment_or_blank(reader.line())) {
    if (const auto edges = number_after(reader.line(), "Edges:"); edges && number_after(reader.line(), "Nodes:")) {
      return {*edges, reader.number()};
    }
  }
  return {};
}

Head read_head(const Text& text, const std::string& header) {
  Head head{text.bytes};
  if (header == "none") return head;
  LineReader reader(text.bytes, text.file);
  do {
    if (!reader.next()) reader.fail("a first line of " + header, "comments only");
  } while (is_comment_or_blank(reader.line()));
  if (header == "counts") {
    head.limit = reader.number_field("a number of vertices", 1, kMaxVertex + 1);
    static_cast<void>(reader.skip(','));
    head.edges = reader.number_field("a number of edge lines", 1, std::numeric_limits<std::int64_t>::max());
    reader.expect_end();
    head.has_counts = true;
    head.line = reader.number();
    // The shortest edge line is `0 1\n`; the last may lack its line feed.
    const std::uint64_t possible = (reader.rest().size() + 1) / 4;
    if (head.edges > possible) {
      reader.fail("at most " + std::to_string(possible) + " edge lines, as many as fit the file",
                  std::to_string(head.edges));
    }
    if (head.limit > max_vertices(head.edges)) {
      reader.fail("at most " + std::to_string(max_vertices(head.edges)) + " vertices for that many edges",
                  std::to_string(head.limit), "use relabel: compact and header: names");
    }
  } else if (reader.line().find_first_not_of("0123456789 \t,") == std::string_view::npos) {
    reader.fail("a line of column names", quoted(reader.line()), "set header: none, or header: counts");
  }
  head.body = reader.rest();
  head.first_line = reader.number() + 1;
  return head;
}

std::vector<Chunk> split(const Head& head, int threads) {
  std::vector<Chunk> chunks;
  for (const LineChunk& lines : chunks_of_lines(head.body, head.first_line, threads)) {
    chunks.push_back({lines.bytes, lines.first_line});
  }
  return chunks;
}

/// Calls edge(u, v, line) for every edge line of a chunk; refuses all other lines.
template <typename Consumer>
void scan(const Chunk& chunk, const std::string& file, std::uint64_t limit, bool ignore_trailing, Consumer&& edge) {
  LineReader reader(chunk.bytes, file, chunk.first_line);
  while (reader.next()) {
    if (is_comment_or_blank(reader.line())) continue;
    const std::uint64_t u = reader.number_field("a vertex id", 0, limit - 1);
    static_cast<void>(reader.skip(','));
    const std::uint64_t v = reader.number_field("a second vertex id", 0, limit - 1);
    if (!ignore_trailing && !reader.at_end()) {
      reader.fail("the end of the line", quoted(reader.line()),
                  "set trailing: ignore to leave out what follows the two ids");
    }
    edge(static_cast<Vertex>(u), static_cast<Vertex>(v), reader.number());
  }
}

/// First pass: checks every line and stores no edges.
void check(std::vector<Chunk>& chunks, const std::string& file, const Head& head, bool ignore_trailing, int threads) {
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    Chunk& chunk = chunks[i];
    scan(chunk, file, head.limit, ignore_trailing, [&chunk](Vertex u, Vertex v, std::uint64_t line) {
      ++chunk.edges;
      const std::uint64_t larger = std::max(u, v);
      if (larger > chunk.max_id || chunk.max_id_line == 0) {
        chunk.max_id = larger;
        chunk.max_id_line = line;
      }
    });
  });
  std::uint64_t total = 0;
  for (Chunk& chunk : chunks) {
    chunk.first_edge = total;
    total += chunk.edges;
  }
}

/// Second pass: collects the edges in the file's order.
std::vector<Edge> fill(const std::vector<Chunk>& chunks, const std::string& file, const Head& head,
                       bool ignore_trailing, int threads) {
  std::vector<Edge> edges(chunks.empty() ? 0 : chunks.back().first_edge + chunks.back().edges);
  for_chunks(chunks.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    std::size_t at = chunks[i].first_edge;
    scan(chunks[i], file, head.limit, ignore_trailing, [&](Vertex u, Vertex v, std::uint64_t) {
      edges[at++] = {u, v};
    });
  });
  return edges;
}

/// The number of vertices, once all ids are known; refuses counts and ids that do not fit.
std::uint64_t vertices_of(const std::vector<Chunk>& chunks, const Text& text, const Head& head, bool compact) {
  std::uint64_t edges = 0;
  const Chunk* highest = nullptr;
  for (const Chunk& chunk : chunks) {
    edges += chunk.edges;
    if (chunk.edges > 0 && (highest == nullptr || chunk.max_id > highest->max_id)) highest = &chunk;
  }
  if (edges == 0) throw InputError(text.file, line_count(text.bytes), "at least one edge", "the end of the file");
  if (const Promise promise = promise_of(text); edges < promise.edges) {
    throw InputError(text.file, promise.line, std::to_string(promise.edges) + " edge lines, as this header says",
                     std::to_string(edges), "the file is cut: fetch it again");
  }
  if (head.has_counts && edges != head.edges) {
    throw InputError(text.file, head.line, std::to_string(edges) + " edge lines, as many as follow",
                     std::to_string(head.edges), "the file is cut or the header: counts is not one");
  }
  if (head.has_counts) return head.limit;
  if (!compact) check_highest_id(text.file, highest->max_id, highest->max_id_line, edges);
  return highest->max_id + 1;
}

}  // namespace

Content parse_edge_list(const Text& text, const Options& options, int threads) {
  const bool ignore_trailing = options.at("trailing") == "ignore";
  const bool compact = options.at("relabel") == "compact";
  const Head head = read_head(text, options.at("header"));
  std::vector<Chunk> chunks = split(head, threads);
  check(chunks, text.file, head, ignore_trailing, threads);
  const std::uint64_t vertices = vertices_of(chunks, text, head, compact);
  std::vector<Edge> edges = fill(chunks, text.file, head, ignore_trailing, threads);

  if (options.at("strict") == "true") {
    refuse_loops_and_repeats(text.file, edges, [&](std::uint64_t edge) {
      const auto after = std::upper_bound(chunks.begin(), chunks.end(), edge,
                                          [](std::uint64_t e, const Chunk& c) { return e < c.first_edge; });
      std::uint64_t at = (after - 1)->first_edge;
      std::uint64_t line = 0;
      scan(*(after - 1), text.file, head.limit, ignore_trailing, [&](Vertex, Vertex, std::uint64_t number) {
        if (at++ == edge) line = number;
      });
      return line;
    });
  }
  return edges_content(text, std::move(edges), vertices, compact, threads);
}

}  // namespace warpbench::datasets
