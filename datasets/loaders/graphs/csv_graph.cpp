#include "datasets/loaders/graphs/csv_graph.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/delimited/table.hpp"
#include "datasets/loaders/graphs/edges_content.hpp"
#include "datasets/loaders/line_chunks.hpp"
#include "datasets/loaders/name_numbers.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

const std::array<std::string, 2> kEnds{"source", "target"};

/// The edges of a chunk of lines.
struct EdgeRows {
  std::vector<Edge> edges;
  std::uint64_t max_id = 0;
  std::uint64_t max_id_line = 0;
};

/// Edges between names. They are numbered in the file's order, so one thread reads them.
Content named_graph(const Text& text, const Table& table, std::span<const std::size_t> columns, int threads) {
  NameNumbers vertices;
  std::vector<Edge> edges;
  LineReader reader(table.body(), text.file, table.first_line());
  table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
    refuse_zero_byte(reader);
    std::array<Vertex, 2> ends{};
    for (std::size_t c = 0; c < ends.size(); ++c) {
      if (fields[c].empty()) table.fail_field(reader, "a name", fields[c], columns[c], kEnds[c]);
      ends[c] = vertices.number_of(fields[c]);
    }
    if (vertices.size() > kMaxVertex + 1) reader.fail("at most " + std::to_string(kMaxVertex + 1) + " names", "more");
    edges.push_back({ends[0], ends[1]});
  });
  if (edges.empty()) throw InputError(text.file, 0, "at least one edge", "column names only");
  return edges_content(text, std::move(edges), vertices.size(), false, threads);
}

}  // namespace

std::vector<OptionDeclaration> csv_graph_options() {
  std::vector<OptionDeclaration> all{
      {kEnds[0],
       {"ask"},
       "the column of an edge's first vertex: its number, counted from 0, or with header: names its name; ask: the "
       "first of two",
       true},
      {kEnds[1], {"ask"}, "the column of its second vertex, likewise", true},
      {"relabel", {"none", "compact"}, "keep ids (vertices = highest id + 1), or number the ids that occur from 0"},
      ids_option("vertices")};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv_graph(const Text& text, const Options& options, int threads) {
  const bool compact = options.at("relabel") == "compact";
  const Table table(text, options, "row with an edge");
  const std::vector<std::size_t> columns = table.columns_of(options, kEnds);
  if (options.at("ids") == "names") return named_graph(text, table, columns, threads);
  const std::vector<LineChunk> lines = chunks_of_lines(table.body(), table.first_line(), threads);
  std::vector<EdgeRows> chunks(lines.size());
  for_chunks(lines.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
    LineReader reader(lines[i].bytes, text.file, lines[i].first_line);
    EdgeRows& rows = chunks[i];
    table.each_row(reader, columns, [&](std::span<const std::string_view> fields) {
      std::array<Vertex, 2> ends{};
      for (std::size_t c = 0; c < ends.size(); ++c) {
        if (!parse_whole(fields[c], ends[c]) || ends[c] > kMaxVertex) {
          table.fail_field(reader, "a vertex id from 0 to " + std::to_string(kMaxVertex), fields[c], columns[c],
                           kEnds[c], kSayNames);
        }
        if (ends[c] > rows.max_id || rows.max_id_line == 0) {
          rows.max_id = ends[c];
          rows.max_id_line = reader.number();
        }
      }
      rows.edges.push_back({ends[0], ends[1]});
    });
  });
  std::vector<Edge> edges;
  for (EdgeRows& rows : chunks) {
    edges.insert(edges.end(), rows.edges.begin(), rows.edges.end());
    rows.edges = {};
  }
  if (edges.empty()) throw InputError(text.file, 0, "at least one edge", "column names only");
  const EdgeRows& highest = *std::ranges::max_element(chunks, {}, &EdgeRows::max_id);
  if (!compact) check_highest_id(text.file, highest.max_id, highest.max_id_line, edges.size());
  return edges_content(text, std::move(edges), highest.max_id + 1, compact, threads);
}

}  // namespace warpbench::datasets
