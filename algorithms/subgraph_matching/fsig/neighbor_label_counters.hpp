// Counters of the labels around each data vertex, four bits a label. The neighbour label frequencies of all query
// vertices (NLF, yu2023 §5.1.1) are compared with them in one pass, a word a data vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "device/view.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// A counter for each pair of an edge label and a neighbour's label where there are few pairs. Else several pairs share
/// a counter, and one that suffices must be confirmed.
struct NeighborLabelCounters {
  static constexpr std::uint32_t kMaxCount = 15;  ///< so many or more
  static constexpr std::int64_t kMaxGroups = 64;
  static constexpr std::int64_t kGroupsPerWord = 8;
  static constexpr std::int64_t kBitsPerGroup = 4;

  /// The counter of a pair at vertex v: in words[word_of(group) * vertices + v].
  [[nodiscard]] std::uint32_t group(Label edge_label, Label label) const;
  [[nodiscard]] WARPBENCH_HOST_DEVICE static constexpr std::int64_t word_of(std::uint32_t group) {
    return group / kGroupsPerWord;
  }
  [[nodiscard]] WARPBENCH_HOST_DEVICE static constexpr std::uint32_t shift_of(std::uint32_t group) {
    return static_cast<std::uint32_t>(group % kGroupsPerWord * kBitsPerGroup);
  }
  [[nodiscard]] WARPBENCH_HOST_DEVICE static constexpr std::uint32_t count_in(std::uint32_t word, std::uint32_t group) {
    return (word >> shift_of(group)) & kMaxCount;
  }
  /// One pair a counter.
  [[nodiscard]] bool exact() const { return pairs <= kMaxGroups; }

  std::int64_t vertices = 0;
  std::int64_t vertex_label_count = 0;
  std::int64_t pairs = 0;
  std::vector<std::uint32_t> words;
};

/// O(slots * labels of a vertex), in parallel.
[[nodiscard]] NeighborLabelCounters count_neighbor_labels(const Graph& data);

}  // namespace warpbench::matching::fsig
