// Answers overwritten between two solves, one overload a problem: places that the second solve leaves as they are show.
#pragma once

#include <algorithm>
#include <cstdint>

#include "problems/common_neighbors/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/sets/pairs.hpp"
#include "problems/subgraph_matching/problem.hpp"

namespace warpbench::testing {

inline constexpr std::uint32_t kPoison = 0xdeadbeefU;

inline void poison(CommonNeighbors::Answer& answer) {
  std::ranges::fill(answer.counts, kPoison);
}

inline void poison(NearestNeighbors::Answer& answer) {
  std::ranges::fill(answer.neighbors, kPoison);
}

/// Of set_containment too.
inline void poison(pairs::Answer& answer) {
  std::ranges::fill(answer.kept, kPoison);
  std::ranges::fill(answer.band_digests, kPoison);
}

inline void poison(SetIntersection::Answer& answer) {
  poison(answer.counts);
  answer.common = kPoison;
  std::ranges::fill(answer.tokens, kPoison);
}

inline void poison(SubgraphMatching::Answer& answer) {
  for (SubgraphMatching::QueryAnswer& query : answer.queries) {
    query.solved = true;
    query.count = kPoison;
    query.digest = kPoison;
    std::ranges::fill(query.matches, kPoison);
  }
}

}  // namespace warpbench::testing
