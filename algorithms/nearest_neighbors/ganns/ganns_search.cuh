// GANNS as the document describes it (yu2023 §4.2.2): two lists of fixed length, N with the best candidates and T with
// the neighbours of the vertex being explored, and six phases an iteration, each by all lanes. N is in shared memory.
// T is in registers while it is made, an entry a lane; it is in shared memory only where it is longer than the lanes.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// So many coordinates, which one instruction loads.
template <int kCount>
struct alignas(kCount * sizeof(float)) Coordinates {
  float values[kCount];
};

/// A search by kLanes threads, n_t of the document. kStride: the points' stride where it is known to the compiler, a
/// multiple of kLanes: then each lane keeps its coordinates of the query in registers. 0: any stride, and the query
/// stays in shared memory, where a coordinate that is read serves kBatch vectors.
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
        query_(reinterpret_cast<float*>(t_ + shared_list(shape))) {}

  /// The place for the query's coordinates, `stride` of them, to be filled before run().
  __device__ float* query() const { return query_; }
  /// After run(): the nearest found, ascending, then kNone<Key>; `candidates` of them.
  __device__ const Key* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<float>& points, SearchWork& work) {
    for (const int i : Team::strided(shape_.candidates)) n_[i] = kNone<Key>;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
#pragma unroll
      for (int c = 0; c < kWidth; ++c) own_query_[part * kWidth + c] = inside(part) ? query_[place(part) + c] : 0;
    }
    Team::sync();
    const Vertex start = descend<kLanes>(graph, points, query_, work);
    const float distance = first_distance(points, start);
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
  static constexpr int kBatch = kLanes < 8 ? kLanes : 8;  ///< vectors on their way at a time
  /// Coordinates that a lane loads at once: four of long vectors, whose parts are waited for one after the other.
  static constexpr int kWidth = kStride >= 512 ? 4 : 1;
  static constexpr int kStep = kWidth == 4 ? 2 : 4;             ///< loads of each vector on their way, a lane
  static constexpr int kPart = kWidth * kLanes;                 ///< coordinates that the lanes load at once
  static constexpr int kParts = (kStride + kPart - 1) / kPart;  ///< of a vector, where its length is known
  static_assert(kStride % kLanes == 0 && kStride % kWidth == 0);

  /// The places of T in shared memory.
  WARPBENCH_HOST_DEVICE static int shared_list(const SearchShape& shape) {
    return shape.list > kLanes ? shape.list : 0;
  }

  /// In lane 0. Added up like the distances of T: to the last bit the same, the lazy check knows the vertex again.
  __device__ float first_distance(const Points<float>& points, Vertex start) const {
    if constexpr (kWidth == 1) return distance_by_lanes<kLanes>(points, start, query_);
    return distances(points, start, 1);
  }

  /// (1) Candidate locating: the first unexplored of the first e entries of N, or -1.
  __device__ int locate() const {
    return first_unexplored<kLanes>(n_, shape_.explore);
  }

  /// (2) Neighbourhood exploration: the out-neighbours of entry `next`, which make T.
  __device__ View<const Vertex> explore(const GraphView& graph, int next) {
    const View<const Vertex> row = graph.row(0, vertex_of(n_[next]));
    Team::sync();
    if (lane() == 0) n_[next] = explored(n_[next]);
    Team::sync();
    return row;
  }

  /// Entry i of T after phases 3 and 4, or kNone. All lanes call, each with an entry of its own, in ascending order.
  __device__ Key entry(View<const Vertex> row, int i, const Points<float>& points, SearchWork& work) {
    const Vertex vertex = i < row.size() ? row[i] : kNone<Vertex>;
    const bool real = vertex != kNone<Vertex>;
    const unsigned reals = Team::ballot(real);
    float distance = 0;
    work.time_distances([&] { distance = distances(points, vertex, reals); });
    work.distances += static_cast<std::uint32_t>(__popc(reals));
    return real ? check(make_key(distance, vertex)) : kNone<Key>;
  }

  /// (3) Bulk distance computation: the distance of this lane's vertex, where bit lane() of `reals` is set. The lanes
  /// share the coordinates of a vector and add up by shuffles; kBatch vectors are on their way together.
  __device__ float distances(const Points<float>& points, Vertex vertex, unsigned reals) const {
    return points.by_product ? compute_distances<true>(points, vertex, reals)
                             : compute_distances<false>(points, vertex, reals);
  }
  template <bool kProduct>
  __device__ float compute_distances(const Points<float>& points, Vertex vertex, unsigned reals) const {
    const Vertex to_load = vertex == kNone<Vertex> ? 0 : vertex;
    float own = 0;
#pragma unroll 1
    for (int first = 0; first < kLanes && reals >> first != 0; first += kBatch) {
      const float* rows[kBatch];
      float sums[kBatch];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        rows[b] = points.coordinates.data() + std::int64_t{Team::get(to_load, first + b)} * stride();
        sums[b] = 0;
      }
      if constexpr (kStride > 0) {
#pragma unroll
        for (int part = 0; part < kParts; part += kStep) {
          add_step<kProduct>(
              rows, part, [&](int u, int c) { return own_query_[(part + u) * kWidth + c]; }, sums);
        }
      } else {
        for (int part = 0; part * kPart < stride(); part += kStep) {
          add_step<kProduct>(
              rows, part, [&](int u, int /*c*/) { return query_[place(part + u)]; }, sums);
        }
      }
      const float sum = Team::sum_each(sums);
      if (lane() / kBatch == first / kBatch) own = sum;
    }
    return own;
  }

  /// What parts `part` to part + kStep - 1 of this lane add to kBatch distances.
  template <bool kProduct, typename QueryAt>
  __device__ __forceinline__ void add_step(const float* const (&rows)[kBatch], int part, const QueryAt& query_at,
                                           float (&sums)[kBatch]) const {
    using Loaded = Coordinates<kWidth>;
    Loaded loaded[kStep][kBatch]{};
#pragma unroll
    for (int u = 0; u < kStep; ++u) {
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        if constexpr (kWidth == 1) {
          loaded[u][b].values[0] = inside(part + u) ? rows[b][place(part + u)] : 0;
        } else if (inside(part + u)) {
          loaded[u][b] = *reinterpret_cast<const Loaded*>(rows[b] + place(part + u));
        }
      }
    }
#pragma unroll
    for (int u = 0; u < kStep; ++u) {
#pragma unroll
      for (int c = 0; c < kWidth; ++c) {
        const float q = inside(part + u) ? query_at(u, c) : 0;
#pragma unroll
        for (int b = 0; b < kBatch; ++b) {
          const float a = loaded[u][b].values[c];
          sums[b] += kProduct ? -a * q : (a - q) * (a - q);
        }
      }
    }
  }

  [[nodiscard]] __device__ __forceinline__ int stride() const {
    return kStride > 0 ? kStride : shape_.stride;
  }
  /// The first coordinate of this lane in a part.
  [[nodiscard]] __device__ static __forceinline__ int place(int part) {
    return part * kPart + lane() * kWidth;
  }
  /// Whether a row has a part for this lane.
  [[nodiscard]] __device__ __forceinline__ bool inside(int part) const {
    return kStride > 0 && kStride % kPart == 0 ? part < kParts : place(part) < stride();
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
  float own_query_[kParts > 0 ? kParts* kWidth : 1];
};

}  // namespace warpbench::nearest_neighbors
