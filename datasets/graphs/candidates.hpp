// How much filters by labels and neighbours leave of a data graph: what gsi2020 Table IV prints of its workload.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/graphs/graph_queries.hpp"

namespace warpbench::datasets {

/// For each vertex of `queries`, the number of data vertices that a filter keeps: those that have its labels, and …
struct CandidateCounts {
  /// … at least its degree, parallel edges counted by themselves: GunrockSM's filter.
  std::vector<std::int64_t> by_degree;
  /// … its neighbourhood: GSI's filter (gsi2020 §III-A, §VIII-B, N = 512, K = 32). For each pair of an edge's label and
  /// its other end's label they have as many such edges as the query vertex, where more than two count as two. Pairs
  /// share 240 groups by their hash, as in the signature, so a vertex of high degree passes more often than by its
  /// labels alone.
  std::vector<std::int64_t> by_signature;
};

/// A plain count, which shares no code with any solver. O(slots + data vertices * query vertices of their label, at
/// worst) / threads.
[[nodiscard]] CandidateCounts count_candidates(const GraphQueries& graphs, int threads = 0);

/// The mean over the queries of the smallest count of their vertices; `counts` has one for each vertex of `queries`.
/// There must be at least one query.
[[nodiscard]] double mean_of_smallest(const GraphQueries& graphs, const std::vector<std::int64_t>& counts);

}  // namespace warpbench::datasets
