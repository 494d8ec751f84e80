// The kernel that answers queries with any of the searches: a row of threads (threadIdx.x) a query. A search is a
// class with Coordinate (float, Half or Byte), Team (its Lanes), kQueriesPerBlock, shared_bytes(shape), a constructor
// from its shape and shared memory, query(), run() and found().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "algorithms/nearest_neighbors/graph_search/rerank.cuh"
#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/integers.hpp"

namespace warpbench::nearest_neighbors {

/// Threads of a block. As launch bounds they leave a search of one warp a block more registers: an SM holds 32 blocks,
/// so such blocks could not fill it anyway.
template <typename Search>
constexpr int search_threads() {
  return Search::kQueriesPerBlock * Search::Team::kSize;
}

/// What the coordinates of a query are multiplied by. The length of a query does not matter to the order of products;
/// in half precision, where long ones would overflow, its largest coordinate is brought to 8 to 16, in 8 bits to 127.
template <typename Search>
__device__ float scale_of(const QueryBatch& batch, const View<const float>& query, bool by_product) {
  if (std::is_same_v<typename Search::Coordinate, float> || !by_product) return batch.scale;
  using Team = typename Search::Team;
  float largest = 0;
  for (const int i : Team::strided(batch.dimension)) largest = fmaxf(largest, fabsf(query[i]));
  largest = Team::maximum(largest);
  if constexpr (std::is_same_v<typename Search::Coordinate, Byte>) return scale_to_bytes(largest);
  constexpr int kMaxExponent = 127;
  return largest == 0 ? 1.0F : ldexpf(1.0F, 3 - ilogbf(largest) < kMaxExponent ? 3 - ilogbf(largest) : kMaxExponent);
}

/// The points of the vertices found, the nearest first; kNone fills the row.
template <typename Search>
__device__ void write_answer(const QueryBatch& batch, const Key* found, int candidates, const View<Vertex>& answer) {
  using Team = typename Search::Team;
  if (batch.next_equal.empty()) {
    for (const int i : Team::strided(batch.k)) answer[i] = batch.point(found[i]);
    return;
  }
  if (lane() != 0) return;
  int place = 0;
  for (int i = 0; i < candidates; ++i) {
    Vertex point = batch.point(found[i]);
    for (; point != kNone<Vertex> && place < batch.k; point = batch.next_equal[point]) answer[place++] = point;
  }
  for (; place < batch.k; ++place) answer[place] = kNone<Vertex>;
}

/// The vertices that query q found, with their distances.
template <typename Search>
__device__ void write_found(const QueryBatch& batch, const Key* found, std::uint32_t q) {
  const View<FoundVertex> row = batch.found.subview(std::int64_t{q} * batch.k, batch.k);
  for (const int i : Search::Team::strided(batch.k)) {
    const Key key = found[i];
    row[i] = key == kNone<Key> ? FoundVertex{0, kNone<Vertex>} : FoundVertex{distance_of(key), vertex_of(key)};
  }
}

template <typename Search>
__global__ void __launch_bounds__(search_threads<Search>())
    search_kernel(Points<typename Search::Coordinate> points, GraphView graph, QueryBatch batch, SearchShape shape) {
  using Team = typename Search::Team;
  Search search(shape, search_memory<Search>(shape));
  SearchWork work(shape);
  const std::uint32_t count = batch.count();
  while (true) {
    std::uint32_t q = 0;
    if (lane() == 0) q = atomicAdd(&batch.next[0], 1U);
    q = Team::first(q);
    if (q >= count) break;
    const View<const float> query = batch.query(q);
    const float scale = scale_of<Search>(batch, query, points.by_product);
    for (const int i : Team::strided(shape.stride)) {
      // Only bytes have an offset: it would cost the other searches registers.
      float value = i < batch.dimension ? query[i] : 0.0F;
      if constexpr (std::is_same_v<typename Search::Coordinate, Byte>)
        value -= i < batch.dimension ? batch.offset : 0.0F;
      store(search.query()[i], value * scale);
    }
    Team::sync();
    search.run(graph, points, work);
    const Key* found = search.found();
    int found_count = shape.candidates;
    if constexpr (Rerank<Search>::kNeeded) {
      if (batch.rerank > 0) {
        found_count = batch.rerank;
        found = Rerank<Search>(batch, rerank_memory<Search>(batch, shape)).order(batch, query, found);
      }
    }
    if (batch.found.empty()) {
      write_answer<Search>(batch, found, found_count, batch.answer(q));
    } else {
      write_found<Search>(batch, found, q);
    }
    Team::sync();
  }
  work.add_to(batch.totals);
}

/// A SearchLaunch by one class.
template <typename Search>
std::size_t launch_search(const Points<typename Search::Coordinate>& points, const GraphView& graph,
                          const QueryBatch& batch, const SearchShape& shape, Stream& stream) {
  constexpr int kRows = Search::kQueriesPerBlock;
  const std::size_t bytes = search_bytes<Search>(shape) + Rerank<Search>::shared_bytes(batch);
  const Grid one_block{1, {Search::Team::kSize, kRows}, kRows * bytes};
  std::int64_t blocks = ceil_div(batch.queries.size() / batch.dimension, kRows);
  // Blocks of several queries take queries until there are none.
  if constexpr (kRows > 1) {
    blocks =
        std::min(blocks, max_resident_blocks(search_kernel<Search>, one_block.threads.count(), one_block.shared_bytes));
  }
  launch(search_kernel<Search>, Grid{blocks, one_block.threads, one_block.shared_bytes}, stream, points, graph, batch,
         shape);
  return Search::shared_bytes(shape) + Rerank<Search>::shared_bytes(batch);
}

}  // namespace warpbench::nearest_neighbors
