// The data graph in device memory as the edge-by-edge systems read it: a plain CSR with the labels of edges and of
// vertices (gsi2020 §IV, figure 10), which finds N(v, l) by looking at all neighbours of v.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "device/kernel.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::edge_join {

constexpr int kThreads = 256;

/// The thread among all of a launch of blocks of kThreads threads; its warp.
__device__ __forceinline__ std::int64_t thread_of_grid() {
  return std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
}
__device__ __forceinline__ std::int64_t warp_of_grid() {
  return thread_of_grid() / kWarpSize;
}
/// A warp each for `count` elements.
inline Grid grid_of_warps(std::int64_t count) {
  return grid_for(count * kWarpSize, kThreads);
}

/// Places in an array: a vertex's neighbours, a row's extensions.
struct Slots {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The labels of the data vertices.
struct DeviceLabels {
  View<const std::uint64_t> offsets;  // vertices + 1
  View<const Label> labels;

  /// Whether v has all of `wanted`; both ascend (gsi2020 §VII-B).
  __device__ __forceinline__ bool hold(Vertex v, View<const Label> wanted) const {
    auto own = static_cast<std::int64_t>(offsets[v]);
    const auto end = static_cast<std::int64_t>(offsets[std::int64_t{v} + 1]);
    for (std::int64_t i = 0; i < wanted.size(); ++i) {
      while (own < end && labels[own] < wanted[i]) ++own;
      if (own == end || labels[own] != wanted[i]) return false;
    }
    return true;
  }
};

struct DeviceCsr {
  View<const std::uint64_t> offsets;  // vertices + 1
  View<const Vertex> neighbors;
  View<const Label> edge_labels;

  __device__ __forceinline__ Slots row(Vertex v) const {
    return {static_cast<std::int64_t>(offsets[v]), static_cast<std::int64_t>(offsets[std::int64_t{v} + 1])};
  }
};

/// Whether a data vertex may stand for a query vertex by label and degree; matching::fits() on the device.
struct VertexTest {
  DeviceLabels labels;
  View<const Label> wanted;
  View<const std::uint64_t> offsets;  ///< of the graph's rows; not read where any degree will do
  std::int64_t least_degree = 0;

  __device__ __forceinline__ bool operator()(Vertex v) const { return has_degree(v) && labels.hold(v, wanted); }

 private:
  __device__ __forceinline__ bool has_degree(Vertex v) const {
    if (least_degree == 0) return true;
    return static_cast<std::int64_t>(offsets[std::int64_t{v} + 1] - offsets[v]) >= least_degree;
  }
};

/// An array of the host with a pinned copy and a place on the device.
template <typename T>
class Resident {
 public:
  void stage(std::span<const T> values, Stream& stream) {
    host_ = PinnedBuffer<T>(static_cast<std::int64_t>(values.size()));
    std::ranges::copy(values, host_.span().begin());
    device_ = Buffer<T>(host_.size(), stream);
  }
  void upload(Stream& stream) { device_.upload(host_.span(), stream); }
  [[nodiscard]] View<const T> view() const { return device_.view(); }

 private:
  PinnedBuffer<T> host_;
  Buffer<T> device_;
};

struct ResidentLabels {
  Resident<std::uint64_t> offsets;
  Resident<Label> labels;

  void stage(const Graph& graph, Stream& stream) {
    offsets.stage(graph.label_offsets, stream);
    labels.stage(graph.labels, stream);
  }
  void upload(Stream& stream) {
    offsets.upload(stream);
    labels.upload(stream);
  }
  [[nodiscard]] DeviceLabels view() const { return {offsets.view(), labels.view()}; }
};

struct ResidentCsr {
  Resident<std::uint64_t> offsets;
  Resident<Vertex> neighbors;
  Resident<Label> edge_labels;

  void stage(const Graph& graph, Stream& stream) {
    offsets.stage(graph.offsets, stream);
    neighbors.stage(graph.neighbors, stream);
    edge_labels.stage(graph.edge_labels, stream);
  }
  void upload(Stream& stream) {
    offsets.upload(stream);
    neighbors.upload(stream);
    edge_labels.upload(stream);
  }
  [[nodiscard]] DeviceCsr view() const { return {offsets.view(), neighbors.view(), edge_labels.view()}; }
};

/// The labels of a query's vertices on the device.
class QueryLabels {
 public:
  QueryLabels(const Graph& query, Stream& stream) : query_(&query), labels_(std::span(query.labels), stream) {}
  [[nodiscard]] View<const Label> of(Vertex u) const {
    const auto first = static_cast<std::int64_t>(query_->label_offsets[u]);
    return labels_.view().subview(first, static_cast<std::int64_t>(query_->labels_of(u).size()));
  }

 private:
  const Graph* query_;
  Buffer<Label> labels_;
};

}  // namespace warpbench::matching::edge_join
