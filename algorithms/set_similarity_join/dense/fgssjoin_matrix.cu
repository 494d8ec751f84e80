#include "algorithms/set_similarity_join/dense/fgssjoin_matrix.cuh"

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/overlap.cuh"

namespace warpbench::similarity {
namespace {

/// Candidates of a warp on their way to verification: few pairs have a count, and each would else keep a warp busy
/// alone. In shared memory.
class WaitingPairs {
 public:
  static constexpr int kAtOnce = 4;  ///< pairs of a lane that are added between two takes

  struct Places {
    uint2 pairs[(kAtOnce + 1) * kWarpSize];
  };

  __device__ explicit WaitingPairs(Places& places) : pairs_(places.pairs) {}

  [[nodiscard]] __device__ int size() const { return size_; }
  /// By a warp, the pair (i, j) of each lane where `is_candidate`.
  __device__ void add(bool is_candidate, std::int64_t i, std::int64_t j) {
    const warp::Slot place = warp::compact(is_candidate);
    if (is_candidate) pairs_[size_ + place.index] = {static_cast<unsigned>(i), static_cast<unsigned>(j)};
    size_ += place.count;
  }
  /// By a warp: the last 32 pairs, or all if there are fewer, one a lane. Whether this lane has one.
  __device__ bool take(uint2& pair) {
    const int count = size_ < kWarpSize ? size_ : kWarpSize;
    size_ -= count;
    __syncwarp();
    const bool has_pair = warp::lane() < count;
    if (has_pair) pair = pairs_[size_ + warp::lane()];
    __syncwarp();
    return has_pair;
  }

 private:
  uint2* pairs_;
  int size_ = 0;
};

/// A candidate: the length filter, then a merge.
__device__ __forceinline__ void verify_pair(const SetsView& sets, const Bounds& bounds, const PairSinkView& sink,
                                            uint2 pair, PairTally& tally) {
  const std::int64_t i = pair.x;
  const std::int64_t j = pair.y;
  const std::uint32_t smaller = sets.size(i);
  const std::uint32_t larger = sets.size(j);
  if (!sets.joins(i, j) || smaller < bounds.min_size(larger)) return;
  const std::uint32_t required = bounds.min_overlap(smaller, larger);
  const std::uint32_t overlap = merged_overlap(sets.set(i), sets.set(j), required, sink.wants_overlap());
  if (overlap >= required) tally.take(sink, sets, i, j, overlap);
}

__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    verify_counted(CountMatrix counts, SetsView sets, Bounds bounds, PairSinkView sink, View<Total> candidates) {
  WaitingPairs waiting(dynamic_shared<WaitingPairs::Places>()[block::warp_rank()]);
  PairTally tally;
  Total counted = 0;
  const auto verify = [&] {
    uint2 pair{0, 0};
    if (waiting.take(pair)) verify_pair(sets, bounds, sink, pair, tally);
    __syncwarp();
  };
  for_each_counted(counts, [&](std::int64_t i, std::int64_t j, const uint4& partial_overlaps) {
    const std::uint32_t partial[WaitingPairs::kAtOnce] = {partial_overlaps.x, partial_overlaps.y, partial_overlaps.z,
                                                          partial_overlaps.w};
#pragma unroll
    for (int k = 0; k < WaitingPairs::kAtOnce; ++k) {
      counted += partial[k] != 0 ? 1 : 0;
      waiting.add(partial[k] != 0, i, j + k);
    }
    while (waiting.size() >= kWarpSize) verify();
  });
  verify();
  tally.finish(sink);
  if (!sink.is_second_try) block::accumulate(candidates[0], counted);
}

}  // namespace

void FgssjoinMatrix::select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink,
                            View<Total> candidates, Stream& stream) {
  const std::size_t shared_bytes = static_cast<std::size_t>(shape().threads / kWarpSize) * sizeof(WaitingPairs::Places);
  launch(verify_counted, shape().row_grid(verify_counted, counts.rows.size(), shared_bytes), stream, counts, sets,
         bounds(), sink, candidates);
}

}  // namespace warpbench::similarity
