// Rerank: what a search found with coordinates of less than single precision, ordered anew by exact distances.
#pragma once

#include <cstddef>
#include <type_traits>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// The nearest that were found, by their exact distances: `rerank` of them, a power of two. In shared memory.
template <typename Search>
class Rerank {
 public:
  using Team = typename Search::Team;
  static constexpr bool kNeeded = !std::is_same_v<typename Search::Coordinate, float>;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const QueryBatch& batch) {
    if (!kNeeded || batch.rerank == 0) return 0;
    return static_cast<std::size_t>(batch.rerank) * sizeof(Key) +
           static_cast<std::size_t>(batch.exact.stride) * sizeof(float);
  }

  __device__ Rerank(const QueryBatch& batch, unsigned char* memory)
      : keys_(reinterpret_cast<Key*>(memory)), query_(reinterpret_cast<float*>(keys_ + batch.rerank)) {}

  __device__ const Key* order(const QueryBatch& batch, const View<const float>& query, const Key* found) {
    for (const int i : Team::strided(batch.exact.stride)) {
      query_[i] = i < batch.dimension ? query[i] : 0.0F;
    }
    Team::sync();
    if (batch.exact.by_product) {
      compute<true>(batch, found);
    } else {
      compute<false>(batch, found);
    }
    Team::sync();
    Team::sort(keys_, batch.rerank);
    Team::sync();
    return keys_;
  }

 private:
  static constexpr int kBatch = 8;  ///< vectors on their way

  template <bool kProduct>
  __device__ void compute(const QueryBatch& batch, const Key* found) {
    for (int base = 0; base < batch.rerank; base += kBatch) {
      float sums[kBatch];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const Key key = found[base + b];
        const Vertex vertex = key == kNone<Key> ? 0 : vertex_of(key);
        sums[b] = distance_of_lane<kProduct, Team::kSize>(batch.exact.row(vertex), query_, batch.exact.stride);
      }
      const float sum = Team::sum_each(sums);
      if (lane() >= kBatch) continue;
      const Key key = found[base + lane()];
      keys_[base + lane()] = key == kNone<Key> ? key : make_key(sum, vertex_of(key));
    }
  }

  Key* keys_;
  float* query_;
};

/// Behind the searches of all of a block's queries.
template <typename Search>
__device__ unsigned char* rerank_memory(const QueryBatch& batch, const SearchShape& shape) {
  const std::size_t searches = Search::kQueriesPerBlock * search_bytes<Search>(shape);
  return dynamic_shared<unsigned char>() + searches + threadIdx.y * Rerank<Search>::shared_bytes(batch);
}

}  // namespace warpbench::nearest_neighbors
