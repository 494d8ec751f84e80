// The digest of matches that lie in a MatchTable, for add_digests() (device/digest.cuh) and for kernels of one's own.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/match_table.hpp"
#include "device/digest.cuh"
#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching {

/// The sum of the digest parts of a row's vertices. columns[c]: the query vertex of column c.
__device__ __forceinline__ std::uint64_t digest_parts(View<const Vertex> row, View<const Vertex> columns) {
  std::uint64_t parts = 0;
  for (std::int64_t c = 0; c < row.size(); ++c) parts += digest_part(columns[c], row[c]);
  return parts;
}

/// Row i of a table of whole matches.
struct DigestOfMatch {
  MatchTable table;
  View<const Vertex> columns;

  __device__ __forceinline__ std::uint64_t operator()(std::int64_t i) const {
    return digest_of_match(digest_parts(table.row(i), columns));
  }
};

}  // namespace warpbench::matching
