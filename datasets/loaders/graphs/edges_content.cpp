#include "datasets/loaders/graphs/edges_content.hpp"

#include <algorithm>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/sizes.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

/// Renumbers the ids that occur from 0, in ascending order; returns them in that order.
std::vector<std::uint32_t> compact_ids(std::vector<Edge>& edges, int threads) {
  std::vector<std::uint32_t> ids;
  ids.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    ids.push_back(edge.source);
    ids.push_back(edge.target);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ids.shrink_to_fit();
  const auto rank = [&ids](std::uint32_t id) {
    return static_cast<Vertex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  for_chunks(edges.size(), 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) edges[i] = {rank(edges[i].source), rank(edges[i].target)};
  });
  return ids;
}

}  // namespace

std::uint64_t line_count(std::string_view bytes) {
  const auto ends = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  return ends + (bytes.back() == '\n' ? 0 : 1);
}

void check_highest_id(const std::string& file, std::uint64_t id, std::uint64_t line, std::uint64_t edges) {
  if (id < max_vertices(edges)) return;
  throw InputError(file, line,
                   "ids below " + std::to_string(max_vertices(edges)) + " for " + std::to_string(edges) + " edges",
                   std::to_string(id), "set relabel: compact");
}

Content edges_content(const Text& text, std::vector<Edge> edges, std::uint64_t vertices, bool compact, int threads) {
  Content content;
  if (compact) {
    std::vector<std::uint32_t> ids = compact_ids(edges, threads);
    vertices = ids.size();
    content.original_ids = std::move(ids);
  }
  EdgeCounts counts;
  Csr graph = build_csr(edges, static_cast<std::int64_t>(vertices), threads, &counts);
  if (graph.slots() == 0) {
    throw InputError(text.file, line_count(text.bytes), "at least one edge between two different vertices",
                     std::to_string(counts.self_loops_dropped) + " self-loops only");
  }
  content.data = std::move(graph);
  content.properties = {{"self_loops_dropped", counts.self_loops_dropped},
                        {"duplicates_merged", counts.duplicates_merged}};
  return content;
}

}  // namespace warpbench::datasets
