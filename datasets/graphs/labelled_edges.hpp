// Labelled edge lists, made by loaders and generators of labelled graphs, and the graph built from one.
#pragma once

#include <cstdint>
#include <span>

#include "datasets/graphs/labelled_graph.hpp"

namespace warpbench::datasets {

/// One line of an edge list, before duplicates and loops are removed.
struct LabelledEdge {
  Vertex source = 0;
  Vertex target = 0;
  std::uint32_t label = 0;
};

/// Builds the undirected graph of labelled edges. Self-loops are dropped; a repeated pair with the same label is merged
/// (both are counted); parallel edges of different labels become one edge with several labels. The caller sets the
/// vertex labels. The result is the same for any order of `edges` and any `threads`. O(edges log max_degree / threads)
/// time, 32 bytes per edge besides the result. Throws InputError if an endpoint is not below `vertices` or `vertices`
/// exceeds 2^32 - 1.
[[nodiscard]] LabelledGraph build_labelled_graph(std::span<const LabelledEdge> edges, std::int64_t vertices,
                                                 int threads = 0, EdgeCounts* counts = nullptr);

}  // namespace warpbench::datasets
