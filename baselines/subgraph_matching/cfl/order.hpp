// The path-based matching order of CFL-Match: core, then forest.
#pragma once

#include <vector>

#include "baselines/subgraph_matching/cfl/candidates.hpp"

namespace warpbench::matching::cfl {

/// All query vertices but the leaves, each after its parent; the root first. The first path of the core's tree has the
/// fewest embeddings in the index for each non-tree edge at it. Each next path multiplies the partial matches least: by
/// the embeddings of what it adds, divided by the candidates of the vertex where it joins.
[[nodiscard]] std::vector<Vertex> matching_order(const IndexedQuery& query, const CompactPathIndex& index);

}  // namespace warpbench::matching::cfl
