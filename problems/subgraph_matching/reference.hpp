// The reference of subgraph matching: plain backtracking, and the check of a single match.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

struct Counted {
  std::uint64_t count = 0;
  std::uint64_t digest = 0;  ///< digest_of_match() summed over the matches; 0 unless asked for
};

/// All matches of `query`, vertex after vertex along its edges from the one with the fewest fitting data vertices, in
/// parallel over that one's images. Prunes by label and degree alone. Goes on until `enough` are found: what is found
/// is all where it is fewer, and at least so many otherwise. Throws std::overflow_error.
[[nodiscard]] Counted backtrack(const Graph& query, const Graph& data, bool injective, bool with_digest,
                                std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());

/// The first fault of `match`, the data vertices of query vertices 0, 1, …; "" where it is a match.
[[nodiscard]] std::string fault_of(const Graph& query, const Graph& data, bool injective,
                                   std::span<const Vertex> match);

}  // namespace warpbench::matching
