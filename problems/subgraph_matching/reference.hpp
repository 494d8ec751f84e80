// The reference of subgraph matching: backtracking with forward checking, and the check of a single match. It reads the
// arrays of the graphs itself and shares no test and no look-up with any solver.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

struct Counted {
  std::uint64_t count = 0;
  std::uint64_t digest = 0;  ///< digest_of_match() summed over the matches; 0 unless asked for
};

struct SearchLimits {
  std::uint64_t enough = std::numeric_limits<std::uint64_t>::max();  ///< matches after which the search may end
  double seconds = std::numeric_limits<double>::infinity();
};

/// All matches of `query`, or at least `limits.enough` of them. A data vertex is a candidate of a query vertex by its
/// labels, by those around it, and if it has a candidate of each neighbour beside it. The search extends partial
/// matches by the vertex with the fewest candidates left, and turns back as soon as one has none; it runs in parallel
/// over the candidates of the first. Memory: 4 bytes a vertex of the graph for each of the query, and 16 bytes a slot.
/// Returns nothing where the time is up. Throws std::overflow_error.
[[nodiscard]] std::optional<Counted> backtrack(const Graph& query, const Graph& data, bool injective, bool with_digest,
                                               const SearchLimits& limits = {});

/// The first fault of `match`, the data vertices of query vertices 0, 1, …; "" where it is a match. O(degree) for each
/// query edge.
[[nodiscard]] std::string fault_of(const Graph& query, const Graph& data, bool injective,
                                   std::span<const Vertex> match);

}  // namespace warpbench::matching
