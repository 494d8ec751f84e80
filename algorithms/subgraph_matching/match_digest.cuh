// The digest of matches that lie in a MatchTable, for add_digests() (device/digest.cuh) and for kernels of one's own.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/match_table.hpp"
#include "device/digest.cuh"
#include "problems/subgraph_matching/counting.hpp"
#include "solvers/subgraph_matching/slices.hpp"

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

/// Adds the digests of rows that are whole matches to digest[0]. False once `deadline` has passed.
[[nodiscard]] inline bool add_digests_of(const MatchTable& table, View<const Vertex> columns, View<DigestWord> digest,
                                         const Deadline& deadline, Stream& stream) {
  constexpr SliceSizes kRows{std::int64_t{1} << 24, std::int64_t{1} << 27};
  return in_slices(table.rows, kRows, deadline, stream, [&](std::int64_t first, std::int64_t last) {
    add_digests(last - first, DigestOfMatch{table.part(first, last), columns}, digest, stream);
  });
}

}  // namespace warpbench::matching
