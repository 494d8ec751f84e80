// The warps' space in shared memory, and neighbour lists read into it 128 bytes at a time (gsi2020 §V). Each warp reads
// its own list or, with duplicate removal (§VI-B, Algorithm 5), the first of the block's warps that need the same one
// reads it.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/gsi/set_operations.cuh"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::gsi {

/// Kernels of a join step: threads of a block are the solver's parameter.
struct VertexJoinTuning {
  static constexpr int kMaxWarps = 32;
  static constexpr int kMaxThreads = kMaxWarps * kWarpSize;
};

/// The dynamic shared memory of a block: for each warp a row of the table, a batch of neighbours, and a write cache.
class WarpSpace {
 public:
  __device__ explicit WarpSpace(int width)
      : rows_(dynamic_shared<Vertex>()),
        batches_(rows_ + block::warps() * width),
        caches_(batches_ + block::warps() * kWarpSize),
        width_(width) {}
  static constexpr std::size_t bytes(int warps, int width) {
    return static_cast<std::size_t>(warps) * (static_cast<std::size_t>(width) + 2 * kWarpSize) * sizeof(Vertex);
  }

  __device__ Vertex* row(int warp) const { return rows_ + warp * width_; }
  __device__ Vertex* batch(int warp) const { return batches_ + warp * kWarpSize; }
  __device__ Vertex* cache(int warp) const { return caches_ + warp * kWarpSize; }

  /// Reads a row of the table into this warp's place.
  __device__ const Vertex* keep_row(const Vertex* source) const {
    Vertex* const own = row(warp::rank());
    __syncwarp();
    for (const int c : warp::strided(width_)) own[c] = source[c];
    __syncwarp();
    return own;
  }

 private:
  Vertex* rows_;
  Vertex* batches_;
  Vertex* caches_;
  int width_;
};

/// This lane's place of the 32 from `first` on.
__device__ __forceinline__ std::uint32_t lane_place(std::uint32_t first) {
  return first + static_cast<std::uint32_t>(warp::lane());
}

/// Reads places [first, first + 32) of a list; what is of N(v, l) goes to batch[0 ..). Returns how many, in all lanes.
template <typename List>
__device__ int read_batch(const List& list, std::uint32_t first, Vertex* batch) {
  const std::uint32_t place = lane_place(first);
  Vertex x = 0;
  const bool valid = place < list.elements() && list.get(place, x);
  const warp::Slot slot = warp::compact(valid);
  if (valid) batch[slot.index] = x;
  return slot.count;
}

/// Calls consume(batch, size) for each batch of this warp's list until it returns false.
template <typename List, typename Consume>
__device__ void for_each_own_batch(const List& list, const WarpSpace& space, Consume consume) {
  Vertex* const batch = space.batch(warp::rank());
  bool more = true;
  for (std::uint32_t first = 0; more && first < list.elements(); first += kWarpSize) {
    const int size = read_batch(list, first, batch);
    __syncwarp();
    more = consume(batch, size);
    __syncwarp();
  }
}

/// Algorithm 5: the same, but warps whose lists are of the same vertex `v` share the input buffer of the first of them.
/// All warps of the block call, those without a list with an empty one; a barrier comes before the next call.
template <typename List, typename Consume>
__device__ void for_each_shared_batch(const List& list, Vertex v, const WarpSpace& space, Consume consume) {
  __shared__ Vertex ids[VertexJoinTuning::kMaxWarps];
  __shared__ std::uint32_t elements[VertexJoinTuning::kMaxWarps];
  __shared__ int sizes[VertexJoinTuning::kMaxWarps];
  const int own = warp::rank();
  const int lane = warp::lane();
  if (lane == 0) {
    ids[own] = v;
    elements[own] = list.elements();
  }
  __syncthreads();
  // A warp without a list reads for nobody, whatever its vertex.
  const std::uint32_t needed = lane < block::warps() ? elements[lane] : 0;
  const unsigned same = __ballot_sync(kFullMask, needed > 0 && ids[lane] == v ? 1 : 0);
  const int reader = list.elements() > 0 ? lowest_bit(same) : own;
  const std::uint32_t longest = warp::reduce_max(needed);
  bool more = true;
  for (std::uint32_t first = 0; first < longest; first += kWarpSize) {
    if (reader == own && first < list.elements()) {
      const int size = read_batch(list, first, space.batch(own));
      if (lane == 0) sizes[own] = size;
    }
    __syncthreads();
    if (more && first < list.elements()) more = consume(space.batch(reader), sizes[reader]);
    __syncthreads();
  }
}

/// FirstEdge on a batch of N(v, l): an element a lane.
template <typename List>
class BatchConsumer {
 public:
  __device__ BatchConsumer(const FirstEdge<List>& operation, RowOutput& found) : operation_(operation), found_(found) {}

  __device__ bool operator()(const Vertex* batch, int size) {
    const bool given = warp::lane() < size;
    const Vertex x = given ? batch[warp::lane()] : 0;
    found_.append(given && operation_.admits(x), x);
    return true;
  }

 private:
  const FirstEdge<List>& operation_;
  RowOutput& found_;
};

/// FurtherEdge on ascending batches of N(v, l): lanes hold elements of buf_i, which ascend too, and look for theirs in
/// the first batch that reaches it. Results may be written over buf_i: they never outrun the elements read.
template <typename List>
class BatchIntersection {
 public:
  __device__ BatchIntersection(const FurtherEdge<List>& operation, RowOutput& found)
      : operation_(operation), found_(found) {
    hold(0);
  }

  /// False: no element is left.
  __device__ bool operator()(const Vertex* batch, int size) {
    if (size == 0) return waiting_ != 0;
    while (waiting_ != 0) {
      const bool waits = (waiting_ & mask_of(warp::lane())) != 0;
      const bool decided = waits && element_ <= batch[size - 1];
      found_.append(decided && binary_search(batch, size, element_), element_);
      waiting_ &= ~__ballot_sync(kFullMask, decided ? 1 : 0);
      if (waiting_ != 0) return true;  // later batches reach these
      hold(next_);
    }
    return false;
  }

 private:
  /// Takes the 32 elements from `first` on, a lane each.
  __device__ void hold(std::uint32_t first) {
    const std::uint32_t place = lane_place(first);
    const bool exists = place < operation_.elements();
    if (exists) operation_.get(place, element_);
    waiting_ = __ballot_sync(kFullMask, exists ? 1 : 0);
    next_ = first + kWarpSize;
  }

  const FurtherEdge<List>& operation_;
  RowOutput& found_;
  Vertex element_ = 0;
  unsigned waiting_ = 0;    ///< the lanes whose element no batch has reached
  std::uint32_t next_ = 0;  ///< where the elements begin that no lane has held
};

template <typename List>
__device__ BatchConsumer<List> consumer_of(const FirstEdge<List>& operation, RowOutput& found) {
  return {operation, found};
}
template <typename List>
__device__ BatchIntersection<List> consumer_of(const FurtherEdge<List>& operation, RowOutput& found) {
  return {operation, found};
}

}  // namespace warpbench::matching::gsi
