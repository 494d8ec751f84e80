// The set operations of a linking edge (gsi2020 Algorithm 3), as kernels of either kind see them: so many elements, of
// which some are admitted.
//
//   FirstEdge     (N(v, l) \ m_i) ∩ C(u): the elements are N(v, l)'s; subtraction and the test of the candidates'
//                 bitset are one step
//   FurtherEdge   buf_i ∩ N(v, l): the elements are buf_i's
//
// The naive kernel launches each operation by itself, an element a lane, and tests by comparing and searching lists in
// global memory: N(v, l) \ m_i; buf_i ∩ C(u), a sorted list; buf_i ∩ N(v, l).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/neighbors.cuh"
#include "algorithms/subgraph_matching/gsi/output.cuh"

namespace warpbench::matching::gsi {

/// A linking edge's kernel: what it reads and writes beside the graph.
struct Link {
  Table table;
  int column;                            // of the vertex v whose N(v, l) is asked for
  bool subtract;                         // first edge: m_i from N(v, l); not so for homomorphisms
  View<const std::uint32_t> candidates;  // first edge: C(u) as a bitset, or empty: not tested
  RowBuffers buffers;                    // further edges: buf_i
  Output output;
};

template <typename List>
struct FirstEdge {
  List list;
  const Vertex* row;
  const std::uint32_t* candidates;  // or null
  int width;
  bool subtract;

  FirstEdge() = default;
  template <typename Neighbors>
  __device__ FirstEdge(const Link& link, const Neighbors& neighbors, std::int64_t /*i*/, const Vertex* row_of_i)
      : list(neighbors.locate(row_of_i[link.column])),
        row(row_of_i),
        candidates(link.candidates.data()),
        width(link.table.width),
        subtract(link.subtract) {}

  __device__ std::uint32_t elements() const { return list.elements(); }
  __device__ bool get(std::uint32_t i, Vertex& x) const { return list.get(i, x); }
  __device__ bool admits(Vertex x) const {
    if (candidates != nullptr && ((candidates[x / 32] >> (x % 32)) & 1U) == 0) return false;
    for (int c = 0; subtract && c < width; ++c) {
      if (row[c] == x) return false;
    }
    return true;
  }
};

template <typename List>
struct FurtherEdge {
  List list;
  const Vertex* buffer;
  std::uint32_t size;

  FurtherEdge() = default;
  template <typename Neighbors>
  __device__ FurtherEdge(const Link& link, const Neighbors& neighbors, std::int64_t i, const Vertex* row_of_i)
      : list(), buffer(link.buffers.of(i).data()), size(link.buffers.counts[i]) {
    if (size > 0) list = neighbors.locate(row_of_i[link.column]);
  }

  __device__ std::uint32_t elements() const { return size; }
  __device__ bool get(std::uint32_t i, Vertex& x) const {
    x = buffer[i];
    return true;
  }
  __device__ bool admits(Vertex x) const { return list.contains(x); }
};

/// A warp a row.
template <template <typename> typename Operation, typename Neighbors>
__global__ void naive_set_operation_kernel(Neighbors neighbors, Link link) {
  const std::int64_t warps = std::int64_t{blockDim.x} / kWarpSize;
  if (blockIdx.x == 0 && threadIdx.x == 0) link.output.put_count(link.table.rows, 0);
  for (std::int64_t i = blockIdx.x * warps + warp::rank(); i < link.table.rows; i += gridDim.x * warps) {
    const Vertex* const row = link.table.row(i);
    const Operation<typename Neighbors::List> operation(link, neighbors, i, row);
    RowOutput found(link.output, i, row, link.table.width, nullptr);
    for (std::uint32_t base = 0; base < operation.elements(); base += kWarpSize) {
      const std::uint32_t place = base + static_cast<std::uint32_t>(warp::lane());
      Vertex x = 0;
      const bool valid = place < operation.elements() && operation.get(place, x) && operation.admits(x);
      found.append(valid, x);
    }
    const std::uint32_t count = found.finish();
    if (warp::lane() == 0) link.output.put_count(i, count);
  }
}

}  // namespace warpbench::matching::gsi
