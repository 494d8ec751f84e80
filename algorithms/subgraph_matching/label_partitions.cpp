#include "algorithms/subgraph_matching/label_partitions.hpp"

#include <numeric>

namespace warpbench::matching {
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

}  // namespace

LabelPartitions partition_by_label(const Graph& graph) {
  const auto labels = static_cast<std::size_t>(graph.edge_label_count);
  LabelPartitions partitions;
  partitions.vertex_offsets.assign(labels + 1, 0);
  partitions.slot_offsets.assign(labels + 1, 0);
  for_each_run(graph, [&](Vertex, Label label, std::uint64_t, std::uint64_t size) {
    ++partitions.vertex_offsets[label + std::size_t{1}];
    partitions.slot_offsets[label + std::size_t{1}] += size;
  });
  std::partial_sum(partitions.vertex_offsets.begin(), partitions.vertex_offsets.end(),
                   partitions.vertex_offsets.begin());
  std::partial_sum(partitions.slot_offsets.begin(), partitions.slot_offsets.end(), partitions.slot_offsets.begin());
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

}  // namespace warpbench::matching
