// GANNS as the document describes it (yu2023 §4.2.2): two lists of fixed length in shared memory, N with the best
// candidates and T with the neighbours of the vertex being explored, and six phases an iteration, each by all lanes.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// A search by kLanes threads, n_t of the document.
template <int kLanes>
class GannsSearch {
 public:
  using Coordinate = float;
  using Team = Lanes<kLanes>;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return static_cast<std::size_t>(shape.candidates + shape.list) * sizeof(std::uint64_t) +
           static_cast<std::size_t>(shape.stride) * sizeof(float);
  }

  __device__ GannsSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<std::uint64_t*>(memory)),
        t_(n_ + shape.candidates),
        query_(reinterpret_cast<float*>(t_ + shape.list)) {}

  /// Where the query's coordinates go, stride of them, before run().
  __device__ float* query() const { return query_; }
  /// After run(): the nearest found, ascending, then kNoKey; `candidates` of them.
  __device__ const std::uint64_t* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<float>& points, SearchWork& work) {
    for (int i = lane(); i < shape_.candidates; i += kLanes) n_[i] = kNoKey;
    Team::sync();
    const std::uint32_t start = descend<kLanes>(graph, points, query_, work);
    const float distance = distance_by_lanes<kLanes>(points, start, query_);
    if (lane() == 0) n_[0] = make_key(distance, start);
    Team::sync();
    for (int next = locate(); next >= 0; next = locate()) {
      ++work.iterations;
      explore(graph, next);
      const std::uint64_t before = shape_.profile ? clock_ticks() : 0;
      compute_distances(points, work);
      if (shape_.profile) work.ticks.distance += clock_ticks() - before;
      check();
      Team::sort(t_, shape_.list);
      Team::merge(n_, shape_.candidates, t_, shape_.list);
    }
  }

 private:
  /// (1) Candidate locating: the first unexplored of the first e entries of N, or -1.
  __device__ int locate() const {
    for (int base = 0; base < shape_.explore; base += kLanes) {
      const int i = base + lane();
      const bool open = i < shape_.explore && n_[i] != kNoKey && !is_explored(n_[i]);
      const unsigned votes = Team::ballot(open);
      if (votes != 0) return base + __ffs(static_cast<int>(votes)) - 1;
    }
    return -1;
  }

  /// (2) Neighbourhood exploration: the out-neighbours of entry `next` into T.
  __device__ void explore(const GraphView& graph, int next) {
    const View<const std::uint32_t> row = graph.row(0, vertex_of(n_[next]));
    Team::sync();
    for (int i = lane(); i < shape_.list; i += kLanes) t_[i] = i < graph.degree ? row[i] : 0xffffffffU;
    if (lane() == 0) n_[next] = explored(n_[next]);
    Team::sync();
  }

  /// (3) Bulk distance computation: vertex by vertex, the lanes share the coordinates.
  __device__ void compute_distances(const Points<float>& points, SearchWork& work) {
    for (int i = 0; i < shape_.list; ++i) {
      const auto vertex = static_cast<std::uint32_t>(t_[i]);
      const bool real = vertex != 0xffffffffU;
      const float distance = real ? distance_by_lanes<kLanes>(points, vertex, query_) : 0;
      Team::sync();
      if (lane() == 0) t_[i] = real ? make_key(distance, vertex) : kNoKey;
      work.distances += real ? 1 : 0;
    }
    Team::sync();
  }

  /// (4) Lazy check: what N holds already needs no second place. The document marks it as explored and leaves it in T;
  /// it would then stand in N twice, so it leaves here.
  __device__ void check() {
    for (int i = lane(); i < shape_.list; i += kLanes) {
      const int at = rank_in(n_, shape_.candidates, t_[i]);
      if (at < shape_.candidates && unexplored(n_[at]) == t_[i]) t_[i] = kNoKey;
    }
    Team::sync();
  }

  SearchShape shape_;
  std::uint64_t* n_;
  std::uint64_t* t_;
  float* query_;
};

}  // namespace warpbench::nearest_neighbors
