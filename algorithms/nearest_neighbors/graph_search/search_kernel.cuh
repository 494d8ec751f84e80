// The kernel that answers queries with any of the searches: a row of threads (threadIdx.x) a query.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// Queries as they are given, `dimension` coordinates each, and where their answers go.
struct QueryBatch {
  View<const float> queries;
  View<std::uint32_t> answers;         ///< k a query
  View<const std::uint32_t> point_of;  ///< vertex → point; empty: the same
  View<std::uint32_t> next;            ///< one counter, 0 at the start: rows of threads take queries from it
  View<WorkTotals> totals;             ///< add_work()
  float scale;                         ///< of the points' coordinates
  int dimension;
  int k;
};

template <typename Search>
__global__ void __launch_bounds__(128) search_kernel(Points<typename Search::Coordinate> points, GraphView graph,
                                                     QueryBatch batch, SearchShape shape, std::uint32_t search_bytes) {
  using Team = typename Search::Team;
  Search search(shape, dynamic_shared<unsigned char>() + threadIdx.y * search_bytes);
  const auto count = static_cast<std::uint32_t>(batch.queries.size() / batch.dimension);
  const std::uint64_t begin_ticks = shape.profile ? clock_ticks() : 0;
  SearchWork work;
  while (true) {
    std::uint32_t q = 0;
    if (lane() == 0) q = atomicAdd(&batch.next[0], 1U);
    q = Team::first(q);
    if (q >= count) break;
    const std::int64_t first = std::int64_t{q} * batch.dimension;
    for (int i = lane(); i < shape.stride; i += Team::kSize) {
      store(search.query()[i], i < batch.dimension ? batch.queries[first + i] * batch.scale : 0.0F);
    }
    Team::sync();
    search.run(graph, points, work);
    for (int i = lane(); i < batch.k; i += Team::kSize) {
      const std::uint64_t key = search.found()[i];
      std::uint32_t answer = 0xffffffffU;
      if (key != kNoKey)
        answer = batch.point_of.empty() ? vertex_of(key) : batch.point_of[std::int64_t{vertex_of(key)}];
      batch.answers[std::int64_t{q} * batch.k + i] = answer;
    }
    Team::sync();
  }
  work.ticks.total = shape.profile ? clock_ticks() - begin_ticks : 0;
  if (lane() == 0) add_work(batch.totals, work);
}

}  // namespace warpbench::nearest_neighbors
