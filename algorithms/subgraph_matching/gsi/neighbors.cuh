// N(v, l) on the device, from four structures (gsi2020 §IV, Table II): CSR, the basic and the compressed
// representation, and PCSR. A kernel sees the partition of one edge label, chosen before it starts (the document has no
// other on the GPU). A structure has a type List and
//
//   List locate(Vertex v)   N(v, l); called by a whole warp with one v, the result in all lanes
//
// and a List has
//
//   elements()              how many places there are to read; 32 bits
//   get(i, x)               sets x to the vertex at place i < elements(); false where it is not of N(v, l)
//   contains(x)             by one thread
//   count_by_warp()         |N(v, l)|, by a whole warp, the result in all lanes
//
// The neighbours ascend.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/pcsr.hpp"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::gsi {

/// N(v, l) as one range. Lists are trivial types, so that shared memory can hold them.
struct NeighborRange {
  const Vertex* vertices;
  std::uint32_t size;

  __device__ std::uint32_t elements() const { return size; }
  __device__ bool get(std::uint32_t i, Vertex& x) const {
    x = vertices[i];
    return true;
  }
  __device__ bool contains(Vertex x) const { return binary_search(vertices, std::int64_t{size}, x); }
  __device__ std::uint32_t count_by_warp() const { return size; }
};

/// All neighbours of v, of which those with an edge of `label` count.
struct LabelledRow {
  const Vertex* vertices;
  const Label* labels;
  std::uint32_t size;
  Label label;

  __device__ std::uint32_t elements() const { return size; }
  __device__ bool get(std::uint32_t i, Vertex& x) const {
    if (labels[i] != label) return false;
    x = vertices[i];
    return true;
  }
  __device__ bool contains(Vertex x) const {
    for (std::uint32_t i = 0; i < size; ++i) {
      if (labels[i] == label && vertices[i] == x) return true;
    }
    return false;
  }
  __device__ std::uint32_t count_by_warp() const {
    std::uint32_t count = 0;
    for (const std::uint32_t i : warp::strided(size)) count += labels[i] == label ? 1 : 0;
    return warp::reduce_sum(count);
  }
};

/// The traditional 3-layer CSR of the whole graph (Fig. 10): every neighbour's label is looked at.
struct CsrNeighbors {
  using List = LabelledRow;
  View<const std::uint64_t> offsets;
  View<const Vertex> neighbors;
  View<const Label> edge_labels;
  Label label;

  __device__ List locate(Vertex v) const {
    const View<const Vertex> row = segment(offsets, neighbors, v);
    return {row.data(), segment(offsets, edge_labels, v).data(), static_cast<std::uint32_t>(row.size()), label};
  }
};

__device__ inline NeighborRange range_of(View<const Vertex> column_index, Extent<std::uint32_t> extent) {
  return {column_index.subview(extent.begin, extent.size()).data(), extent.size()};
}

/// A CSR of the partition whose offsets cover all vertices of the graph (Fig. 11(a)).
struct BasicNeighbors {
  using List = NeighborRange;
  View<const std::uint32_t> offsets;
  View<const Vertex> column_index;

  __device__ List locate(Vertex v) const { return range_of(column_index, segment(offsets, v)); }
};

/// A CSR of the partition's own vertices, which are searched for (Fig. 11(b)).
struct CompressedNeighbors {
  using List = NeighborRange;
  View<const Vertex> vertices;
  View<const std::uint32_t> offsets;
  View<const Vertex> column_index;

  __device__ List locate(Vertex v) const {
    const std::int64_t at = lower_bound(vertices, v);
    if (at == vertices.size() || vertices[at] != v) return {};
    return range_of(column_index, segment(offsets, at));
  }
};

/// PCSR: the warp reads a group at once, a lane a word, and each lane compares its word with v. If none is v, the next
/// group of the chain follows. The document puts the group into shared memory; lanes can exchange words without.
struct PcsrNeighbors {
  using List = NeighborRange;
  View<const std::uint32_t> pairs;
  View<const Vertex> column_index;
  int group_words;  // 2 * GPN <= 32

  __device__ List locate(Vertex v) const {
    const std::int64_t groups = pairs.size() / group_words;
    if (groups == 0) return {};
    const int lane = warp::lane();
    std::uint32_t group = group_of(v, static_cast<std::uint64_t>(groups));
    while (group != kNone<std::uint32_t>) {
      const std::uint32_t word = lane < group_words ? pairs[std::int64_t{group} * group_words + lane] : 0;
      const bool is_vertex = lane % 2 == 0 && lane < group_words - 2 && word == v;
      const unsigned found = __ballot_sync(kFullMask, is_vertex ? 1 : 0);
      const int at = found != 0 ? lowest_bit(found) : 0;
      const std::uint32_t begin = __shfl_sync(kFullMask, word, at + 1);
      const std::uint32_t end = __shfl_sync(kFullMask, word, at + 3);
      if (found != 0) return range_of(column_index, {begin, end});
      group = __shfl_sync(kFullMask, word, group_words - 2);
    }
    return {};
  }
};

/// One list whatever the vertex: the candidate set of a naive intersection.
struct SameList {
  using List = NeighborRange;
  View<const Vertex> vertices;

  __device__ List locate(Vertex /*v*/) const { return {vertices.data(), static_cast<std::uint32_t>(vertices.size())}; }
};

}  // namespace warpbench::matching::gsi
