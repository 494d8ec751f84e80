#include "algorithms/subgraph_matching/fsig/neighbor_label_counters.hpp"

#include <algorithm>
#include <array>

#include "device/integers.hpp"
#include "device/mix64.hpp"

namespace warpbench::matching::fsig {
namespace {

using Labels = NeighborLabelCounters;
using Words = std::array<std::uint32_t, Labels::kMaxGroups / Labels::kGroupsPerWord>;

void increment(Words& words, std::uint32_t group) {
  std::uint32_t& word = words[static_cast<std::size_t>(Labels::word_of(group))];
  if (Labels::count_in(word, group) < Labels::kMaxCount) word += 1U << Labels::shift_of(group);
}

}  // namespace

std::uint32_t NeighborLabelCounters::group(Label edge_label, Label label) const {
  const std::uint64_t pair = std::uint64_t{edge_label} * static_cast<std::uint64_t>(vertex_label_count) + label;
  return static_cast<std::uint32_t>(exact() ? pair : mix64(pair) % kMaxGroups);
}

NeighborLabelCounters count_neighbor_labels(const Graph& data) {
  NeighborLabelCounters found;
  found.vertices = data.vertices();
  found.vertex_label_count = data.vertex_label_count;
  found.pairs = data.vertex_label_count * data.edge_label_count;
  const std::int64_t groups = std::clamp<std::int64_t>(found.pairs, 1, Labels::kMaxGroups);
  const std::int64_t words = ceil_div(groups, Labels::kGroupsPerWord);
  found.words.resize(static_cast<std::size_t>(words * found.vertices));
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t i = 0; i < found.vertices; ++i) {
    Words counters{};
    const auto v = static_cast<Vertex>(i);
    const auto row = data.row(v);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Label edge_label = data.row_labels(v)[j];
      for (const Label label : data.labels_of(row[j])) increment(counters, found.group(edge_label, label));
    }
    for (std::int64_t w = 0; w < words; ++w) {
      found.words[static_cast<std::size_t>(w * found.vertices + i)] = counters[static_cast<std::size_t>(w)];
    }
  }
  return found;
}

}  // namespace warpbench::matching::fsig
