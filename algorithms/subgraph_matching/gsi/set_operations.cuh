// The set operations of a linking edge (gsi2020 Algorithm 3). To a kernel each is a number of elements, of which some
// are admitted.
//
//   FirstEdge     (N(v, l) \ m_i) ∩ C(u): the elements are N(v, l)'s; subtraction and the test of the candidates'
//                 bitset are one step
//   FurtherEdge   buf_i ∩ N(v, l): the elements are buf_i's
//
// A naive kernel is one operation of one row, an element a lane. It tests by comparing and searching lists in global
// memory: N(v, l) \ m_i; buf_i ∩ C(u), a sorted list; buf_i ∩ N(v, l).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/neighbors.cuh"
#include "algorithms/subgraph_matching/gsi/output.cuh"
#include "algorithms/subgraph_matching/match_table.hpp"
#include "device/bits.cuh"
#include "device/ranges.cuh"

namespace warpbench::matching::gsi {

/// The arguments of a linking edge's kernel, beside the graph.
struct Link {
  MatchTable table;                      // the intermediate table M
  Extent<std::int64_t> rows;             // of the table, those that the launch joins
  int column;                            // of the vertex v whose N(v, l) is asked for
  bool subtract;                         // first edge: m_i from N(v, l); not so for homomorphisms
  View<const std::uint32_t> candidates;  // first edge: C(u) as a bitset, or empty: not tested
  RowBuffers buffers;                    // further edges: buf_i
  JoinOutput output;
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
    if (candidates != nullptr && !test_bit(candidates, x)) return false;
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

/// Element `place` of an operation, if the lane has one and the operation admits it.
template <typename Operation>
__device__ __forceinline__ bool take_element(const Operation& operation, bool inside, std::uint32_t place, Vertex& x) {
  return inside && operation.get(place, x) && operation.admits(x);
}

/// Of row i, by one warp, which is the whole grid.
template <template <typename> typename Operation, typename Neighbors>
__global__ void naive_set_operation_kernel(Neighbors neighbors, Link link, std::int64_t i) {
  if (i == 0) link.output.end_counts(link.table.rows);
  const Vertex* const row = link.table.row(i).data();
  const Operation<typename Neighbors::List> operation(link, neighbors, i, row);
  RowOutput found(link.output, i, row, link.table.width, nullptr);
  for (const auto [place, inside] : warp::rounds(operation.elements())) {
    Vertex x = 0;
    const bool valid = take_element(operation, inside, place, x);
    found.append(valid, x);
  }
  const std::uint32_t count = found.finish();
  if (warp::lane() == 0) link.output.put_count(i, count);
}

}  // namespace warpbench::matching::gsi
