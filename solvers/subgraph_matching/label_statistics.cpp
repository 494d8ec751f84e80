#include "solvers/subgraph_matching/label_statistics.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace warpbench::matching {

std::vector<std::int64_t> label_frequencies(const Graph& graph) {
  std::vector<std::int64_t> frequencies(static_cast<std::size_t>(graph.vertex_label_count), 0);
  for (const Label label : graph.labels) ++frequencies[label];
  return frequencies;
}

std::int64_t rarest_frequency(const Graph& query, Vertex u, const std::vector<std::int64_t>& frequencies) {
  std::int64_t rarest = std::numeric_limits<std::int64_t>::max();
  for (const Label label : query.labels_of(u)) {
    rarest = std::min(rarest, label < frequencies.size() ? frequencies[label] : 0);
  }
  return rarest;
}

bool asks_for_missing_labels(const Graph& query, const Graph& data) {
  const auto has_missing = [](std::span<const Label> labels) {
    return std::ranges::find(labels, kNone<Label>) != labels.end();
  };
  return has_missing(query.labels) || has_missing(query.edge_labels) ||
         (data.single_labels() && !query.single_labels());
}

}  // namespace warpbench::matching
