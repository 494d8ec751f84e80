// The order that makes each edge somebody's work exactly once (systems.md §9, point 21). The document tests u < v on
// ids sorted by descending degree; comparing (degree, id) gives the same split on ids in any order, so that counts
// stay aligned with the slots of the graph as it was given.
#pragma once

#include <cstdint>

#include "device/kernel.hpp"

namespace warpbench::common_neighbors {

/// Whether u comes before v: higher degree first, ties by lower id. The edge {u,v} is counted at the end that comes
/// first, so that the loop runs over the shorter list.
WARPBENCH_HOST_DEVICE bool comes_before(std::uint64_t degree_u, std::uint32_t u, std::uint64_t degree_v,
                                        std::uint32_t v) {
  return degree_u > degree_v || (degree_u == degree_v && u < v);
}

/// The graph as the kernels of one pass see it. `rows` holds all slots; `lists` holds the slots from
/// `first_list_slot` on, of the vertices [first_v, last_v) whose lists this pass may read.
struct PassGraph {
  View<const std::uint64_t> offsets;
  View<const std::uint32_t> rows;
  View<const std::uint32_t> lists;
  std::uint64_t first_list_slot;
  std::uint64_t first_v;
  std::uint64_t last_v;

  WARPBENCH_HOST_DEVICE std::uint64_t begin(std::uint32_t v) const { return offsets[std::int64_t{v}]; }
  WARPBENCH_HOST_DEVICE std::uint64_t end(std::uint32_t v) const { return offsets[std::int64_t{v} + 1]; }
  WARPBENCH_HOST_DEVICE std::uint64_t degree(std::uint32_t v) const { return end(v) - begin(v); }
  WARPBENCH_HOST_DEVICE std::uint32_t row(std::uint64_t slot) const { return rows[static_cast<std::int64_t>(slot)]; }
  /// N(v), v in this pass's range.
  WARPBENCH_HOST_DEVICE View<const std::uint32_t> list(std::uint32_t v) const {
    return lists.subview(static_cast<std::int64_t>(begin(v) - first_list_slot), static_cast<std::int64_t>(degree(v)));
  }
  /// Whether the slot e(u,v) is this pass's work.
  WARPBENCH_HOST_DEVICE bool counts_here(std::uint32_t u, std::uint32_t v) const {
    return v >= first_v && v < last_v && comes_before(degree(u), u, degree(v), v);
  }
};

/// Which slots of u a block has to walk. The document gives each vertex one block; a vertex of degree 10^6 would
/// then keep one block busy long after all others are done, so rows longer than `split` are cut into pieces, a block
/// each (split = 0: never). Light vertices are block i = vertex i; heavy ones are listed.
struct BlockRows {
  View<const std::uint32_t> heavy;  // empty: this launch walks the light vertices
  std::uint64_t split;

  struct Row {
    std::uint32_t u;
    std::uint64_t begin;
    std::uint64_t end;
  };

  /// The row of block (x, y); begin == end where it has nothing to do.
  WARPBENCH_HOST_DEVICE Row row(const PassGraph& graph, unsigned x, unsigned y) const {
    const std::uint32_t u = heavy.empty() ? x : heavy[std::int64_t{x}];
    const std::uint64_t begin = graph.begin(u);
    const std::uint64_t end = graph.end(u);
    if (split == 0) return {u, begin, end};
    if (heavy.empty()) return {u, begin, end - begin > split ? begin : end};
    const std::uint64_t piece = begin + y * split;
    return {u, piece < end ? piece : end, piece + split < end ? piece + split : end};
  }
};

}  // namespace warpbench::common_neighbors
