// The partitions P(G, l) of a graph by edge label (gsi2020 §IV), from which the four neighbour structures are made:
// which vertices have edges of a label, and where those lie in the graph's rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching::gsi {

struct Partitions {
  std::vector<std::uint64_t> vertex_offsets;  // labels + 1: where a label's vertices begin in the three arrays below
  std::vector<Vertex> vertices;               // ascending within a partition
  std::vector<std::uint64_t> first_slots;     // where N(v, l) begins in Graph::neighbors
  std::vector<std::uint32_t> sizes;           // |N(v, l)|
  std::vector<std::uint64_t> slot_offsets;    // labels + 1: sums of the sizes of the partitions before

  [[nodiscard]] std::size_t labels() const { return slot_offsets.size() - 1; }
  /// Edges of label l, each seen from both ends.
  [[nodiscard]] std::uint64_t slots(Label l) const { return slot_offsets[l + std::size_t{1}] - slot_offsets[l]; }
  [[nodiscard]] std::size_t size(Label l) const {
    return static_cast<std::size_t>(vertex_offsets[l + std::size_t{1}] - vertex_offsets[l]);
  }
};

/// O(slots + labels). Throws Unsupported for a partition of 2^32 slots or more: offsets within one have 32 bits, as
/// those of the document's pairs of 8 bytes.
[[nodiscard]] Partitions partition_by_label(const Graph& graph);

/// The compressed representation (Fig. 11(b)): the vertices with edges of a label, their offsets, and the neighbours.
struct CompressedRows {
  std::vector<std::uint32_t> offsets;  // of partition l: size(l) + 1 from vertex_offsets[l] + l on
  std::vector<Vertex> column_index;    // of partition l from slot_offsets[l] on
};
[[nodiscard]] CompressedRows compressed_rows(const Graph& graph, const Partitions& partitions);

}  // namespace warpbench::matching::gsi
