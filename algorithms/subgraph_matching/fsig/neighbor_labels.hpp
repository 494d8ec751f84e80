// How often labels occur around each data vertex, four bits a label: what the neighbour label frequencies (NLF, yu2023
// §5.1.1) of all query vertices are compared with, a word a data vertex, in one pass.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// Counters of (edge label, neighbour label). There is one for each such pair where there are few pairs; else several
/// pairs share one, and a counter that suffices must be confirmed.
struct NeighborLabels {
  static constexpr std::uint32_t kMost = 15;  ///< so many or more
  static constexpr std::int64_t kGroupsPerWord = 8;
  static constexpr std::int64_t kMostGroups = 64;

  /// The counter of a pair: bits [4 * (g % 8), +4) of words[g / 8 * vertices + v].
  [[nodiscard]] std::uint32_t group(Label edge_label, Label label) const;
  /// One pair a counter.
  [[nodiscard]] bool exact() const { return pairs <= kMostGroups; }

  std::int64_t vertices = 0;
  std::int64_t vertex_label_count = 0;
  std::int64_t pairs = 0;
  std::vector<std::uint32_t> words;
};

/// O(slots * labels of a vertex), in parallel.
[[nodiscard]] NeighborLabels neighbor_labels(const Graph& data);

}  // namespace warpbench::matching::fsig
