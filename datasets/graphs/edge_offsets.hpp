// Row offsets of an adjacency, counted from a list of undirected edges.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {

/// Edges per chunk of a thread.
inline constexpr std::size_t kEdgeGrain = 1 << 16;

/// Returns vertices + 1 offsets of rows that hold both directions of every edge except loops, which are counted in
/// `loops`. EdgeType has `source` and `target`. Throws InputError for an id of `vertices` or above. O(vertices +
/// edges).
template <typename EdgeType>
std::vector<std::uint64_t> edge_offsets(std::span<const EdgeType> edges, std::size_t vertices, int threads,
                                        std::int64_t& loops) {
  std::vector<std::uint64_t> offsets(vertices + 1, 0);
  std::atomic<std::int64_t> total_loops{0};
  for_chunks(edges.size(), kEdgeGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::int64_t chunk_loops = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t u = edges[i].source;
      const std::size_t v = edges[i].target;
      if (u >= vertices || v >= vertices) {
        throw InputError("edge list", 0, "vertex ids below " + std::to_string(vertices),
                         std::to_string(std::max(u, v)) + " in edge " + std::to_string(i));
      }
      if (u == v) {
        ++chunk_loops;
        continue;
      }
      std::atomic_ref(offsets[u + 1]).fetch_add(1, std::memory_order_relaxed);
      std::atomic_ref(offsets[v + 1]).fetch_add(1, std::memory_order_relaxed);
    }
    total_loops.fetch_add(chunk_loops, std::memory_order_relaxed);
  });
  loops = total_loops.load();
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

}  // namespace warpbench::datasets
