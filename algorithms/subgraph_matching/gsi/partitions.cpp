#include "algorithms/subgraph_matching/gsi/partitions.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "solvers/solver.hpp"

namespace warpbench::matching::gsi {
namespace {

/// Calls body(v, label, first slot, size) for each N(v, l) that is not empty, by ascending v.
template <typename Body>
void for_each_run(const Graph& graph, Body body) {
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    const std::uint64_t end = graph.offsets[std::size_t{v} + 1];
    for (std::uint64_t first = graph.offsets[v]; first < end;) {
      const Label label = graph.edge_labels[first];
      std::uint64_t last = first + 1;
      while (last < end && graph.edge_labels[last] == label) ++last;
      body(v, label, first, last - first);
      first = last;
    }
  }
}

void refuse_large(const Partitions& partitions) {
  for (std::size_t l = 0; l < partitions.labels(); ++l) {
    if (partitions.slots(static_cast<Label>(l)) > std::numeric_limits<std::uint32_t>::max()) {
      throw Unsupported("gsi: expected fewer than 2^32 slots of one edge label, found " +
                        std::to_string(partitions.slots(static_cast<Label>(l))) + "; take a smaller graph");
    }
  }
}

}  // namespace

Partitions partition_by_label(const Graph& graph) {
  const auto labels = static_cast<std::size_t>(graph.edge_label_count);
  Partitions partitions;
  partitions.vertex_offsets.assign(labels + 1, 0);
  partitions.slot_offsets.assign(labels + 1, 0);
  for_each_run(graph, [&](Vertex, Label label, std::uint64_t, std::uint64_t size) {
    ++partitions.vertex_offsets[label + std::size_t{1}];
    partitions.slot_offsets[label + std::size_t{1}] += size;
  });
  std::partial_sum(partitions.vertex_offsets.begin(), partitions.vertex_offsets.end(),
                   partitions.vertex_offsets.begin());
  std::partial_sum(partitions.slot_offsets.begin(), partitions.slot_offsets.end(), partitions.slot_offsets.begin());
  refuse_large(partitions);
  const std::uint64_t runs = partitions.vertex_offsets.back();
  partitions.vertices.resize(runs);
  partitions.first_slots.resize(runs);
  partitions.sizes.resize(runs);
  std::vector<std::uint64_t> next = partitions.vertex_offsets;
  for_each_run(graph, [&](Vertex v, Label label, std::uint64_t first, std::uint64_t size) {
    const std::uint64_t at = next[label]++;
    partitions.vertices[at] = v;
    partitions.first_slots[at] = first;
    partitions.sizes[at] = static_cast<std::uint32_t>(size);
  });
  return partitions;
}

CompressedRows compressed_rows(const Graph& graph, const Partitions& partitions) {
  CompressedRows rows;
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

}  // namespace warpbench::matching::gsi
