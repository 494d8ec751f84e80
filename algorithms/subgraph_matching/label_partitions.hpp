// The partitions P(G, l) of a graph by edge label (gsi2020 §IV): which vertices have edges of a label, and where those
// lie in the graph's rows. gsi makes its four neighbour structures from them, MAGiQ its matrices, Wukong+G its store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

struct LabelPartitions {
  std::vector<std::uint64_t> vertex_offsets;  ///< labels + 1: where a label's vertices begin in the three arrays below
  std::vector<Vertex> vertices;               ///< ascending within a partition
  std::vector<std::uint64_t> first_slots;     ///< where N(v, l) begins in Graph::neighbors
  std::vector<std::uint32_t> sizes;           ///< |N(v, l)| > 0
  std::vector<std::uint64_t> slot_offsets;    ///< labels + 1: sums of the sizes of the partitions before

  [[nodiscard]] std::size_t labels() const { return slot_offsets.size() - 1; }
  /// Edges of label l, each seen from both ends.
  [[nodiscard]] std::uint64_t slots(Label l) const { return slot_offsets[l + std::size_t{1}] - slot_offsets[l]; }
  /// Vertices with an edge of label l.
  [[nodiscard]] std::size_t size(Label l) const {
    return static_cast<std::size_t>(vertex_offsets[l + std::size_t{1}] - vertex_offsets[l]);
  }
};

/// O(slots + labels).
[[nodiscard]] LabelPartitions partition_by_label(const Graph& graph);

}  // namespace warpbench::matching
