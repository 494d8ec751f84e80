// New ids for the vertices of a graph; the graph stays the same up to names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/graphs/csr.hpp"
#include "datasets/graphs/labelled_graph.hpp"

namespace warpbench::datasets {

struct Relabelled {
  Csr graph;
  Array<std::uint32_t> old_of_new;  // old_of_new[new id] = old id, one entry per vertex of `graph`
};

struct RelabelledGraph {
  LabelledGraph graph;
  Array<std::uint32_t> old_of_new;
};

/// The subgraph induced by the vertices in `old_of_new`, in that order (each at most once). Rows come
/// out sorted. O(slots log max_degree / threads).
[[nodiscard]] Relabelled relabel(const Csr& graph, std::vector<std::uint32_t> old_of_new, int threads = 0);
[[nodiscard]] RelabelledGraph relabel(const LabelledGraph& graph, std::vector<std::uint32_t> old_of_new,
                                      int threads = 0);

/// Orders for relabel(): old ids in their new order. This one is by descending degree, equal degrees by id (che2019's
/// BMP wants the largest bitmaps first). O(n log n).
[[nodiscard]] std::vector<std::uint32_t> degree_descending_order(const Csr& graph);
/// A seeded random permutation. O(n).
[[nodiscard]] std::vector<std::uint32_t> random_order(std::int64_t vertices, std::uint64_t seed);
/// The vertices of the largest connected component, ascending; among equal ones, of that with the smallest id.
/// O(slots).
[[nodiscard]] std::vector<std::uint32_t> largest_component(const Csr& graph);
/// The vertices with at least one neighbour, ascending. O(n).
[[nodiscard]] std::vector<std::uint32_t> connected_vertices(const Csr& graph);

}  // namespace warpbench::datasets
