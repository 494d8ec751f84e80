// The order of vertices by which each edge is counted at exactly one of its ends. The document tests u < v on ids
// sorted by descending degree; comparing (degree, id) gives the same split on ids in any order, so that counts
// stay aligned with the slots of the graph as it was given.
#pragma once

#include <cstdint>

#include "datasets/graphs/csr.hpp"
#include "device/view.hpp"

namespace warpbench::common_neighbors {

/// Whether u comes before v: higher degree first, ties by lower id. The edge {u,v} is counted at the end that comes
/// first, so that the loop runs over the shorter list.
WARPBENCH_HOST_DEVICE bool comes_before(std::int64_t degree_u, std::uint32_t u, std::int64_t degree_v,
                                        std::uint32_t v) {
  return degree_u > degree_v || (degree_u == degree_v && u < v);
}
inline bool comes_before(const datasets::Csr& graph, datasets::Vertex u, datasets::Vertex v) {
  return comes_before(graph.degree(u), u, graph.degree(v), v);
}

}  // namespace warpbench::common_neighbors
