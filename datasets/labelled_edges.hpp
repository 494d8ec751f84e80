// Edge lists with labels, as loaders and generators of labelled graphs make them, and the graph of one.
#pragma once

#include <cstdint>
#include <span>

#include "datasets/labelled_graph.hpp"

namespace warpbench::datasets {

/// One line of an edge list, before it is known to be sorted, unique or free of loops.
struct LabelledEdge {
  Vertex source = 0;
  Vertex target = 0;
  std::uint32_t label = 0;
};

/// The undirected graph of labelled edges: self-loops are dropped, the same pair with the same label again is merged
/// (both counted), parallel edges of different labels become one edge of several labels. It has no vertex labels yet:
/// the caller sets them. The same for any order of `edges` and any `threads`. O(edges log max_degree / threads) time,
/// 32 bytes an edge besides the result. Throws InputError when an endpoint is not below `vertices` or `vertices`
/// exceeds 2^32 - 1.
[[nodiscard]] LabelledGraph build_labelled_graph(std::span<const LabelledEdge> edges, std::int64_t vertices,
                                                 int threads = 0, EdgeCounts* counts = nullptr);

}  // namespace warpbench::datasets
