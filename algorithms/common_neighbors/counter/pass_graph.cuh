// The graph as the kernels of one pass see it, and how its rows are spread over blocks.
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "device/kernel.hpp"
#include "device/launch.hpp"
#include "device/segments.cuh"

namespace warpbench::common_neighbors {

/// `rows` holds all slots; `lists` holds those of the vertices of `targets` alone, whose lists this pass may read.
struct PassGraph {
  View<const std::uint64_t> offsets;
  View<const std::uint32_t> rows;
  View<const std::uint32_t> lists;
  std::int64_t first_list_slot;
  Extent<std::int64_t> targets;

  WARPBENCH_HOST_DEVICE Extent<std::int64_t> slots(std::uint32_t v) const { return segment(offsets, v); }
  WARPBENCH_HOST_DEVICE std::int64_t degree(std::uint32_t v) const { return slots(v).size(); }
  /// N(v), of any vertex.
  WARPBENCH_HOST_DEVICE View<const std::uint32_t> row(std::uint32_t v) const { return segment(offsets, rows, v); }
  /// N(v) of a target.
  WARPBENCH_HOST_DEVICE View<const std::uint32_t> list(std::uint32_t v) const {
    return lists.subview(slots(v).begin - first_list_slot, degree(v));
  }
  /// Whether the slot e(u,v) is this pass's work.
  WARPBENCH_HOST_DEVICE bool counts_here(std::uint32_t u, std::uint32_t v) const {
    return v >= targets.begin && v < targets.end && comes_before(degree(u), u, degree(v), v);
  }
};

/// Some slots of u's row: the work of a block.
struct SlotPiece {
  std::uint32_t u;
  Extent<std::int64_t> slots;
};

/// The piece of a row that a block works on. The document gives each vertex a block, and a vertex of degree 10^6 keeps
/// its block busy long after all others are done. Rows longer than `split` are therefore cut into pieces with a block
/// each; split = 0 cuts none. A short row is that of vertex blockIdx.x; long rows are listed.
struct RowCut {
  View<const std::uint32_t> long_rows;  ///< empty: this launch walks the short rows
  std::int64_t split;

  /// Of this block; empty where it has nothing to do.
  __device__ SlotPiece piece_of_block(const PassGraph& graph) const {
    const std::uint32_t u = long_rows.empty() ? static_cast<std::uint32_t>(block::index()) : long_rows[block::index()];
    const auto [begin, end] = graph.slots(u);
    if (split == 0) return {u, {begin, end}};
    if (long_rows.empty()) return {u, {begin, end - begin > split ? begin : end}};
    const std::int64_t piece = begin + block::index<Axis::y>() * split;
    return {u, {piece < end ? piece : end, piece + split < end ? piece + split : end}};
  }
};

/// The launches that cover all rows: one over the short rows, one over the pieces of the long ones.
struct RowLaunches {
  View<const std::uint32_t> long_rows;
  std::int64_t split;
  std::int64_t vertices;
  std::int64_t max_pieces;  ///< of a long row

  /// Calls body(cut, blocks) once or twice.
  template <typename Body>
  void for_each(const Body& body) const {
    body(RowCut{{}, split}, Dim3{vertices});
    if (!long_rows.empty()) body(RowCut{long_rows, split}, Dim3{long_rows.size(), max_pieces});
  }
};

}  // namespace warpbench::common_neighbors
