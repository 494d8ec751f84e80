// The filter of fsig (yu2023 §5.3.1): candidates of all query vertices by labels, degrees and neighbour label
// frequencies, then rounds that drop a candidate where some query neighbour has no candidate among its neighbours
// (Algorithm 7).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "device/arena.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::fsig {

/// 32 vertices of a bitmap, and how many members of the set come before them.
struct alignas(8) RankWord {
  std::uint32_t before;
  std::uint32_t bits;
};

/// C(u) of all query vertices: as bitmaps with ranks, and as arrays.
struct Candidates {
  View<RankWord> words;        ///< of query vertex u from u * words_per_set on
  View<Vertex> vertices;       ///< C'(u), ascending, one set after the other
  View<std::int64_t> offsets;  ///< of the sets in `vertices`: query vertices + 1
  std::int64_t words_per_set;
  std::int64_t query_vertices;
};

struct FilterOptions {
  std::int64_t rounds;          ///< t of Algorithm 6; 0: neighbour label frequencies alone
  bool confirm;                 ///< count the labels around each candidate, as the counters do not decide
  std::int64_t max_candidates;  ///< of all query vertices together
};

/// Candidates that kernels which give each a warp take at a time.
inline constexpr SliceSizes kCandidateSlices{std::int64_t{1} << 21, std::int64_t{1} << 24};

/// Enqueues everything, and waits in between where that takes long; the candidates lie in `arena`. Throws
/// OutOfDeviceMemory; GaveUp once `deadline` has passed.
[[nodiscard]] Candidates filter(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options,
                                Arena& arena, const Deadline& deadline, Stream& stream);

}  // namespace warpbench::matching::fsig
