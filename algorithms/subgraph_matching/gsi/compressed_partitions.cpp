#include "algorithms/subgraph_matching/gsi/compressed_partitions.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "solvers/solver.hpp"

namespace warpbench::matching::gsi {

CompressedPartitions compressed_partitions(const Graph& graph, const LabelPartitions& partitions) {
  CompressedPartitions rows;
  rows.offsets.resize(partitions.vertices.size() + partitions.labels());
  rows.column_index.resize(graph.neighbors.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t l = 0; l < partitions.labels(); ++l) {
    std::uint32_t position = 0;
    for (std::uint64_t i = partitions.vertex_offsets[l]; i < partitions.vertex_offsets[l + 1]; ++i) {
      rows.offsets[i + l] = position;
      std::copy_n(graph.neighbors.begin() + static_cast<std::ptrdiff_t>(partitions.first_slots[i]), partitions.sizes[i],
                  rows.column_index.begin() + static_cast<std::ptrdiff_t>(partitions.slot_offsets[l] + position));
      position += partitions.sizes[i];
    }
    rows.offsets[partitions.vertex_offsets[l + 1] + l] = position;
  }
  return rows;
}

void refuse_large_partitions(const LabelPartitions& partitions) {
  for (std::size_t l = 0; l < partitions.labels(); ++l) {
    if (partitions.slots(static_cast<Label>(l)) > std::numeric_limits<std::uint32_t>::max()) {
      throw Unsupported("gsi: expected fewer than 2^32 slots of one edge label, found " +
                        std::to_string(partitions.slots(static_cast<Label>(l))) + "; take a smaller graph");
    }
  }
}

}  // namespace warpbench::matching::gsi
