// The parameters of a search of queries, as solvers declare them and searches take them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"

namespace warpbench::nearest_neighbors {

/// The solve-parameters of a search; lengths as wanted, not yet rounded.
struct SearchParameters {
  std::string method;  ///< its name
  std::int64_t candidates = 64;
  std::int64_t explore = 64;
  std::int64_t entries = 1;
  std::optional<std::int64_t> visited;  ///< places of its table; nullopt: as many as it needs
  std::int64_t rerank = 0;              ///< of what is found, ordered by exact distances
  bool rerank_as_needed = false;        ///< `rerank` follows from k
  int threads = 32;
  bool profile = false;

  /// Chooses `rerank` for k where that was asked for. Throws Unsupported where lists are too short for k.
  void settle_for(std::int64_t k);
  /// For a graph of that degree and rows of `stride` coordinates.
  [[nodiscard]] SearchShape shape(int degree, int stride) const;
};

}  // namespace warpbench::nearest_neighbors
