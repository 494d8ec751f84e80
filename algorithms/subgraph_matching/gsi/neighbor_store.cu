#include "algorithms/subgraph_matching/gsi/neighbor_store.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/subgraph_matching/gsi/compressed_partitions.hpp"
#include "algorithms/subgraph_matching/gsi/pcsr.hpp"
#include "device/device.hpp"
#include "device/ranges.cuh"

namespace warpbench::matching::gsi {
namespace {

struct BasicOffsetsTuning {
  static constexpr int kThreads = 256;
};
constexpr int kThreads = BasicOffsetsTuning::kThreads;

/// offsets[v]: where N(v, l) begins in the partition of l, from the compressed representation.
__global__ void __launch_bounds__(kThreads)
    basic_offsets_kernel(CompressedNeighbors partition, View<std::uint32_t> offsets) {
  for (const std::int64_t v : grid::strided<kThreads>(offsets.size())) {
    // The last, one beyond the vertices, is beyond every vertex of the partition too.
    offsets[v] = partition.offsets[lower_bound(partition.vertices, static_cast<Vertex>(v))];
  }
}

/// Throws OutOfDeviceMemory where the offsets alone exceed what the device has free.
void refuse_large_basic(const Graph& graph) {
  const std::int64_t each = (graph.vertices() + 1) * static_cast<std::int64_t>(sizeof(std::uint32_t));
  const std::int64_t free = free_memory();
  if (graph.edge_label_count <= free / each) return;
  const bool countable = graph.edge_label_count <= std::numeric_limits<std::int64_t>::max() / each;
  throw OutOfDeviceMemory(countable ? each * graph.edge_label_count : std::numeric_limits<std::int64_t>::max(), free);
}

}  // namespace

NeighborStore::NeighborStore(const Graph& graph, Structure structure, int gpn)
    : graph_(&graph), structure_(structure), group_words_(2 * gpn), partitions_(partition_by_label(graph)) {
  refuse_large_partitions(partitions_);
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    longest_row_ = std::max(longest_row_, graph.degree(static_cast<Vertex>(v)));
  }
  switch (structure_) {
    case Structure::csr:
      csr_offsets_.pin(graph.offsets);
      edge_labels_.pin(graph.edge_labels);
      column_index_.pin(graph.neighbors);
      break;
    case Structure::basic:
      refuse_large_basic(graph);
      pin_compressed();
      break;
    case Structure::compressed:
      pin_compressed();
      break;
    case Structure::pcsr:
      pin_pcsr(gpn);
      break;
  }
}

void NeighborStore::pin_compressed() {
  const CompressedPartitions compressed = compressed_partitions(*graph_, partitions_);
  vertices_.pin(partitions_.vertices);
  offsets_.pin(compressed.offsets);
  column_index_.pin(compressed.column_index);
}

void NeighborStore::pin_pcsr(int gpn) {
  const Pcsr pcsr = build_pcsr(*graph_, partitions_, gpn);
  longest_conflict_ = pcsr.longest_conflict;
  overflows_ = pcsr.overflows;
  pairs_.pin(pcsr.pairs);
  column_index_.pin(pcsr.column_index);
}

void NeighborStore::upload(Stream& stream) {
  csr_offsets_.upload(stream);
  edge_labels_.upload(stream);
  column_index_.upload(stream);
  if (structure_ == Structure::basic) {
    make_basic_offsets(stream);
    return;
  }
  vertices_.upload(stream);
  offsets_.upload(stream);
  pairs_.upload(stream);
}

/// The offsets over all vertices, from the compressed representation, which is on the device only meanwhile.
void NeighborStore::make_basic_offsets(Stream& stream) {
  const std::int64_t each = graph_->vertices() + 1;
  const std::int64_t size = each * graph_->edge_label_count;
  if (basic_offsets_.size() != size) basic_offsets_ = Buffer<std::uint32_t>(size, stream);
  vertices_.upload(stream);
  offsets_.upload(stream);
  for (std::int64_t l = 0; l < graph_->edge_label_count; ++l) {
    launch(basic_offsets_kernel, grid_for(each, kThreads), stream, compressed(static_cast<Label>(l)),
           basic_offsets_.view().subview(l * each, each));
  }
  vertices_.release();
  offsets_.release();
}

std::vector<std::uint64_t> NeighborStore::frequencies() const {
  std::vector<std::uint64_t> frequencies(partitions_.labels());
  for (std::size_t l = 0; l < frequencies.size(); ++l) frequencies[l] = partitions_.slots(static_cast<Label>(l)) / 2;
  return frequencies;
}

}  // namespace warpbench::matching::gsi
