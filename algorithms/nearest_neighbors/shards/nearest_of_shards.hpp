// NearestOfShards: the nearest points of all shards, from what a search in 8 bits found in each. Of a query's vertices
// the nearest `rerank` by 8 bits are ordered by exact distances, on the CPU, as the vectors are in host memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/nearest_neighbors/graph_search/found_vertex.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/distinct_points.hpp"

namespace warpbench::nearest_neighbors {

class NearestOfShards {
 public:
  using Input = NearestNeighbors::Input;

  NearestOfShards() = default;
  /// `input` is that of all shards; its vectors outlive this.
  explicit NearestOfShards(const Input& input) : input_(input) {}

  /// The next shard: its vertices stand for the points of `distinct`, counted from `first`; `scale` is that of their
  /// coordinates in 8 bits.
  void add(std::int64_t first, DistinctPoints distinct, float scale);

  /// `found`: `length` vertices of each query in each shard, shard by shard. Writes k points a query, the nearest
  /// first; kNone fills a row. O(queries × (shards × length + rerank × dimension)), on all threads.
  void order(std::span<const FoundVertex> found, std::int64_t length, std::int64_t rerank,
             std::span<std::uint32_t> answers) const;

  struct Shard {
    std::int64_t first;
    DistinctPoints distinct;
    double unit;  ///< of a distance in 8 bits
  };

 private:
  Input input_;
  std::vector<Shard> shards_;
};

}  // namespace warpbench::nearest_neighbors
