// Answers made wrong, one overload a problem: a judge must notice each of them.
#pragma once

#include <cstdint>
#include <limits>

#include "device/integers.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "problems/matrix_factorization/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "problems/sets/pairs.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "problems/theta_join/problem.hpp"

namespace warpbench::testing {

/// Adds 1 to the value in the middle; gives an answer without values one, since none can be changed.
template <typename T>
void spoil_values(std::span<T>& values) {
  static thread_local T one_too_many{};
  if (values.empty()) {
    values = {&one_too_many, 1};
  } else {
    values[values.size() / 2] += 1;
  }
}

/// All overloads return whether the answer was changed.
inline bool spoil(CommonNeighbors::Answer& answer) {
  spoil_values(answer.counts);
  return true;
}

inline bool spoil(pairs::Answer& answer) {
  if (answer.band_digests.empty()) {
    spoil_values(answer.kept);
  } else {
    spoil_values(answer.band_digests);
  }
  return true;
}

/// Both the values of all pairs and the places of some: the task decides which are looked at.
inline bool spoil(SetContainment::Answer& answer) {
  spoil(static_cast<pairs::Answer&>(answer));
  spoil_values(answer.places);
  return true;
}

/// Both the counts of all pairs and the number of one: the task decides which is looked at.
inline bool spoil(SetIntersection::Answer& answer) {
  spoil(answer.counts);
  ++answer.common;
  return true;
}

/// Puts an id that no set of vectors has in the middle place.
inline bool spoil(NearestNeighbors::Answer& answer) {
  constexpr std::uint32_t kNoPoint = kNone<std::uint32_t> - 1;  // kNone itself is only a miss
  spoil_values(answer.neighbors);
  answer.neighbors[answer.neighbors.size() / 2] = kNoPoint;
  return true;
}

/// A factor that is no number: any other might belong to a user without test ratings.
inline bool spoil(MatrixFactorization::Answer& answer) {
  answer.p[answer.p.size() / 2] = std::numeric_limits<float>::quiet_NaN();
  return true;
}

/// Adds 1 to the count of the first query that is solved; false if none is.
inline bool spoil(SubgraphMatching::Answer& answer) {
  for (SubgraphMatching::QueryAnswer& query : answer.queries) {
    if (!query.solved) continue;
    ++query.count;
    return true;
  }
  return false;
}

/// The sum and the digest, and a row in memory or, where there is none, their number: the task decides which counts.
inline bool spoil(ThetaJoin::Answer& answer) {
  ++answer.sum.low;
  ++answer.row_digest;
  if (answer.rows.empty()) {
    ++answer.count;
  } else {
    ++answer.rows[answer.rows.size() / 2].s_a;
  }
  return true;
}

/// The digest, and a pair in memory or, where there is none, their number: the task decides which counts.
inline bool spoil(SetSimilarityJoin::Answer& answer) {
  ++answer.pair_digest;
  if (answer.pairs.empty()) {
    ++answer.count;
  } else {
    ++answer.pairs[answer.pairs.size() / 2].b;
  }
  return true;
}

}  // namespace warpbench::testing
