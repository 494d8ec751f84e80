// Builds a simple graph with a given number of edges from random draws of edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/graphs/csr.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {

/// A table with a random id for every rank. Each edge needs two ids, and a look-up costs a tenth of a call of
/// Permutation.
[[nodiscard]] inline std::vector<Vertex> shuffled_ids(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                                      int threads) {
  std::vector<Vertex> ids(count);
  const Permutation permutation(count, seed, stream);
  for_chunks(count, 1 << 14, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) ids[i] = static_cast<Vertex>(permutation(i));
  });
  return ids;
}

/// The graph of `edges` plus enough draws to reach about `target` distinct edges. Draws that repeat an edge or make a
/// loop are replaced by further draws, in at most three rounds, until less than 0.5 % is missing. draw(i) must be a
/// function of i alone.
template <typename Draw>
Csr build_with_draws(std::vector<Edge> edges, std::int64_t target, std::int64_t vertices, int threads, Draw&& draw) {
  constexpr int kRounds = 3;
  std::uint64_t drawn = 0;
  std::uint64_t missing =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, target - static_cast<std::int64_t>(edges.size())));
  for (int round = 1;; ++round) {
    const std::size_t first = edges.size();
    edges.resize(first + missing);
    for_chunks(missing, 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) edges[first + i] = draw(drawn + i);
    });
    drawn += missing;
    Csr graph = build_csr(edges, vertices, threads);
    const std::int64_t deficit = target - graph.edges();
    if (round == kRounds || deficit * 200 <= target) return graph;
    missing = static_cast<std::uint64_t>(deficit);
  }
}

}  // namespace warpbench::datasets
