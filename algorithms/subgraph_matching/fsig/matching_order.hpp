// The matching order of fsig (yu2023 §5.2.3): core, forest, leaves, as in CFL-Match, by the numbers of candidates and
// of edges of the auxiliary structure. For each vertex it has the earlier ones that its extension must look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// The step that matches one query vertex.
struct Level {
  Vertex vertex;
  /// Slots (w, vertex) of the query from vertices w matched before, the fewest edges first (SelectBN of Algorithm 8).
  std::vector<std::size_t> backward;
  /// Columns of earlier vertices that might map to the same data vertex; none where a match need not be injective.
  std::vector<std::uint32_t> colliding;
};

struct MatchingOrder {
  std::vector<Level> levels;          ///< a query vertex each; its column is its place
  std::vector<std::uint32_t> column;  ///< of a query vertex
  /// The number of last levels that have one backward edge each, to an earlier level than these, and cannot collide
  /// with one another: the matches of a row are the product of their counts. 0 where the last level has several
  /// backward edges.
  std::size_t independent_leaves = 0;
};

/// Slots are numbered as the query's rows lie; `edges`: of A, by slot.
struct OrderInput {
  const Graph& query;
  std::span<const std::int64_t> candidates;
  std::span<const std::int64_t> edges;
  bool injective;
  bool single_labels;  ///< each data vertex has one label: query vertices of different labels cannot collide
};
/// O(vertices * slots).
[[nodiscard]] MatchingOrder matching_order(const OrderInput& input);

}  // namespace warpbench::matching::fsig
