// The path-based matching order of CFL-Match: core, then forest.
#pragma once

#include <vector>

#include "baselines/subgraph_matching/cfl/candidates.hpp"

namespace warpbench::matching::cfl {

/// All query vertices but the leaves, each after its parent; the root first. The first path of the core's tree is the
/// one of fewest embeddings in the index by non-tree edges at it; each next one that which multiplies the partial
/// matches least: the embeddings of what it adds by the candidates of the vertex where it joins.
[[nodiscard]] std::vector<Vertex> matching_order(const IndexedQuery& query, const CompactPathIndex& index);

}  // namespace warpbench::matching::cfl
