// Graphs made better for searches (this project's own; the detours are those that CAGRA's authors prune by). A graph
// that was built gives each vertex a list of its nearest vertices. Of u's list those w stay that few detours reach: u →
// v → w is one where v's rank in u's list and w's in v's are below w's in u's. Then each vertex gets edges back from
// vertices that kept it, and vertices that no path reaches get an edge. The same input gives the same graph, as ties go
// by rank and id.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/nearest_neighbors/construction/build.hpp"

namespace warpbench::nearest_neighbors {

struct PrunePlan {
  std::int64_t intermediate_degree = 0;  ///< length of a list; 0: the graph stays as it was built
  std::int64_t graph_degree = 32;        ///< of the graph that comes out, at most intermediate_degree
  bool reverse_edges = true;             ///< the second half of a row goes to edges back first
};

/// Writes each vertex's nearest, the nearest first, as a search of `graph` finds them: `length` ids a vertex,
/// kNone<Vertex> where there are no more. A vertex that finds itself is among them.
using FindLists = std::function<void(const DeviceProximityGraph& graph, int length, View<Vertex> lists)>;

/// Device memory that prune_graph() takes at most, with the graph that goes in, of `degree` edges a vertex, or the one
/// that comes out; 0 where the plan leaves the graph as it was built.
std::int64_t prune_bytes(std::int64_t count, std::int64_t degree, const PrunePlan& plan);

/// Replaces the one layer of `graph`. Enqueues and waits. Phases: build; on the GPU within it build_lists, build_prune
/// and build_connect. O(points × intermediate_degree^2) work besides finding the lists; 4 intermediate_degree +
/// some 40 graph_degree bytes a point. Throws Unsupported where there are 2^32 edges or more.
void prune_graph(DeviceProximityGraph& graph, const FindLists& find_lists, const PrunePlan& plan, Stream& stream,
                 Phases& phases);

}  // namespace warpbench::nearest_neighbors
