// The data graph in device memory as the edge-by-edge systems read it: a plain CSR with the labels of edges and of
// vertices (gsi2020 §IV, figure 10), which finds N(v, l) by looking at all neighbours of v.
#pragma once

#include <cstdint>
#include <span>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/resident.hpp"
#include "device/segments.cuh"
#include "device/warp.cuh"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::edge_join {

/// One block size for all kernels of these systems: gsi2020 names none.
struct EdgeJoinTuning {
  static constexpr int kThreads = 256;
};
inline constexpr int kThreads = EdgeJoinTuning::kThreads;

/// Places in an array: a vertex's neighbours, a row's extensions.
using SlotRange = Extent<std::int64_t>;

/// Whether a slot passes the test. A whole warp; the result in all lanes.
template <typename Test>
__device__ __forceinline__ bool any_slot(SlotRange slots, const Test& test) {
  for (const auto [slot, inside] : warp::rounds(slots)) {
    const bool passes = inside && test(slot);
    if (__any_sync(kFullMask, passes ? 1 : 0) != 0) return true;
  }
  return false;
}

/// The number of slots that pass the test. A whole warp; the result in all lanes.
template <typename Test>
__device__ __forceinline__ std::int64_t count_slots(SlotRange slots, const Test& test) {
  std::int64_t count = 0;
  for (const std::int64_t slot : warp::strided(slots)) count += test(slot) ? 1 : 0;
  return warp::reduce_sum(count);
}

/// Calls write(place, slot) for the slots that pass the test, places from `first` on in the order of slots. A whole
/// warp.
template <typename Test, typename Write>
__device__ __forceinline__ void compact_slots(SlotRange slots, std::int64_t first, const Test& test,
                                              const Write& write) {
  for (const auto [slot, inside] : warp::rounds(slots)) {
    const bool passes = inside && test(slot);
    const warp::Slot place = warp::compact(passes);
    if (passes) write(first + place.index, slot);
    first += place.count;
  }
}

/// The labels of the data vertices.
struct DeviceLabels {
  View<const std::uint64_t> offsets;  // vertices + 1
  View<const Label> labels;

  /// Whether v has all of `wanted`; both ascend (gsi2020 §VII-B).
  __device__ __forceinline__ bool hold(Vertex v, View<const Label> wanted) const {
    auto [own, end] = segment(offsets, v);
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

  __device__ __forceinline__ SlotRange row(Vertex v) const { return segment(offsets, v); }
};

/// Whether a data vertex may stand for a query vertex by label and degree; matching::fits() on the device.
struct VertexTest {
  DeviceLabels labels;
  View<const Label> wanted;
  View<const std::uint64_t> offsets;  ///< of the graph's rows; not read where any degree will do
  std::int64_t min_degree = 0;

  __device__ __forceinline__ bool operator()(Vertex v) const { return has_degree(v) && labels.hold(v, wanted); }

 private:
  __device__ __forceinline__ bool has_degree(Vertex v) const {
    return min_degree == 0 || segment(offsets, v).size() >= min_degree;
  }
};

struct ResidentLabels {
  Resident<std::uint64_t> offsets;
  Resident<Label> labels;

  void pin(const Graph& graph) {
    offsets.pin(graph.label_offsets);
    labels.pin(graph.labels);
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

  void pin(const Graph& graph) {
    offsets.pin(graph.offsets);
    neighbors.pin(graph.neighbors);
    edge_labels.pin(graph.edge_labels);
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
