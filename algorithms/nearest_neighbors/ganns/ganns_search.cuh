// GANNS as the document describes it (yu2023 §4.2.2): two lists of fixed length, N with the best candidates and T with
// the neighbours of the vertex being explored, and six phases an iteration, each by all lanes. N is in shared memory.
// T is in registers while it is made, an entry a lane; it is in shared memory only where it is longer than the lanes.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/bulk_distances.cuh"

namespace warpbench::nearest_neighbors {

/// A search by kLanes threads, n_t of the document, of points of kStride coordinates; 0: of any number of them.
template <int kLanes, int kStride>
class GannsSearch : public DocumentSearch<kLanes> {
 public:
  using typename DocumentSearch<kLanes>::Team;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return static_cast<std::size_t>(shape.candidates + shared_list(shape)) * sizeof(Key) +
           static_cast<std::size_t>(shape.stride) * sizeof(float);
  }

  __device__ GannsSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<Key*>(memory)),
        t_(n_ + shape.candidates),
        query_(reinterpret_cast<float*>(t_ + shared_list(shape))),
        bulk_(query_, shape.stride) {}

  /// The place for the query's coordinates, `stride` of them, to be filled before run().
  __device__ float* query() const { return query_; }
  /// After run(): the nearest found, ascending, then kNone<Key>; `candidates` of them.
  __device__ const Key* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<float>& points, SearchWork& work) {
    for (const int i : Team::strided(shape_.candidates)) n_[i] = kNone<Key>;
    bulk_.load_query();
    Team::sync();
    const Vertex start = descend<kLanes>(graph, points, query_, work);
    const float distance = bulk_.of_one(points, start);
    if (lane() == 0) n_[0] = make_key(distance, start);
    Team::sync();
    for (int next = locate(); next >= 0; next = locate()) {
      ++work.iterations;
      const View<const Vertex> row = explore(graph, next);
      Key key = kNone<Key>;
      for (int first = 0; first < shape_.list; first += kLanes) {
        key = entry(row, first + lane(), points, work);
        if (shape_.list > kLanes) t_[first + lane()] = key;
      }
      if (shape_.list <= kLanes) {
        key = Team::sort(key);
        Team::sync();  // before N changes, all lanes have looked for their keys in it
        Team::merge(n_, shape_.candidates, key);
      } else {
        Team::sync();
        Team::sort(t_, shape_.list);
        Team::merge(n_, shape_.candidates, t_, shape_.list);
      }
    }
  }

 private:
  /// The places of T in shared memory.
  WARPBENCH_HOST_DEVICE static int shared_list(const SearchShape& shape) {
    return shape.list > kLanes ? shape.list : 0;
  }

  /// (1) Candidate locating: the first unexplored of the first e entries of N, or -1.
  __device__ int locate() const { return first_unexplored<kLanes>(n_, shape_.explore); }

  /// (2) Neighbourhood exploration: the out-neighbours of entry `next`, which make T.
  __device__ View<const Vertex> explore(const GraphView& graph, int next) {
    const View<const Vertex> row = graph.row(0, vertex_of(n_[next]));
    Team::sync();
    if (lane() == 0) n_[next] = explored(n_[next]);
    Team::sync();
    return row;
  }

  /// Entry i of T after phases 3, bulk distance computation, and 4, or kNone. All lanes call, each with an entry of its
  /// own, in ascending order.
  __device__ Key entry(View<const Vertex> row, int i, const Points<float>& points, SearchWork& work) {
    const Vertex vertex = i < row.size() ? row[i] : kNone<Vertex>;
    const bool real = vertex != kNone<Vertex>;
    const unsigned reals = Team::ballot(real);
    float distance = 0;
    work.time_distances([&] { distance = bulk_.of(points, vertex, reals); });
    work.distances += static_cast<std::uint32_t>(__popc(reals));
    return real ? check(make_key(distance, vertex)) : kNone<Key>;
  }

  /// (4) Lazy check: a vertex that N holds already needs no second place. The document marks it as explored and leaves
  /// it in T; it would then stand in N twice, so it leaves here.
  __device__ Key check(Key key) const {
    const int at = rank_in(n_, shape_.candidates, key);
    return at < shape_.candidates && unexplored(n_[at]) == key ? kNone<Key> : key;
  }

  SearchShape shape_;
  Key* n_;
  Key* t_;
  float* query_;
  BulkDistances<kLanes, kStride> bulk_;
};

}  // namespace warpbench::nearest_neighbors
