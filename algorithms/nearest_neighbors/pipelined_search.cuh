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
//   * T is sorted in registers by shuffles, and only when it holds something nearer than N's last;
//   * the search may begin at several vertices spread over the graph instead of one.
#pragma once

#include "algorithms/nearest_neighbors/search.cuh"
#include "device/warp.cuh"

namespace warpbench::nearest_neighbors {

/// 16 bytes of coordinates against the query's, added to `sum`.
template <bool kProduct>
__device__ __forceinline__ float accumulate(float sum, float coordinate, float query) {
  if constexpr (kProduct) return sum - coordinate * query;
  const float difference = coordinate - query;
  return sum + difference * difference;
}
template <bool kProduct>
__device__ __forceinline__ float accumulate(float sum, const float* row, const float* query, int at) {
  const float4 a = __ldg(reinterpret_cast<const float4*>(row + at));
  const float4 b = *reinterpret_cast<const float4*>(query + at);
  sum = accumulate<kProduct>(sum, a.x, b.x);
  sum = accumulate<kProduct>(sum, a.y, b.y);
  sum = accumulate<kProduct>(sum, a.z, b.z);
  return accumulate<kProduct>(sum, a.w, b.w);
}
template <bool kProduct>
__device__ __forceinline__ float accumulate(float sum, const Half* row, const float* query, int at) {
  const uint4 bits = __ldg(reinterpret_cast<const uint4*>(row + at));
  const std::uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float low = to_float(Half{static_cast<std::uint16_t>(words[i] & 0xffffU)});
    const float high = to_float(Half{static_cast<std::uint16_t>(words[i] >> 16)});
    sum = accumulate<kProduct>(sum, low, query[at + 2 * i]);
    sum = accumulate<kProduct>(sum, high, query[at + 2 * i + 1]);
  }
  return sum;
}

/// A search by one full warp with 32 × kSlots candidates over points of T.
template <typename T, int kSlots>
class PipelinedSearch {
 public:
  using Coordinate = T;
  static constexpr int kCandidates = kSlots * kWarpSize;

  WARPBENCH_HOST_DEVICE static std::size_t shared_bytes(const SearchShape& shape) {
    return (kCandidates + kWarpSize) * sizeof(std::uint64_t) +
           static_cast<std::size_t>(shape.stride + shape.visited) * sizeof(float);
  }

  __device__ PipelinedSearch(const SearchShape& shape, unsigned char* memory)
      : shape_(shape),
        n_(reinterpret_cast<std::uint64_t*>(memory)),
        t_(n_ + kCandidates),
        query_(reinterpret_cast<float*>(t_ + kWarpSize)),
        visited_(reinterpret_cast<std::uint32_t*>(query_ + shape.stride)) {}

  __device__ float* query() const { return query_; }
  __device__ const std::uint64_t* found() const { return n_; }

  __device__ void run(const GraphView& graph, const Points<T>& points, SearchWork& work) {
    for (int i = lane(); i < kCandidates; i += kWarpSize) n_[i] = kNoKey;
    for (int i = lane(); i < shape_.visited; i += kWarpSize) visited_[i] = kNobody;
    __syncwarp();
    if (graph.count > 1) {
      const std::uint32_t start = descend(graph, points, query_, work);
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
  static constexpr int kTeam = 8;   ///< lanes that share a vector
  static constexpr int kBatch = 4;  ///< vectors a team has in flight
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

  /// t_[0 .. count): from vertices to keys.
  template <bool kProduct>
  __device__ void compute_distances(const Points<T>& points, int count) {
    const int team = lane() / kTeam;
    const int rank = lane() % kTeam;
    for (int base = 0; base < count; base += kTeams * kBatch) {
      const T* rows[kBatch];
      float sums[kBatch];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const int i = base + b * kTeams + team;
        rows[b] = points.row(static_cast<std::uint32_t>(t_[i < count ? i : count - 1]));
        sums[b] = 0;
      }
#pragma unroll 2
      for (int at = rank * kLoad; at < points.stride; at += kTeam * kLoad) {
#pragma unroll
        for (int b = 0; b < kBatch; ++b) sums[b] = accumulate<kProduct>(sums[b], rows[b], query_, at);
      }
#pragma unroll
      for (int b = 0; b < kBatch; ++b) sums[b] = warp::reduce(sums[b], warp::Sum{}, kTeam);
      __syncwarp();  // all have read their vertices
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const int i = base + b * kTeams + team;
        if (rank == 0 && i < count) t_[i] = make_key(sums[b], static_cast<std::uint32_t>(t_[i]));
      }
    }
    __syncwarp();
  }

  /// The lanes' keys that N does not hold and that beat its last, merged into it.
  __device__ void merge(std::uint64_t key) {
    if (key >= n_[kCandidates - 1]) key = kNoKey;
    if (key != kNoKey) {
      const int at = rank_in(n_, kCandidates, key);
      if (unexplored(n_[at]) == key) key = kNoKey;
    }
    if (__any_sync(kFullMask, key != kNoKey ? 1 : 0) == 0) return;
    key = warp::bitonic_sort(key);
    std::uint64_t list[kSlots];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) list[s] = n_[s * kWarpSize + lane()];
    // The least 32 × kSlots of both, as a bitonic sequence: N's tail against T backwards.
    const std::uint64_t mirrored = __shfl_xor_sync(kFullMask, key, kWarpSize - 1);
    if (mirrored < list[kSlots - 1]) list[kSlots - 1] = mirrored;
#pragma unroll
    for (int distance = kSlots / 2; distance > 0; distance /= 2) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        if ((s & distance) != 0) continue;
        const std::uint64_t low = list[s];
        const std::uint64_t high = list[s + distance];
        list[s] = low < high ? low : high;
        list[s + distance] = low < high ? high : low;
      }
    }
    __syncwarp();
#pragma unroll
    for (int s = 0; s < kSlots; ++s) n_[s * kWarpSize + lane()] = warp::bitonic_merge(list[s]);
    __syncwarp();
  }

  SearchShape shape_;
  std::uint64_t* n_;
  std::uint64_t* t_;  ///< vertices, then keys
  float* query_;
  std::uint32_t* visited_;
};

}  // namespace warpbench::nearest_neighbors
