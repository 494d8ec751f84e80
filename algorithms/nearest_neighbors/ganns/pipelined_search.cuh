// Pipelined search (this project's own): GANNS with the same lists and the same path through the graph, by one warp
// that keeps many vectors in flight. It differs from the document's search in five things:
//
// 1. Loads. Teams of 8 lanes read 16 bytes a lane of four vectors at once, 16 vectors a warp; the document's kernel
//    reads one vector after the other by 4-byte loads. Coordinates may be of half precision, or of 8 bits.
// 2. The query. It stays in shared memory, and each part that is read serves four vectors.
// 3. A table of seen vertices, which saves computing distances again. It never claims a vertex that was not seen, but
//    forgets some beyond its size. A forgotten vertex is either in N, where the lazy check finds it, or behind N's
//    last, so answers do not change.
// 4. T is never sorted: the few keys that are nearer than N's last find their places by counting.
// 5. Entries. The search may begin at several vertices spread over the graph instead of one.
#pragma once

#include "algorithms/nearest_neighbors/ganns/byte_arithmetic.cuh"
#include "algorithms/nearest_neighbors/ganns/half_arithmetic.cuh"
#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/bits.cuh"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

/// The 16 bytes of coordinates that a load brings, and the part of a distance that they and the query's make up.
template <typename T>
struct Load;
template <>
struct Load<float> {
  using Type = float4;

  template <bool kProduct>
  __device__ static __forceinline__ float contribution(const float4& a, const float4& b) {
    if constexpr (kProduct) return -(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    const float x = a.x - b.x;
    const float y = a.y - b.y;
    const float z = a.z - b.z;
    const float w = a.w - b.w;
    return x * x + y * y + z * z + w * w;
  }
};
template <>
struct Load<Half> {
  using Type = uint4;

  template <bool kProduct>
  __device__ static __forceinline__ float contribution(const uint4& a, const uint4& b) {
    return half_contribution<kProduct>(a, b);
  }
};
template <>
struct Load<Byte> {
  using Type = uint4;

  template <bool kProduct>
  __device__ static __forceinline__ float contribution(const uint4& a, const uint4& b) {
    return byte_contribution<kProduct>(a, b);
  }
};

/// A search by one full warp with kKeys candidates a lane, over points of T.
template <typename T, int kKeys>
class PipelinedSearch {
 public:
  using Coordinate = T;
  using Team = WarpLanes;
  static constexpr int kQueriesPerBlock = 4;
  static constexpr int kCandidates = kKeys * kWarpSize;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return (kCandidates + kWarpSize) * sizeof(Key) + static_cast<std::size_t>(shape.stride) * sizeof(T) +
           static_cast<std::size_t>(shape.visited) * sizeof(Vertex);
  }

  __device__ PipelinedSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<Key*>(memory)),
        t_(n_ + kCandidates),
        query_(reinterpret_cast<T*>(t_ + kWarpSize)),
        visited_(reinterpret_cast<Vertex*>(query_ + shape.stride)) {}

  __device__ T* query() const { return query_; }
  __device__ const Key* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<T>& points, SearchWork& work) {
    for (const int i : Team::strided(kCandidates)) n_[i] = kNone<Key>;
    for (const int i : Team::strided(shape_.visited)) visited_[i] = kNone<Vertex>;
    Team::sync();
    visit(entry(graph, points, work), points, work);
    for (int next = first_unexplored<kWarpSize>(n_, shape_.explore); next >= 0;
         next = first_unexplored<kWarpSize>(n_, shape_.explore)) {
      ++work.iterations;
      const View<const Vertex> row = graph.row(0, vertex_of(n_[next]));
      Team::sync();
      if (lane() == 0) n_[next] = explored(n_[next]);
      for (const auto [i, inside] : Team::rounds(graph.degree)) {
        visit(inside ? row[i] : kNone<Vertex>, points, work);
      }
    }
  }

 private:
  static constexpr int kTeam = 8;  ///< lanes that share a vector
  static constexpr int kTeams = kWarpSize / kTeam;
  static constexpr int kLoad = 16 / static_cast<int>(sizeof(T));  ///< coordinates a load

  /// The vertex at which this lane enters layer 0, or kNone: from the layers above one, else `entries` spread evenly.
  __device__ Vertex entry(const GraphView& graph, const Points<T>& points, SearchWork& work) const {
    if (graph.count > 1) {
      const Vertex start = descend<kWarpSize>(graph, points, query_, work);
      return lane() == 0 ? start : kNone<Vertex>;
    }
    const auto entries = static_cast<Vertex>(shape_.entries);
    const auto rank = static_cast<Vertex>(lane());
    const Vertex at = rank * (graph.vertices < entries ? 1 : graph.vertices / entries);
    return rank < entries && at < graph.vertices ? graph.first + at : kNone<Vertex>;
  }

  /// Distances of the lanes' vertices (or kNone) that were not seen before, and the best of them into N.
  __device__ void visit(Vertex vertex, const Points<T>& points, SearchWork& work) {
    bool fresh = vertex != kNone<Vertex>;
    if (fresh && shape_.visited > 0) {
      const std::uint32_t home = home_in_table(vertex, static_cast<std::uint32_t>(shape_.visited - 1));
      fresh = atomicExch(&visited_[home], vertex) != vertex;
    }
    const auto [place, count] = warp::compact(fresh);
    Team::sync();
    if (fresh) t_[place] = vertex;
    Team::sync();
    work.distances += static_cast<std::uint32_t>(count);
    work.time_distances([&, total = count] {
      if (points.by_product) {
        compute_distances<true>(points, total);
      } else {
        compute_distances<false>(points, total);
      }
    });
    merge(lane() < count ? t_[lane()] : kNone<Key>);
  }

  /// t_[0 .. count): from vertices to keys. Teams have four vectors each in flight, or two where no more are left.
  template <bool kProduct>
  __device__ void compute_distances(const Points<T>& points, int count) {
    int base = 0;
    for (; count - base > 2 * kTeams; base += 4 * kTeams) compute_batch<kProduct, 4>(points, base, count);
    if (base < count) compute_batch<kProduct, 2>(points, base, count);
    Team::sync();
  }

  template <bool kProduct, int kBatch>
  __device__ void compute_batch(const Points<T>& points, int base, int count) {
    using Bits = typename Load<T>::Type;
    const int rank = lane() % kTeam;
    const int first = base + lane() / kTeam;
    const Bits* rows[kBatch];
    float sums[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int i = first + b * kTeams;
      rows[b] = reinterpret_cast<const Bits*>(points.row(static_cast<Vertex>(t_[i < count ? i : count - 1])));
      sums[b] = 0;
    }
    const auto* const query = reinterpret_cast<const Bits*>(query_);
    const int loads = points.stride / kLoad;
#pragma unroll 2
    for (int at = rank; at < loads; at += kTeam) {
      const Bits q = query[at];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) sums[b] += Load<T>::template contribution<kProduct>(__ldg(rows[b] + at), q);
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b) sums[b] = warp::reduce(sums[b], warp::Sum{}, kTeam);
    Team::sync();  // all have read their vertices
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int i = first + b * kTeams;
      if (rank == b && i < count) t_[i] = make_key(sums[b], static_cast<Vertex>(t_[i]));
    }
  }

  /// The lanes' keys that N does not hold and that beat its last, merged into it: each key's new place is its rank
  /// among those of N and the others'. Few of T's keys get this far, so a step a key beats sorting them.
  __device__ void merge(Key key) {
    int place = kCandidates;
    if (key < n_[kCandidates - 1]) {
      place = rank_in(n_, kCandidates, key);
      if (unexplored(n_[place]) == key) place = kCandidates;
    }
    const unsigned entering = Team::ballot(place < kCandidates);
    if (entering == 0) return;
    Key list[kKeys];
    int places[kKeys];
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      list[k] = n_[k * kWarpSize + lane()];
      places[k] = k * kWarpSize + lane();
    }
    int own = place;
    for (const int from : set_bits(entering)) {
      const Key other = __shfl_sync(kFullMask, key, from);
      own += other < key ? 1 : 0;
#pragma unroll
      for (int k = 0; k < kKeys; ++k) places[k] += other < list[k] ? 1 : 0;
    }
    Team::sync();
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      if (places[k] < kCandidates) n_[places[k]] = list[k];
    }
    if (place < kCandidates && own < kCandidates) n_[own] = key;
    Team::sync();
  }

  SearchShape shape_;
  Key* n_;
  Key* t_;  ///< vertices, then keys
  T* query_;
  Vertex* visited_;
};

}  // namespace warpbench::nearest_neighbors
