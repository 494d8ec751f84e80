#include "algorithms/subgraph_matching/gsi/neighbor_store.hpp"

#include <limits>
#include <span>

#include "algorithms/subgraph_matching/keep_on_device.hpp"
#include "device/device.hpp"

namespace warpbench::matching::gsi {
namespace {

constexpr int kThreads = 256;

/// offsets[l * (vertices + 1) + v]: where N(v, l) begins in the partition of l, from the compressed representation.
__global__ void __launch_bounds__(kThreads)
    basic_offsets_kernel(CompressedNeighbors partition, View<std::uint32_t> offsets) {
  const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t v = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; v < offsets.size(); v += stride) {
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
  if (structure_ == Structure::basic) refuse_large_basic(graph);
  if (structure_ == Structure::basic || structure_ == Structure::compressed) {
    compressed_ = compressed_rows(graph, partitions_);
  }
  if (structure_ == Structure::pcsr) pcsr_ = build_pcsr(graph, partitions_, gpn);
}

void NeighborStore::upload(Stream& stream) {
  switch (structure_) {
    case Structure::csr:
      keep_on_device(csr_offsets_, graph_->offsets, stream);
      keep_on_device(edge_labels_, graph_->edge_labels, stream);
      keep_on_device(column_index_, graph_->neighbors, stream);
      break;
    case Structure::basic:
      upload_basic(stream);
      break;
    case Structure::compressed:
      keep_on_device(vertices_, partitions_.vertices, stream);
      keep_on_device(offsets_, compressed_.offsets, stream);
      keep_on_device(column_index_, compressed_.column_index, stream);
      break;
    case Structure::pcsr:
      keep_on_device(pairs_, pcsr_.pairs, stream);
      keep_on_device(column_index_, pcsr_.column_index, stream);
      break;
  }
}

/// The offsets over all vertices are made on the device, from the compressed representation.
void NeighborStore::upload_basic(Stream& stream) {
  const std::int64_t each = graph_->vertices() + 1;
  const std::int64_t offsets_size = each * graph_->edge_label_count;
  if (offsets_.size() != offsets_size) offsets_ = Buffer<std::uint32_t>(offsets_size, stream);
  keep_on_device(column_index_, compressed_.column_index, stream);
  const Buffer<Vertex> vertices(std::span<const Vertex>(partitions_.vertices), stream);
  const Buffer<std::uint32_t> offsets(std::span<const std::uint32_t>(compressed_.offsets), stream);
  for (std::int64_t l = 0; l < graph_->edge_label_count; ++l) {
    const auto label = static_cast<Label>(l);
    const CompressedNeighbors partition{vertices.view().subview(first(label), size(label)),
                                        offsets.view().subview(first(label) + label, size(label) + 1), columns(label)};
    launch(basic_offsets_kernel, grid_for(each, kThreads), stream, partition, offsets_.view().subview(l * each, each));
  }
}

std::vector<std::uint64_t> NeighborStore::frequencies() const {
  std::vector<std::uint64_t> frequencies(partitions_.labels());
  for (std::size_t l = 0; l < frequencies.size(); ++l) frequencies[l] = partitions_.slots(static_cast<Label>(l)) / 2;
  return frequencies;
}

}  // namespace warpbench::matching::gsi
