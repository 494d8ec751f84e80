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

}  // namespace

std::vector<OptionDeclaration> csv_graph_options() {
  std::vector<OptionDeclaration> all{
      {kEnds[0],
       {"ask"},
       "the column of an edge's first vertex: its number, counted from 0, or with header: names its name; ask: the "
       "first of two",
       true},
      {kEnds[1], {"ask"}, "the column of its second vertex, likewise", true},
      {"relabel", {"none", "compact"}, "keep ids (vertices = highest id + 1), or number the ids that occur from 0"}};
  for (OptionDeclaration& option : table_options()) all.push_back(std::move(option));
  return all;
}

Content parse_csv_graph(const Text& text, const Options& options, int threads) {
  const bool compact = options.at("relabel") == "compact";
  const Table table(text, options, "row with an edge");
  const std::vector<std::size_t> columns = table.columns_of(options, kEnds);
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
                           kEnds[c]);
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
