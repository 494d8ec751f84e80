// The filter of fsig (yu2023 §5.3.1): candidates of all query vertices by labels, degrees and neighbour label
// frequencies, then rounds that drop a candidate where some query neighbour has no candidate among its neighbours
// (Algorithm 7).
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/filter/candidate_sets.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "device/arena.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::fsig {

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

/// The same candidates from masks: 16 or 32 bits a data vertex that say of which query vertices it is a candidate. A
/// round reads N(v) once for all of them, and a mask a neighbour; the bitmaps are made at the end. Ours; of what
/// can_filter_by_masks() takes.
[[nodiscard]] Candidates filter_by_masks(const DataGraphView& data, const DeviceQuery& query,
                                         const FilterOptions& options, Arena& arena, const Deadline& deadline,
                                         Stream& stream);
/// At most 32 query vertices, and no edge labels.
[[nodiscard]] bool can_filter_by_masks(const DataGraphView& data, const DeviceQuery& query);

}  // namespace warpbench::matching::fsig
