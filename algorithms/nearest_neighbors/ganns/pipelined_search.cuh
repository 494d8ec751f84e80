// Pipelined search (this project's own): GANNS with the same lists and the same path through the graph, by one warp
// that keeps many vectors in flight. What differs from the document, each against something its kernel leaves lying:
//
//   * teams of 8 lanes read 16 bytes a lane of four vectors each at once, 16 vectors a warp, instead of one vector
//   after
//     another by 4-byte loads; coordinates may be of half precision;
//   * the query stays in shared memory and a part of it serves four vectors;
//   * a table of seen vertices, exact in what it keeps and forgetful beyond its size, saves computing distances again.
//   A
//     vertex that it forgot is either in N, where the lazy check finds it, or behind N's last, so answers do not
//     change;
//   * T is never sorted: what is nearer than N's last, a few keys, finds its place by counting;
//   * the search may begin at several vertices spread over the graph instead of one.
#pragma once

#include "algorithms/nearest_neighbors/ganns/half_arithmetic.cuh"
#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

/// What 16 bytes of coordinates and the query's add to a distance.
template <bool kProduct>
__device__ __forceinline__ float contribution(const float4& a, const float4& b) {
  if constexpr (kProduct) return -(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
  const float x = a.x - b.x;
  const float y = a.y - b.y;
  const float z = a.z - b.z;
  const float w = a.w - b.w;
  return x * x + y * y + z * z + w * w;
}
template <bool kProduct>
__device__ __forceinline__ float contribution(const uint4& a, const uint4& b) {
  return half_contribution<kProduct>(a, b);
}

/// The 16 bytes that a load brings.
template <typename T>
struct Load {
  using Type = float4;
};
template <>
struct Load<Half> {
  using Type = uint4;
};

/// A search by one full warp with 32 × kSlots candidates over points of T.
template <typename T, int kSlots>
class PipelinedSearch {
 public:
  using Coordinate = T;
  using Team = Lanes<kWarpSize>;
  static constexpr int kCandidates = kSlots * kWarpSize;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return (kCandidates + kWarpSize) * sizeof(std::uint64_t) + static_cast<std::size_t>(shape.stride) * sizeof(T) +
           static_cast<std::size_t>(shape.visited) * sizeof(std::uint32_t);
  }

  __device__ PipelinedSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<std::uint64_t*>(memory)),
        t_(n_ + kCandidates),
        query_(reinterpret_cast<T*>(t_ + kWarpSize)),
        visited_(reinterpret_cast<std::uint32_t*>(query_ + shape.stride)) {}

  __device__ T* query() const { return query_; }
  __device__ const std::uint64_t* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<T>& points, SearchWork& work) {
    for (int i = lane(); i < kCandidates; i += kWarpSize) n_[i] = kNoKey;
    for (int i = lane(); i < shape_.visited; i += kWarpSize) visited_[i] = kNobody;
    __syncwarp();
    if (graph.count > 1) {
      const std::uint32_t start = descend<kWarpSize>(graph, points, query_, work);
      visit(lane() == 0 ? start : kNobody, points, work);
    } else {
      const auto entries = static_cast<std::uint32_t>(shape_.entries);
      const std::uint32_t step = graph.vertices < entries ? 1 : graph.vertices / entries;
      const auto entry = static_cast<std::uint32_t>(lane()) * step;
      visit(static_cast<std::uint32_t>(lane()) < entries && entry < graph.vertices ? graph.first + entry : kNobody,
            points, work);
    }
    for (int next = locate(); next >= 0; next = locate()) {
      ++work.iterations;
      const View<const std::uint32_t> row = graph.row(0, vertex_of(n_[next]));
      __syncwarp();
      if (lane() == 0) n_[next] = explored(n_[next]);
      for (int i = lane(); i - lane() < graph.degree; i += kWarpSize) {
        visit(i < graph.degree ? row[i] : kNobody, points, work);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  static constexpr int kTeam = 8;  ///< lanes that share a vector
  static constexpr int kTeams = kWarpSize / kTeam;
  static constexpr int kLoad = 16 / static_cast<int>(sizeof(T));  ///< coordinates a load

  /// The first unexplored of the first e entries of N, or -1.
  __device__ int locate() const {
    for (int base = 0; base < shape_.explore; base += kWarpSize) {
      const int i = base + lane();
      const bool open = i < shape_.explore && n_[i] != kNoKey && !is_explored(n_[i]);
      const unsigned votes = __ballot_sync(kFullMask, open ? 1 : 0);
      if (votes != 0) return base + __ffs(static_cast<int>(votes)) - 1;
    }
    return -1;
  }

  /// Distances of the lanes' vertices (kNobody: none), those not seen before, and the best of them into N.
  __device__ void visit(std::uint32_t vertex, const Points<T>& points, SearchWork& work) {
    bool fresh = vertex != kNobody;
    if (fresh && shape_.visited > 0) {
      const std::uint32_t place = (vertex * 2654435769U) >> 7 & static_cast<std::uint32_t>(shape_.visited - 1);
      fresh = atomicExch(&visited_[place], vertex) != vertex;
    }
    const warp::Slot slot = warp::compact(fresh);
    __syncwarp();
    if (fresh) t_[slot.index] = vertex;
    __syncwarp();
    work.distances += static_cast<std::uint32_t>(slot.count);
    const std::uint64_t before = shape_.profile ? clock_ticks() : 0;
    if (points.by_product) {
      compute_distances<true>(points, slot.count);
    } else {
      compute_distances<false>(points, slot.count);
    }
    if (shape_.profile) work.ticks.distance += clock_ticks() - before;
    merge(lane() < slot.count ? t_[lane()] : kNoKey);
  }

  /// t_[0 .. count): from vertices to keys. Teams have four vectors each in flight, or two where no more are left.
  template <bool kProduct>
  __device__ void compute_distances(const Points<T>& points, int count) {
    int base = 0;
    for (; count - base > 2 * kTeams; base += 4 * kTeams) compute_batch<kProduct, 4>(points, base, count);
    if (base < count) compute_batch<kProduct, 2>(points, base, count);
    __syncwarp();
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
      rows[b] = reinterpret_cast<const Bits*>(points.row(static_cast<std::uint32_t>(t_[i < count ? i : count - 1])));
      sums[b] = 0;
    }
    const auto* const query = reinterpret_cast<const Bits*>(query_);
    const int loads = points.stride / kLoad;
#pragma unroll 2
    for (int at = rank; at < loads; at += kTeam) {
      const Bits q = query[at];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) sums[b] += contribution<kProduct>(__ldg(rows[b] + at), q);
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b) sums[b] = warp::reduce(sums[b], warp::Sum{}, kTeam);
    __syncwarp();  // all have read their vertices
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int i = first + b * kTeams;
      if (rank == b && i < count) t_[i] = make_key(sums[b], static_cast<std::uint32_t>(t_[i]));
    }
  }

  /// The lanes' keys that N does not hold and that beat its last, merged into it: each key's new place is its rank
  /// among those of N and the others'. Few of T's keys get this far, so a step a key beats sorting them.
  __device__ void merge(std::uint64_t key) {
    int place = kCandidates;
    if (key < n_[kCandidates - 1]) {
      place = rank_in(n_, kCandidates, key);
      if (unexplored(n_[place]) == key) place = kCandidates;
    }
    const unsigned entering = __ballot_sync(kFullMask, place < kCandidates ? 1 : 0);
    if (entering == 0) return;
    std::uint64_t list[kSlots];
    int places[kSlots];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      list[s] = n_[s * kWarpSize + lane()];
      places[s] = s * kWarpSize + lane();
    }
    int own = place;
    for (unsigned votes = entering; votes != 0; votes &= votes - 1) {
      const std::uint64_t other = __shfl_sync(kFullMask, key, __ffs(static_cast<int>(votes)) - 1);
      own += other < key ? 1 : 0;
#pragma unroll
      for (int s = 0; s < kSlots; ++s) places[s] += other < list[s] ? 1 : 0;
    }
    __syncwarp();
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (places[s] < kCandidates) n_[places[s]] = list[s];
    }
    if (place < kCandidates && own < kCandidates) n_[own] = key;
    __syncwarp();
  }

  SearchShape shape_;
  std::uint64_t* n_;
  std::uint64_t* t_;  ///< vertices, then keys
  T* query_;
  std::uint32_t* visited_;
};

}  // namespace warpbench::nearest_neighbors
