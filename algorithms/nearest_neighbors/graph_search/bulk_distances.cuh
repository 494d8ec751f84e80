// The distances of many vertices to one query, by all lanes of its search: the third phase of GANNS and the second
// stage of SONG (yu2023 §4.2). Both have the same, so what they differ by are their data structures, as in the
// document.
#pragma once

#include "algorithms/nearest_neighbors/graph_search/search.cuh"

namespace warpbench::nearest_neighbors {

/// So many coordinates, which one instruction loads.
template <int kCount>
struct alignas(kCount * sizeof(float)) Coordinates {
  float values[kCount];
};

/// By kLanes threads, n_t of the document. kStride: the points' stride where it is known to the compiler, a multiple of
/// kLanes: then each lane keeps its coordinates of the query in registers. 0: any stride, and the query stays in shared
/// memory, where a coordinate that is read serves kBatch vectors.
template <int kLanes, int kStride>
class BulkDistances {
 public:
  /// To the query in shared memory, of `stride` coordinates.
  __device__ BulkDistances(const float* query, int stride) : query_(query), stride_(stride) {}

  /// To be called by all lanes when the query has changed.
  __device__ void load_query() {
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
#pragma unroll
      for (int c = 0; c < kWidth; ++c) own_query_[part * kWidth + c] = inside(part) ? query_[place(part) + c] : 0;
    }
  }

  /// The distance of `vertex`, the same in all lanes; in lane 0. To the last bit what of() gives.
  __device__ float of_one(const Points<float>& points, Vertex vertex) const {
    if constexpr (kWidth == 1) return distance_by_lanes<kLanes>(points, vertex, query_);
    return of(points, vertex, 1);
  }

  /// The distance of this lane's vertex, where bit lane() of `reals` is set. The lanes share the coordinates of a
  /// vector and add up by shuffles; kBatch vectors are on their way together.
  __device__ float of(const Points<float>& points, Vertex vertex, unsigned reals) const {
    return points.by_product ? compute<true>(points, vertex, reals) : compute<false>(points, vertex, reals);
  }

 private:
  using Team = Lanes<kLanes>;

  static constexpr int kBatch = kLanes < 8 ? kLanes : 8;  ///< vectors on their way at a time
  /// Coordinates that a lane loads at once: four of long vectors, whose parts are waited for one after the other.
  static constexpr int kWidth = kStride >= 256 ? 4 : 1;
  static constexpr int kStep = kWidth == 4 ? 2 : 4;             ///< loads of each vector on their way, a lane
  static constexpr int kPart = kWidth * kLanes;                 ///< coordinates that the lanes load at once
  static constexpr int kParts = (kStride + kPart - 1) / kPart;  ///< of a vector, where its length is known
  static_assert(kStride % kLanes == 0 && kStride % kWidth == 0);

  template <bool kProduct>
  __device__ float compute(const Points<float>& points, Vertex vertex, unsigned reals) const {
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
        // The pointers move along the rows: with places computed anew GANNS takes 102 registers instead of 96, and a
        // multiprocessor holds 16 warps instead of 20 (sm_90, CUDA 13.0).
#pragma unroll
        for (int b = 0; b < kBatch; ++b) rows[b] += place(0);
#pragma unroll 1
        for (int part = 0; part * kPart < stride(); part += kStep) {
          add_step<kProduct>(
              rows, part, [&](int u, int /*c*/) { return query_[place(part + u)]; }, sums);
#pragma unroll
          for (int b = 0; b < kBatch; ++b) rows[b] += kStep * kPart;
        }
      }
      const float sum = Team::sum_each(sums);
      if (lane() / kBatch == first / kBatch) own = sum;
    }
    return own;
  }

  /// What parts `part` to part + kStep - 1 of this lane add to kBatch distances. `rows`: the beginnings of the rows
  /// where kStride is known, else this lane's places in their parts `part`.
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
          loaded[u][b].values[0] = inside(part + u) ? rows[b][offset(part, u)] : 0;
        } else if (inside(part + u)) {
          loaded[u][b] = *reinterpret_cast<const Loaded*>(rows[b] + offset(part, u));
        }
      }
    }
    // Without it the compiler waits for some of the loads before it begins the others.
    if constexpr (kStride == 0) Team::sync();
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
    return kStride > 0 ? kStride : stride_;
  }
  /// The first coordinate of this lane in a part.
  [[nodiscard]] __device__ static __forceinline__ int place(int part) {
    return part * kPart + lane() * kWidth;
  }
  /// Where part `part + u` of this lane lies from a pointer of add_step() on.
  [[nodiscard]] __device__ static __forceinline__ int offset(int part, int u) {
    return kStride > 0 ? place(part + u) : u * kPart;
  }
  /// Whether a row has a part for this lane.
  [[nodiscard]] __device__ __forceinline__ bool inside(int part) const {
    return kStride > 0 && kStride % kPart == 0 ? part < kParts : place(part) < stride();
  }

  const float* query_;
  int stride_;
  float own_query_[kParts > 0 ? kParts* kWidth : 1];
};

}  // namespace warpbench::nearest_neighbors
