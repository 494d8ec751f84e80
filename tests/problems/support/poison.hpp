// Answers overwritten between two solves: places that the second solve leaves as they are show. One overload a problem;
// memory_of() gives the values of an answer as they lie in memory, on a device too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/common_neighbors/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/sets/pairs.hpp"
#include "problems/subgraph_matching/problem.hpp"

namespace warpbench::testing {

inline constexpr std::uint32_t kPoison = 0xdeadbeefU;

using Memory = std::vector<std::span<const std::byte>>;

inline void poison(CommonNeighbors::Answer& answer) {
  std::ranges::fill(answer.counts, kPoison);
}
inline Memory memory_of(const CommonNeighbors::Answer& answer) {
  return {std::as_bytes(answer.counts)};
}

inline void poison(NearestNeighbors::Answer& answer) {
  std::ranges::fill(answer.neighbors, kPoison);
}
inline Memory memory_of(const NearestNeighbors::Answer& answer) {
  return {std::as_bytes(answer.neighbors)};
}

/// Of set_containment too.
inline void poison(pairs::Answer& answer) {
  std::ranges::fill(answer.kept, kPoison);
  std::ranges::fill(answer.band_digests, kPoison);
}
inline Memory memory_of(const pairs::Answer& answer) {
  return {std::as_bytes(answer.kept)};
}

inline void poison(SetIntersection::Answer& answer) {
  poison(answer.counts);
  answer.common = kPoison;
  std::ranges::fill(answer.tokens, kPoison);
}
inline Memory memory_of(const SetIntersection::Answer& answer) {
  return {std::as_bytes(answer.counts.kept), std::as_bytes(answer.tokens)};
}

inline void poison(SubgraphMatching::Answer& answer) {
  for (SubgraphMatching::QueryAnswer& query : answer.queries) {
    query.solved = true;
    query.count = kPoison;
    query.digest = kPoison;
    std::ranges::fill(query.matches, kPoison);
  }
}
inline Memory memory_of(const SubgraphMatching::Answer& answer) {
  Memory memory;
  for (const SubgraphMatching::QueryAnswer& query : answer.queries) {
    memory.push_back(std::as_bytes(std::span(query.matches)));
  }
  return memory;
}

}  // namespace warpbench::testing
