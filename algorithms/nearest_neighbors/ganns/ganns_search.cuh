// GANNS as the document describes it (yu2023 §4.2.2): two lists of fixed length in shared memory, N with the best
// candidates and T with the neighbours of the vertex being explored, and six phases an iteration, each by all lanes.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// A search by kLanes threads, n_t of the document.
template <int kLanes>
class GannsSearch : public DocumentSearch<kLanes> {
 public:
  using typename DocumentSearch<kLanes>::Team;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return static_cast<std::size_t>(shape.candidates + shape.list) * sizeof(Key) +
           static_cast<std::size_t>(shape.stride) * sizeof(float);
  }

  __device__ GannsSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<Key*>(memory)),
        t_(n_ + shape.candidates),
        query_(reinterpret_cast<float*>(t_ + shape.list)) {}

  /// The place for the query's coordinates, `stride` of them, to be filled before run().
  __device__ float* query() const { return query_; }
  /// After run(): the nearest found, ascending, then kNone<Key>; `candidates` of them.
  __device__ const Key* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<float>& points, SearchWork& work) {
    for (const int i : Team::strided(shape_.candidates)) n_[i] = kNone<Key>;
    Team::sync();
    const Vertex start = descend<kLanes>(graph, points, query_, work);
    const float distance = distance_by_lanes<kLanes>(points, start, query_);
    if (lane() == 0) n_[0] = make_key(distance, start);
    Team::sync();
    for (int next = locate(); next >= 0; next = locate()) {
      ++work.iterations;
      explore(graph, next);
      work.time_distances([&] { compute_distances(points, work); });
      check();
      Team::sort(t_, shape_.list);
      Team::merge(n_, shape_.candidates, t_, shape_.list);
    }
  }

 private:
  /// (1) Candidate locating: the first unexplored of the first e entries of N, or -1.
  __device__ int locate() const { return first_unexplored<kLanes>(n_, shape_.explore); }

  /// (2) Neighbourhood exploration: the out-neighbours of entry `next` into T.
  __device__ void explore(const GraphView& graph, int next) {
    const View<const Vertex> row = graph.row(0, vertex_of(n_[next]));
    Team::sync();
    for (const int i : Team::strided(shape_.list)) t_[i] = i < graph.degree ? row[i] : kNone<Vertex>;
    if (lane() == 0) n_[next] = explored(n_[next]);
    Team::sync();
  }

  /// (3) Bulk distance computation: vertex by vertex, the lanes share the coordinates.
  __device__ void compute_distances(const Points<float>& points, SearchWork& work) {
    for (int i = 0; i < shape_.list; ++i) {
      const auto vertex = static_cast<Vertex>(t_[i]);
      const bool real = vertex != kNone<Vertex>;
      const float distance = real ? distance_by_lanes<kLanes>(points, vertex, query_) : 0;
      Team::sync();
      if (lane() == 0) t_[i] = real ? make_key(distance, vertex) : kNone<Key>;
      work.distances += real ? 1 : 0;
    }
    Team::sync();
  }

  /// (4) Lazy check: a vertex that N holds already needs no second place. The document marks it as explored and leaves
  /// it in T; it would then stand in N twice, so it leaves here.
  __device__ void check() {
    for (const int i : Team::strided(shape_.list)) {
      const int at = rank_in(n_, shape_.candidates, t_[i]);
      if (at < shape_.candidates && unexplored(n_[at]) == t_[i]) t_[i] = kNone<Key>;
    }
    Team::sync();
  }

  SearchShape shape_;
  Key* n_;
  Key* t_;
  float* query_;
};

}  // namespace warpbench::nearest_neighbors
