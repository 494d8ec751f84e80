#include "algorithms/subgraph_matching/fsig/neighbor_labels.hpp"

#include <algorithm>
#include <array>

#include "problems/judgement.hpp"

namespace warpbench::matching::fsig {
namespace {

using Counters = std::array<std::uint32_t, NeighborLabels::kMostGroups / NeighborLabels::kGroupsPerWord>;

void add(Counters& counters, std::uint32_t group) {
  std::uint32_t& word = counters[group / NeighborLabels::kGroupsPerWord];
  const std::uint32_t shift = group % NeighborLabels::kGroupsPerWord * 4;
  if (((word >> shift) & NeighborLabels::kMost) < NeighborLabels::kMost) word += 1U << shift;
}

}  // namespace

std::uint32_t NeighborLabels::group(Label edge_label, Label label) const {
  const std::uint64_t pair = std::uint64_t{edge_label} * static_cast<std::uint64_t>(vertex_label_count) + label;
  return static_cast<std::uint32_t>(exact() ? pair : mix64(pair) % kMostGroups);
}

NeighborLabels neighbor_labels(const Graph& data) {
  NeighborLabels found;
  found.vertices = data.vertices();
  found.vertex_label_count = data.vertex_label_count;
  found.pairs = data.vertex_label_count * data.edge_label_count;
  const std::int64_t groups = std::clamp<std::int64_t>(found.pairs, 1, NeighborLabels::kMostGroups);
  const std::int64_t words = (groups + NeighborLabels::kGroupsPerWord - 1) / NeighborLabels::kGroupsPerWord;
  found.words.resize(static_cast<std::size_t>(words * found.vertices));
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t i = 0; i < found.vertices; ++i) {
    Counters counters{};
    const auto v = static_cast<Vertex>(i);
    const auto row = data.row(v);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Label edge_label = data.row_labels(v)[j];
      for (const Label label : data.labels_of(row[j])) add(counters, found.group(edge_label, label));
    }
    for (std::int64_t w = 0; w < words; ++w) {
      found.words[static_cast<std::size_t>(w * found.vertices + i)] = counters[static_cast<std::size_t>(w)];
    }
  }
  return found;
}

}  // namespace warpbench::matching::fsig
