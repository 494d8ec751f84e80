// The compressed representation of a graph by edge label (gsi2020 §IV, Fig. 11(b)): for each label the vertices with
// edges of it, their offsets, and the neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/label_partitions.hpp"

namespace warpbench::matching::gsi {

struct CompressedPartitions {
  std::vector<std::uint32_t> offsets;  // of partition l: size(l) + 1 from vertex_offsets[l] + l on
  std::vector<Vertex> column_index;    // of partition l from slot_offsets[l] on
};
[[nodiscard]] CompressedPartitions compressed_partitions(const Graph& graph, const LabelPartitions& partitions);

/// Throws Unsupported for a partition of 2^32 slots or more: offsets within one have 32 bits, as those of the
/// document's pairs of 8 bytes.
void refuse_large_partitions(const LabelPartitions& partitions);

}  // namespace warpbench::matching::gsi
